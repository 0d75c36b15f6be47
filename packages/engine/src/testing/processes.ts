import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Lab } from './lab.ts';
import type { ProcessJob } from './worker-process.ts';

/** The built file: a child runs JavaScript. */
const entry = fileURLToPath(new URL('../../dist/testing/worker-process.js', import.meta.url));

export interface WorkerProcess {
  child: ChildProcess;
  output(): string;
  /** Resolves with the signal or code it ended by. */
  ended: Promise<string>;
  until(text: string, ms?: number): Promise<void>;
}

export function startProcess(
  lab: Lab,
  { failpoints = '', nodeArgs = [], ...job }: Partial<ProcessJob> & { failpoints?: string; nodeArgs?: string[] } = {},
): WorkerProcess {
  const full: ProcessJob = {
    url: lab.url,
    folder: lab.folder,
    doorbell: { kind: 'none' },
    timing: { lease: 2_500, heartbeat: 400 },
    slots: 2,
    stepMs: 20,
    ...job,
  };
  const child = spawn(process.execPath, [...nodeArgs, entry], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'test',
      NODE_NO_WARNINGS: '1',
      JOB: JSON.stringify(full),
      PDF2PRESS_FAILPOINTS: failpoints,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += chunk));
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? String(code)));
  });
  return {
    child,
    output: () => text,
    ended,
    until: async (wanted, ms = 200_000) => {
      for (const end = Date.now() + ms; !text.includes(wanted); ) {
        if (Date.now() > end || child.exitCode !== null) throw new Error(`no "${wanted}" in:\n${text}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
  };
}

const onPath = (name: string) =>
  (process.env.PATH ?? '')
    .split(path.delimiter)
    .map((folder) => path.join(folder, name))
    .find((file) => existsSync(file));

export const redisProgram = onPath('redis-server') ?? onPath('valkey-server');

export interface TestRedis {
  url: string;
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Makes it forget everything. */
  flush(): Promise<void>;
}

/** A real Redis that forgets everything when it dies: the worst case. */
export async function startTestRedis(port: number, args: string[] = []): Promise<TestRedis> {
  let child: ChildProcess;
  const start = async () => {
    child = spawn(
      redisProgram ?? '',
      ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', '/tmp', ...args],
      {
        stdio: 'ignore',
      },
    );
    for (let tries = 0; tries < 2_000; tries += 1) {
      const isOpen = await new Promise<boolean>((resolve) => {
        const socket = net.connect(port, '127.0.0.1', () => {
          socket.destroy();
          resolve(true);
        });
        socket.on('error', () => resolve(false));
      });
      if (isOpen) return;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    throw new Error('redis did not start');
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    flush: () =>
      new Promise((resolve, reject) => {
        const socket = net.connect(port, '127.0.0.1', () => socket.write('FLUSHALL\r\n'));
        socket.on('error', reject);
        socket.on('data', () => {
          socket.destroy();
          resolve();
        });
      }),
    kill: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGKILL');
      }),
  };
}
