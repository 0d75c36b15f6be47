import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { repositoryRoot } from './root.ts';

/**
 * Calls `then` when an ancestor up to npm has ended: npm does not pass SIGTERM on to its children, and a terminal may be
 * closed. Checks with signal 0 twice a second. Without /proc only the direct parent is watched.
 */
export function whenParentsEnd(then: () => void): void {
  const ancestors: number[] = [];
  for (let pid = process.ppid; pid > 1 && ancestors.length < 5; ) {
    ancestors.push(pid);
    try {
      if (/npm|npx/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, 2).join(' '))) break;
      pid = Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').pop()?.split(' ')[1]);
    } catch {
      break; // no /proc: only the direct parent is known
    }
  }
  const watched = process.env.npm_lifecycle_event ? ancestors : ancestors.slice(0, 1);
  const isGone = (pid: number) => {
    try {
      process.kill(pid, 0);
      return false;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ESRCH';
    }
  };
  const timer = setInterval(() => {
    if (!watched.some(isGone)) return;
    clearInterval(timer);
    then();
  }, 500);
  timer.unref();
}

/** Runs a program to its end with our own terminal; resolves with its exit code. */
export const runToEnd = (command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<number> =>
  new Promise((resolve) => {
    const child = spawn(command, args, { cwd: repositoryRoot, stdio: 'inherit', env: { ...process.env, ...env } });
    child.on('error', (error) => {
      console.error(error.message);
      resolve(127);
    });
    child.on('exit', (code) => resolve(code ?? 1));
  });

/** Runs a program to its end without showing what it says. @throws Error with that when it fails */
export const runQuietly = (command: string, args: readonly string[], { cwd }: { cwd: string }): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`${command} ended with ${code}\n${said}`))));
  });

/** A program from the dependencies of a room, by default of the repository's root. */
export const localBin = (name: string, room = '.'): string =>
  path.join(repositoryRoot, room, 'node_modules/.bin', name);

/** Milliseconds without a pulse after which an app counts as hung and is restarted. It sends one every two seconds. */
const patience = 30_000;

/** Calls `onSilence` when `beat` was not called for `silence` milliseconds. Time in which this process itself was suspended does not count. */
function watchPulse(silence: number, onSilence: () => void): { beat: () => void; end: () => void } {
  const period = 1_000;
  let lastBeat: number | undefined;
  let lastLook = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    if (lastBeat !== undefined) lastBeat += Math.max(0, now - lastLook - 2 * period);
    lastLook = now;
    if (lastBeat === undefined || now - lastBeat < silence) return;
    clearInterval(timer);
    onSilence();
  }, period);
  timer.unref();
  return {
    beat: () => {
      lastBeat = performance.now();
    },
    end: () => clearInterval(timer),
  };
}

export interface AppProcess {
  name: string;
  /** Sends SIGTERM and waits; after `graceMs` SIGKILL. */
  stop(graceMs?: number): Promise<void>;
  pid: number | undefined;
}

/** Appends lines to a file. On a full disk lines are lost, and the process goes on. */
function openLog(file: string): { write: (line: string) => void; end: () => void } {
  const descriptor = openSync(file, 'a');
  let isOpen = true;
  return {
    write: (line) => {
      if (!isOpen) return;
      try {
        writeSync(descriptor, line);
      } catch (error) {
        if (!['ENOSPC', 'EDQUOT'].includes(String((error as NodeJS.ErrnoException).code))) throw error;
      }
    },
    end: () => {
      isOpen = false;
      closeSync(descriptor);
    },
  };
}

/**
 * Runs one app and keeps it running. Its log lines (JSON) go to `logFolder`, other output to the terminal. An app that
 * ends before `isSettled()` is not restarted; later it is, with growing pauses. One that hangs is killed and restarted.
 */
export function keepRunning(options: {
  name: string;
  entry: string;
  env: NodeJS.ProcessEnv;
  logFolder: string;
  nodeArgs?: readonly string[];
  /** Called with each line of output that is no log line. */
  onLine?: (line: string) => void;
  isSettled: () => boolean;
  onFinalExit: (code: number | null) => void;
  /** Milliseconds without a pulse after which the app counts as hung. */
  silence?: number;
}): AppProcess {
  mkdirSync(options.logFolder, { recursive: true });
  const log = openLog(path.join(options.logFolder, `${options.name}.log`));
  let child: ChildProcess | undefined;
  let isStopping = false;
  let restarts = 0;
  const begin = () => {
    const startedAt = Date.now();
    const running = spawn(process.execPath, [...(options.nodeArgs ?? []), options.entry], {
      cwd: repositoryRoot,
      env: options.env,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    child = running;
    const say = (msg: string, data: object) =>
      log.write(`${JSON.stringify({ level: 50, time: Date.now(), app: options.name, msg, ...data })}\n`);
    const pulse = watchPulse(options.silence ?? patience, () => {
      say('hangs, killed', {});
      running.kill('SIGKILL');
    });
    running.on('message', pulse.beat);
    for (const [stream, terminal] of [
      [running.stdout, process.stdout],
      [running.stderr, process.stderr],
    ] as const) {
      if (!stream) continue;
      createInterface({ input: stream }).on('line', (line) => {
        if (line.startsWith('{')) log.write(`${line}\n`);
        else {
          terminal.write(`${line}\n`);
          options.onLine?.(line);
        }
      });
    }
    running.on('exit', (code, signal) => {
      pulse.end();
      if (isStopping) return;
      if (!options.isSettled()) return options.onFinalExit(code);
      restarts = Date.now() - startedAt > 60_000 ? 0 : restarts + 1;
      const waitMs = Math.min(250 * 2 ** restarts, 15_000);
      say('ended, starting again', { code, signal, waitMs });
      setTimeout(() => {
        if (!isStopping) begin();
      }, waitMs);
    });
  };
  begin();
  return {
    name: options.name,
    get pid() {
      return child?.pid;
    },
    stop: async (graceMs = 30_000) => {
      isStopping = true;
      if (child && child.exitCode === null && child.signalCode === null) {
        const running = child;
        const ended = new Promise((resolve) => running.once('close', resolve));
        running.kill('SIGTERM');
        const timer = setTimeout(() => running.kill('SIGKILL'), graceMs);
        await ended;
        clearTimeout(timer);
      }
      log.end();
    },
  };
}
