import { type ChildProcess, spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import os from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { type ErrorParams, type FileFault, FileFaultError, isFileFault } from '@pdf2press/contract/faults';
import { watchMemory } from './child-memory.ts';
import { childFlags, childSettings } from './child-settings.ts';
import { codeRange } from './code-range.ts';
import { hopefulIsolationOf, type Isolation, isHere, isProven, prove } from './isolation.ts';
import type { IsolationLevel } from './levels.ts';
import { defaultLimits, type Limits } from './limits.ts';

export interface LimitedWork {
  /** Path of the JavaScript file that the child executes; it calls `serveLimited`. */
  entry: string;
  /** Sent as JSON to the standard input of the child. */
  request: unknown;
  limits?: Partial<Limits>;
  /** What the work is, in the figures of memory. */
  name?: string;
  /** Working directory of the child. It must exist; the caller removes it. */
  workDir: string;
  /** Files outside of the working directory that the child reads; where the system allows, it can read no other. */
  reads?: readonly string[];
  /** Existing folders besides the working directory that the child writes to. */
  writes?: readonly string[];
  /** Isolates the child no better than so, to test what each level keeps out. */
  isolation?: IsolationLevel;
  /** Run with normal priority instead of a lower one, because somebody is waiting for this result only. */
  isUrgent?: boolean;
  /** Aborting kills the child; the promise rejects with the reason of the signal. */
  signal?: AbortSignal;
  onProgress?: (progress: unknown) => void;
}

/** A child that goes on telling of progress ends after so many times its limit without progress. */
const longestWalls = 24;

/** A child that has not begun its work after so long, behind a fence that was not tried yet, may be held by the fence. */
const beginMs = 10_000;

/** Length of the error output that is kept, in characters. */
const maxStderr = 4096;

/**
 * Runs one request in a child process group with limits on time, processor, memory, files and output, with a minimal
 * environment, and without network where the system supports that.
 * @returns the result of the child (JSON); what it told to keep where it failed, or exceeded a limit, after that
 * @throws FileFaultError what the child reported, or PDF_TIMEOUT {seconds}, PDF_MEMORY {limitBytes}, PDF_CRASH
 *   {signal}, PDF_LIMIT_OUTPUT {limitBytes}; the abort reason when aborted
 */
export async function runLimited(work: LimitedWork): Promise<unknown> {
  for (;;) {
    const isolation = hopefulIsolationOf(work.isolation);
    try {
      // A child that begins its work proves the fence: trying it first would take as long as a small task.
      return await runBehind(isolation, work);
    } catch (error) {
      if (!(error instanceof NotBegun)) throw error;
      // Whatever the reason was: a fence is given up only if a trial says so. Else the work is done again behind it.
      isHere(isolation);
    }
  }
}

/** A child behind a fence that was not tried yet ended, or was ended, before it began its work. */
class NotBegun extends Error {}

function runBehind(isolation: Isolation, work: LimitedWork): Promise<unknown> {
  const limits = { ...defaultLimits, ...work.limits };
  work.signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const child = startChild(isolation, work, limits);
    const memory = watchMemory(child.pid, work.name ?? 'other', limits.memoryBytes);
    let reason: Error | null = null;
    const stop = (why: Error): void => {
      reason ??= why;
      killGroup(child);
    };
    const onAbort = (): void => stop(toError(work.signal?.reason));
    work.signal?.addEventListener('abort', onAbort, { once: true });
    const endAfter = (ms: number) => setTimeout(() => stop(fault('PDF_TIMEOUT', { seconds: ms / 1000 })), ms);
    const wall = endAfter(limits.wallMs);
    const longest = endAfter(limits.wallMs * longestWalls);
    const beginning = isProven(isolation) ? undefined : setTimeout(() => stop(new NotBegun()), beginMs);
    const begun = (): void => {
      clearTimeout(beginning);
      prove(isolation);
    };
    const watch = setInterval(() => {
      memory.look();
      directoryBytes(work.workDir).then(
        (bytes) => {
          if (bytes > limits.workDirBytes) stop(fault('PDF_LIMIT_OUTPUT', { limitBytes: limits.workDirBytes }));
        },
        // The directory was unreadable for a moment. It is checked again after a second, and RLIMIT_FSIZE applies
        // meanwhile.
        () => undefined,
      );
    }, 1000);
    const answer = collectAnswer(child, limits, stop, begun, (progress) => {
      wall.refresh();
      work.onProgress?.(progress);
    });
    const stderr = collectStderr(child);

    child.on('error', (error) => stop(fault('PDF_CRASH', { signal: 'spawn' }, error)));
    child.on('close', (code, signal) => {
      clearTimeout(wall);
      clearTimeout(longest);
      clearTimeout(beginning);
      clearInterval(watch);
      memory.end();
      work.signal?.removeEventListener('abort', onAbort);
      // The child has ended; kill the processes it started.
      killGroup(child);
      const last = answer();
      memory.note(last?.peakBytes ?? 0);
      if (last?.isKept && !work.signal?.aborted) {
        resolve(last.result);
        return;
      }
      if (reason) {
        reject(reason);
        return;
      }
      if (!isProven(isolation)) {
        reject(new NotBegun());
        return;
      }
      if (last?.error) {
        reject(last.error);
        return;
      }
      if (last && code === 0) {
        resolve(last.result);
        return;
      }
      reject(faultOfDeath(code, signal, stderr(), limits));
    });
  });
}

/** Arguments of prlimit. */
const limitsOf = (limits: Limits): string[] => [
  `--data=${limits.memoryBytes + codeRange()}`,
  // The hard limit is higher than the soft one, so that SIGXCPU can be distinguished from SIGKILL.
  `--cpu=${limits.cpuSeconds}:${limits.cpuSeconds + 5}`,
  `--fsize=${limits.fileBytes}`,
  `--nofile=${limits.openFiles}`,
  '--core=0',
];

function startChild({ fence, canDieWithParent }: Isolation, work: LimitedWork, limits: Limits): ChildProcess {
  const entry = realpathSync(work.entry);
  const command = fence(
    {
      workDir: work.workDir,
      reads: [entry, ...(work.reads ?? [])],
      writes: work.writes ?? [],
      canDieWithParent,
      limits: limitsOf(limits),
    },
    [process.execPath, ...childFlags(limits), entry],
  );
  const [file = process.execPath, ...args] = command;
  const child = spawn(file, args, {
    cwd: work.workDir,
    env: {
      PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
      LANG: 'C.UTF-8',
      HOME: work.workDir,
      TMPDIR: work.workDir,
      ...childSettings.environment,
    },
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
  });
  if (child.pid !== undefined && !work.isUrgent) {
    try {
      os.setPriority(child.pid, Math.min(os.getPriority() + 10, os.constants.priority.PRIORITY_LOW));
    } catch {
      // The child has ended, or the priority cannot be changed. The priority is not a limit.
    }
  }
  // A child that ends before reading its input is reported by its exit code.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(JSON.stringify(work.request));
  return child;
}

interface Answer {
  /** The most memory that the child held, as it tells itself: one that ends within a second is not looked at. */
  peakBytes: number;
  result?: unknown;
  /** Whether the result was told before the child had done all, and nothing better after it. */
  isKept?: boolean;
  error?: FileFaultError;
}

/**
 * Reads the lines that the child writes to file descriptor 3: `{begun}`, any number of `{progress}`, maybe one `{kept}`, then
 * one `{result}` or `{error}`. What is kept is the answer unless a result follows.
 */
function collectAnswer(
  child: ChildProcess,
  limits: Limits,
  stop: (why: Error) => void,
  onBegun: () => void,
  onProgress: (progress: unknown) => void,
): () => Answer | null {
  let answer: Answer | null = null;
  let pending: Buffer[] = [];
  let bytes = 0;
  const takeLine = (line: string): void => {
    if (line === '') return;
    let message: {
      begun?: unknown;
      peakBytes?: unknown;
      progress?: unknown;
      kept?: unknown;
      result?: unknown;
      error?: { code?: unknown; params?: unknown };
    };
    try {
      message = JSON.parse(line);
    } catch (error) {
      stop(fault('PDF_CRASH', { signal: 'protocol' }, error));
      return;
    }
    if ('begun' in message) {
      onBegun();
      return;
    }
    if ('progress' in message) {
      onProgress(message.progress);
      return;
    }
    const peakBytes = typeof message.peakBytes === 'number' ? message.peakBytes : 0;
    if ('kept' in message) {
      answer = { peakBytes, result: message.kept, isKept: true };
      return;
    }
    if (message.error && answer?.isKept) {
      answer.peakBytes = peakBytes;
      return;
    }
    if (message.error) {
      const { code } = message.error;
      const params = (message.error.params ?? {}) as ErrorParams;
      answer = { peakBytes, error: isFileFault(code) ? fault(code, params) : fault('INTERNAL', { ...params }) };
    } else answer = { peakBytes, result: message.result };
  };
  const stream = child.stdio[3] as Readable | null | undefined;
  stream?.on('data', (chunk: Buffer) => {
    let rest = chunk;
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      pending.push(rest.subarray(0, end));
      takeLine(Buffer.concat(pending).toString('utf8'));
      pending = [];
      bytes = 0;
      rest = rest.subarray(end + 1);
    }
    pending.push(rest);
    bytes += rest.length;
    if (bytes > limits.resultBytes) {
      pending = [];
      stop(fault('PDF_LIMIT_OUTPUT', { limitBytes: limits.resultBytes }));
    }
  });
  stream?.on('error', () => undefined);
  return () => answer;
}

function collectStderr(child: ChildProcess): () => string {
  let text = '';
  child.stderr?.setEncoding('utf8');
  child.stderr?.on('data', (chunk: string) => {
    text = (text + chunk).slice(-maxStderr);
  });
  return () => text;
}

const memorySigns =
  /out of memory|allocation failed|failed to allocate memory|bad_alloc|Cannot allocate memory|memory access out of bounds/i;

/** The signal that ended a program, as a shell between it and this process tells it by its exit code. */
function signalOf(code: number | null): string | undefined {
  if (code === null || code <= 128) return undefined;
  return Object.entries(os.constants.signals).find(([, number]) => number === code - 128)?.[0] ?? `SIG${code - 128}`;
}

function faultOfDeath(
  code: number | null,
  signal: NodeJS.Signals | null,
  stderr: string,
  limits: Limits,
): FileFaultError {
  const ending = signal ?? signalOf(code);
  if (ending === 'SIGXCPU') return fault('PDF_TIMEOUT', { seconds: limits.cpuSeconds });
  if (memorySigns.test(stderr)) return fault('PDF_MEMORY', { limitBytes: limits.memoryBytes });
  return fault('PDF_CRASH', { signal: ending ?? `exit ${code}` }, new Error(stderr.trim()));
}

function fault(code: FileFault, params: ErrorParams, cause?: unknown): FileFaultError {
  return new FileFaultError(code, params, cause === undefined ? undefined : { cause });
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('aborted', { cause: reason });
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // ESRCH: the process group has already ended.
  }
}

async function directoryBytes(directory: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(directory, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => null))?.size ?? 0;
  }
  return bytes;
}
