/* Exported as `@pdf2press/engine/testing`: a real Redis for the tests of any package, where the machine has one. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

const onPath = (name: string) =>
  (process.env.PATH ?? '')
    .split(path.delimiter)
    .map((folder) => path.join(folder, name))
    .find((file) => existsSync(file));

/** Undefined where there is none: tests that need it are skipped. */
export const redisProgram = onPath('redis-server') ?? onPath('valkey-server');

export interface TestRedis {
  url: string;
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Removes all keys. */
  flush(): Promise<void>;
  /** How many keys it holds. */
  size(): Promise<number>;
}

/** Sends a line to Redis and resolves to its answer. */
const tell = (port: number, line: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.write(`${line}\r\n`));
    socket.once('error', reject);
    socket.once('data', (answer) => {
      socket.destroy();
      resolve(String(answer).trim());
    });
  });

/** A real Redis without persistence, so that it loses everything when it is killed. */
export async function startTestRedis(port: number, args: string[] = []): Promise<TestRedis> {
  let child: ChildProcess;
  const start = async () => {
    const plain = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', os.tmpdir()];
    child = spawn(redisProgram ?? '', ['--port', String(port), ...plain, ...args], { stdio: 'ignore' });
    for (let tries = 0; (await tell(port, 'PING').catch(() => '')) !== '+PONG'; tries += 1) {
      if (tries > 2_000) throw new Error('redis did not start');
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    flush: async () => {
      await tell(port, 'FLUSHALL');
    },
    size: async () => Number((await tell(port, 'DBSIZE')).slice(1)),
    kill: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGKILL');
      }),
  };
}
