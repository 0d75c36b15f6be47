/* Exported as `@pdf2press/sftp/testing`: a real OpenSSH server for tests. */

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import path from 'node:path';
import { freePort } from '@pdf2press/config/free-port';

/** The server is called by its whole path: it starts itself again for each connection. */
const program = ['/usr/sbin/sshd', '/usr/local/sbin/sshd', '/opt/homebrew/sbin/sshd'].find(existsSync);
export const hasSshd = program !== undefined;

export interface TestSshd {
  host: string;
  port: number;
  username: string;
  /** Signs in; the server takes no other key. */
  privateKey: string;
  /** `SHA256:…`, of the key by which the server says who it is. */
  hostKey: string;
  /** Makes the server show another key from now on; resolves to it. */
  changeHostKey(): Promise<string>;
  /** Ends what is connected now; the server goes on. */
  breakConnections(): Promise<void>;
  stop(): Promise<void>;
}

const makeKey = (file: string): void => {
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'test', '-f', file]);
};
const fingerprintOf = (file: string): string =>
  execFileSync('ssh-keygen', ['-l', '-f', `${file}.pub`], { encoding: 'utf8' }).split(' ')[1] ?? '';

/** Each connection is a process of the server, or of one of those. */
function endChildren(pid: number): void {
  const { stdout } = spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' });
  for (const child of stdout.split('\n').filter(Boolean).map(Number)) {
    endChildren(child);
    try {
      process.kill(child, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
}

async function started(child: ChildProcess): Promise<void> {
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr?.on('data', (part: Buffer) => {
      said += part.toString();
      if (said.includes('Server listening')) resolve();
    });
    child.once('exit', () => reject(new Error(`sshd ended: ${said}`)));
  });
}

/**
 * Starts a server of SFTP on a free port of this machine, for the user who runs the tests.
 * @param folder for its keys and settings
 */
export async function startTestSshd(folder: string): Promise<TestSshd> {
  if (!program) throw new Error('sshd is not installed');
  await mkdir(folder, { recursive: true });
  const at = (name: string) => path.join(folder, name);
  // The server of a system that never started its own has no folder to lock itself into.
  if (process.getuid?.() === 0) await mkdir('/run/sshd', { recursive: true });
  makeKey(at('user'));
  const port = await freePort();
  const start = async (key: string): Promise<ChildProcess> => {
    makeKey(at(key));
    const settings = [
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${at(key)}`,
      `AuthorizedKeysFile ${at('user.pub')}`,
      `PidFile ${at('pid')}`,
      'StrictModes no',
      'UsePAM no',
      'PasswordAuthentication no',
      'PermitRootLogin prohibit-password',
      'Subsystem sftp internal-sftp',
    ];
    await writeFile(at('sshd_config'), `${settings.join('\n')}\n`);
    const child = spawn(program, ['-D', '-e', '-f', at('sshd_config')], { stdio: ['ignore', 'ignore', 'pipe'] });
    await started(child);
    return child;
  };
  const end = (child: ChildProcess): Promise<void> =>
    new Promise((resolve) => {
      child.once('exit', () => resolve());
      child.kill('SIGTERM');
    });
  let child = await start('host');
  return {
    host: '127.0.0.1',
    port,
    username: userInfo().username,
    privateKey: await readFile(at('user'), 'utf8'),
    hostKey: fingerprintOf(at('host')),
    changeHostKey: async () => {
      await end(child);
      child = await start('other');
      return fingerprintOf(at('other'));
    },
    breakConnections: async () => endChildren(child.pid as number),
    stop: async () => {
      await end(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
