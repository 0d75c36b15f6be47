import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Lab } from './lab.ts';
import type { ProcessJob } from './worker-process.ts';

/** What `bundle-worker.ts` makes of the compiled program. */
const entry = fileURLToPath(new URL('../../dist/testing/bundle/worker-process.js', import.meta.url));

export interface WorkerProcess {
  child: ChildProcess;
  output(): string;
  /** Resolves to the signal or exit code. */
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
