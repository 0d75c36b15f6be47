import { accessSync, constants, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { openAppAccount } from '@pdf2press/prisma/app-account';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@pdf2press/prisma/embedded';
import { deploy } from '@pdf2press/prisma/migrate';
import { demandStore } from '@pdf2press/storage';
import { type AppProcess, keepRunning } from './processes.ts';
import { repositoryRoot } from './root.ts';

/** The running product: its own Postgres where no database is given, and the three apps. */
export interface Stack {
  address: string;
  apps: readonly AppProcess[];
  /** With the account of its owner, which the apps do not have. */
  databaseUrl: string;
  /** Rejects when an app ends before the stack is ready or Postgres ends by itself. */
  failed: Promise<never>;
  stop(): Promise<void>;
}

export interface StackOptions {
  port: number;
  dataDir: string;
  databaseUrl: string | undefined;
  postgresPort: number;
  /** Where files lie when they do not lie in the data folder. */
  s3?: Parameters<typeof demandStore>[0];
  env?: NodeJS.ProcessEnv;
  isDurable?: boolean;
  /** Called with each line of output that is no log line. */
  onLine?: (line: string) => void;
  nodeArgs?: readonly string[];
  /** See `keepRunning`. */
  silence?: number;
}

/** The product did not start; its message is for the person at the terminal. */
export class BootError extends Error {}

const appNames = ['api', 'worker', 'intake'] as const;

/**
 * Arguments of Node that only one of them has. In the intake, pieces of files and lines of base64 outlive a young collection
 * and are garbage soon after. By its own measure V8 lets some 200 MB of them lie before it collects; with the first of these, a
 * quarter of what is alive. With the second, young collections come after 4 MB of lines instead of 16: the pieces of files that are
 * freed with them lie outside of the heap, where V8 lets tens of megabytes of them wait.
 */
const ownArgs: Partial<Record<(typeof appNames)[number], readonly string[]>> = {
  intake: ['--heap-growing-percent=25', '--max-semi-space-size=4'],
};

async function isReady(address: string): Promise<boolean> {
  try {
    return (await fetch(`${address}/healthz/ready`, { signal: AbortSignal.timeout(2000) })).ok;
  } catch {
    return false; // not listening yet
  }
}

/** Checked before anything starts: another program on the port would be taken for the API. */
function demandFreePort(port: number): Promise<void> {
  const host = process.env.HOST || '127.0.0.1';
  return new Promise((resolve, reject) => {
    const probe = net.createServer();
    probe.once('error', ({ code }: NodeJS.ErrnoException) => {
      const isHostWrong = code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL' || code === 'EAI_AGAIN';
      const what = isHostWrong ? `HOST ${host}` : `PORT ${port}`;
      const reason = code === 'EADDRINUSE' ? 'is in use by another program' : `cannot be listened on (${code})`;
      reject(new BootError(`${what} ${reason}.`));
    });
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
}

/**
 * Makes the folder and those above it, after checking the nearest existing one: below a file, or in /proc, Node's
 * `recursive` never returns.
 * @throws ErrnoException
 */
function makeFolder(folder: string): void {
  let there = folder;
  let stat = statSync(there, { throwIfNoEntry: false });
  while (!stat) {
    there = path.dirname(there);
    stat = statSync(there, { throwIfNoEntry: false });
  }
  if (!stat.isDirectory()) throw Object.assign(new Error(there), { code: 'ENOTDIR' });
  accessSync(there, constants.W_OK | constants.X_OK);
  // One by one: `recursive` retries for ever where an existing folder answers ENOENT, as /proc does.
  const missing = path.relative(there, folder).split(path.sep).filter(Boolean);
  for (const name of missing) {
    there = path.join(there, name);
    mkdirSync(there);
  }
}

/**
 * Allows one start at a time on a data folder, which is made where it is missing, since two would use the same database
 * files. Returns how to release it: until its parent reads the exit code, an ended process still looks alive.
 * @throws BootError where another process has it or it cannot be made
 */
export function claimFolder(dataDir: string): () => void {
  const file = path.join(dataDir, 'start.pid');
  let other = 0;
  try {
    other = Number(readFileSync(file, 'utf8'));
    if (other && other !== process.pid) process.kill(other, 0);
    else other = 0;
  } catch {
    other = 0; // no file, or its process is gone
  }
  if (other) throw new BootError(`pdf2press (pid ${other}) already runs on ${dataDir}.`);
  try {
    makeFolder(dataDir);
    writeFileSync(file, String(process.pid));
  } catch (error) {
    throw new BootError(`DATA_DIR ${dataDir} cannot be used (${(error as NodeJS.ErrnoException).code}).`);
  }
  return () => rmSync(file, { force: true });
}

/** Restarts a server that ended by itself. Its last processes may hold its shared memory for a moment. */
async function revive(postgres: EmbeddedPostgres): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await postgres.restart();
      return;
    } catch (error) {
      if (tries === 5) throw error;
      await new Promise((resolve) => setTimeout(resolve, tries * 500));
    }
  }
}

/** Starts everything and resolves when the API answers that it is ready. */
export async function startStack(options: StackOptions): Promise<Stack> {
  await demandFreePort(options.port);
  const stops: (() => Promise<void> | void)[] = [];
  stops.push(claimFolder(options.dataDir));
  await demandStore(options.s3);
  const logFolder = path.join(options.dataDir, 'logs');
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= (async () => {
      for (const end of stops.reverse()) await end();
    })();
    return stopping;
  };

  let reject: (error: Error) => void = () => undefined;
  const failed = new Promise<never>((_, no) => {
    reject = no;
  });
  failed.catch(() => undefined); // those who wait for it get the error; unhandled it would end the process
  try {
    let databaseUrl = options.databaseUrl;
    if (!databaseUrl) {
      const postgres = await startEmbeddedPostgres({
        folder: path.join(options.dataDir, 'postgres'),
        port: options.postgresPort,
        logFile: path.join(logFolder, 'postgres.log'),
        isDurable: options.isDurable ?? true,
        ownsFolder: true,
        onExit: (code) => {
          revive(postgres).catch(() =>
            reject(new Error(`Postgres ended by itself (${code}); see ${logFolder}/postgres.log.`)),
          );
        },
      });
      stops.push(() => postgres.stop());
      databaseUrl = postgres.url;
    }
    await deploy(databaseUrl);
    // A Postgres of somebody else has the accounts that its administrator made.
    const appUrl = options.databaseUrl ? databaseUrl : await openAppAccount(databaseUrl);

    let isSettled = false;
    const env = {
      ...process.env,
      ...options.env,
      NODE_ENV: 'production',
      DATABASE_URL: appUrl,
      DATA_DIR: options.dataDir,
      PORT: String(options.port),
    };
    const apps = appNames.map((name) =>
      keepRunning({
        name,
        entry: path.join(repositoryRoot, 'apps', name, 'dist/joined/main.js'),
        env,
        logFolder,
        // Prisma's adapter runs queries of one client at the same time, for which pg prints a warning at every start.
        nodeArgs: ['--disable-warning=DeprecationWarning', ...(ownArgs[name] ?? []), ...(options.nodeArgs ?? [])],
        ...(options.silence ? { silence: options.silence } : {}),
        ...(options.onLine ? { onLine: options.onLine } : {}),
        isSettled: () => isSettled,
        onFinalExit: (code) => reject(new BootError(`${name} ended at boot (${code}); its log is in ${logFolder}.`)),
      }),
    );
    stops.push(async () => {
      await Promise.all(apps.map((app) => app.stop()));
    });
    const address = `http://localhost:${options.port}`;
    let isOver = false;
    failed.catch(() => {
      isOver = true;
    });
    const ready = (async () => {
      const origin = `http://127.0.0.1:${options.port}`;
      for (const deadline = Date.now() + 120_000; !isOver && !(await isReady(origin)); ) {
        if (Date.now() > deadline) throw new BootError(`The API did not become ready; its log is in ${logFolder}.`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    })();
    await Promise.race([ready, failed]);
    isSettled = true;
    return { address, apps, databaseUrl, failed, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
