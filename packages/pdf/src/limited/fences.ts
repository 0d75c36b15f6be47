import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { IsolationLevel } from './levels.ts';
import { programPaths } from './program-paths.ts';

/** What a child needs of the file system besides the program: files and folders by absolute path. */
export interface Needs {
  /** The working directory of the child; it may write there. */
  workDir: string;
  reads: readonly string[];
  writes: readonly string[];
  canDieWithParent: boolean;
  /** Arguments of prlimit. */
  limits: readonly string[];
}

/** Makes the command that runs `program` behind a fence. */
export type Fence = (needs: Needs, program: readonly string[]) => string[];

/** Without the rights of a namespace's root, and none to be gained by a program with the setuid bit. */
const withoutRights = ['--inh-caps=-all', '--bounding-set=-all', '--no-new-privs'];

/** Root's capabilities would look into other processes; whoever is not root has none, and may not give any up. */
const withoutPower = process.getuid?.() === 0 ? withoutRights : ['--no-new-privs'];

/** After `unshare`, because entering a user namespace clears the parent-death signal. */
const pdeathsig = ({ canDieWithParent }: Needs): string[] => (canDieWithParent ? ['--pdeathsig', 'KILL'] : []);

const optional = (command: string, args: readonly string[]): string[] => (args.length > 0 ? [command, ...args] : []);

const limited: Fence = (needs, program) => [
  'prlimit',
  ...needs.limits,
  ...optional('setpriv', pdeathsig(needs)),
  ...program,
];

const withoutNetwork: Fence = (needs, program) => [
  ...['prlimit', ...needs.limits, 'unshare', '-rn'],
  ...['setpriv', ...pdeathsig(needs), ...withoutRights],
  ...program,
];

const isThere = (path: string): boolean => existsSync(path);

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** Devices that programs open by themselves. */
const devices = ['/dev/null', '/dev/zero', '/dev/urandom', '/dev/random'];

// Landlock (Linux 5.13) by setpriv of util-linux 2.40. A rule for a file must not name rights of folders.
const readRights = (path: string): string => (isFolder(path) ? 'read-file,read-dir,execute' : 'read-file,execute');
const writeRights = 'read-file,read-dir,write-file,truncate,make-reg,make-dir,make-sym,remove-file,remove-dir,refer';

function landlock(needs: Needs): string[] {
  const rules = [
    ...[...programPaths(), '/proc', ...needs.reads].filter(isThere).map((path) => `${readRights(path)}:${path}`),
    ...devices.filter(isThere).map((path) => `read-file,write-file:${path}`),
    ...[needs.workDir, ...needs.writes].map((path) => `${writeRights}:${path}`),
  ];
  return ['--landlock-access', 'fs', ...rules.flatMap((rule) => ['--landlock-rule', `path-beneath:${rule}`])];
}

const withOwnFiles: Fence = (needs, program) => [
  ...['prlimit', ...needs.limits, 'setpriv', ...pdeathsig(needs), ...withoutPower, ...landlock(needs)],
  ...program,
];

const withOwnFilesAndNoNetwork: Fence = (needs, program) => [
  ...['prlimit', ...needs.limits, 'unshare', '-rn'],
  ...['setpriv', ...pdeathsig(needs), ...withoutRights, ...landlock(needs)],
  ...program,
];

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
/** A path below the new root, while the shell stands there. */
const inside = (path: string): string => quoted(`.${path}`);

interface Mount {
  source: string;
  /** Where it is shown. */
  path: string;
  options: string;
}

/** Whether `path` lies in a folder of the list. */
const isBelow = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => path === folder || path.startsWith(`${folder}/`));

/** Shown where it lies and, since there are no links on the way in the new root, where the child looks for it. */
const shownAt = (path: string, options: string): Mount[] => {
  const source = realpathSync(path);
  return [...new Set([source, path])].map((at) => ({ source, path: at, options }));
};

/** What the new root shows. `nosuid`, `nodev`, `noexec` are kept where the system demands them of a mount. */
function mountsOf({ workDir, reads, writes }: Needs): Mount[] {
  const own = [workDir, ...writes];
  const program = programPaths().filter(isThere);
  const given = reads.filter((path) => isThere(path) && !isBelow(path, [...own, ...program]));
  return [
    ...program.map((path) => ({ source: realpathSync(path), path, options: 'bind,ro,nosuid,nodev' })),
    ...devices.filter(isThere).map((path) => ({ source: path, path, options: 'bind' })),
    ...given.flatMap((path) => shownAt(path, 'bind,ro,nosuid,nodev,noexec')),
    ...own.flatMap((path) => shownAt(path, 'bind,nosuid,nodev,noexec')),
  ].sort((a, b) => (a.path < b.path ? -1 : 1)); // a folder before what lies in it
}

/** Where the new root is put together. Every Linux has it, and no program of ours needs it meanwhile. */
const place = '/sys';

/** In a table of mounts, white space is written as its number. */
const spaced = (text: string): string =>
  text.replace(/[\\ \t\n]/g, (letter) => `\\${letter.charCodeAt(0).toString(8).padStart(3, '0')}`);

/** The table of mounts, as of fstab(5). */
const tableOf = (mounts: readonly Mount[]): string[] => [
  ...mounts.map(({ source, path, options }) => `${spaced(source)} ${spaced(`${place}${path}`)} none ${options} 0 0`),
  // Shows the processes of the child's own namespace only.
  `none ${place}/proc proc nosuid,nodev,noexec 0 0`,
  // The root itself. Under another name than that of its mount: `mount` leaves out what it finds mounted.
  `root ${place} none remount,bind,ro,nosuid,nodev 0 0`,
];

/** Puts a root together that holds nothing but what the child needs, moves there, and forgets the other one. */
function newRoot(needs: Needs, program: readonly string[]): string {
  const mounts = mountsOf(needs);
  const folders = [
    '/proc',
    '/dev',
    '/.outside',
    ...mounts.map(({ path }) => dirname(path)),
    ...mounts.filter(({ source }) => isFolder(source)).map(({ path }) => path),
  ];
  const files = mounts.filter(({ source }) => !isFolder(source)).map(({ path }) => path);
  return [
    'set -e',
    'PATH="$PATH:/usr/sbin:/usr/bin:/sbin:/bin"',
    `mount -t tmpfs -o size=1m,mode=755,nosuid,nodev none ${place}`,
    `cd ${place}`,
    `mkdir -p ${[...new Set(folders)].map(inside).join(' ')}`,
    ...files.map((path) => `: > ${inside(path)}`),
    // All in one process: dozens of them would take longer than most tasks.
    `printf '%s\\n' ${tableOf(mounts).map(quoted).join(' ')} > ./mounts`,
    // It stays, as the emptied folder does: it says no more than /proc, and removing both would take as long as all mounts.
    'mount -n -a -T ./mounts',
    'pivot_root . .outside',
    'umount -n -l /.outside',
    `cd ${quoted(needs.workDir)}`,
    'unset PWD OLDPWD', // set by the shell
    ['setpriv', ...withoutRights, ...program].map(quoted).join(' '),
    // The shell stays, because the first process of a namespace is not ended by the signals that limits send.
    'exit 0',
  ].join('\n');
}

const withOwnRoot: Fence = (needs, program) => [
  ...['prlimit', ...needs.limits, 'unshare', '-rnm', 'setpriv', ...pdeathsig(needs)],
  // Whoever ends the first process of the namespace ends all others in it.
  ...['unshare', '--pid', '--fork', '--kill-child', '/bin/sh', '-c', newRoot(needs, program)],
];

/** The ways to fence a child in, the best first. */
export const fences: readonly { level: IsolationLevel; fence: Fence; needsLandlock?: true }[] = [
  { level: 'walls', fence: withOwnFilesAndNoNetwork, needsLandlock: true },
  { level: 'walls', fence: withOwnRoot },
  { level: 'files', fence: withOwnFiles, needsLandlock: true },
  { level: 'namespace', fence: withoutNetwork },
  { level: 'limits', fence: limited },
  { level: 'timer', fence: (needs, program) => [...optional('setpriv', pdeathsig(needs)), ...program] },
];
