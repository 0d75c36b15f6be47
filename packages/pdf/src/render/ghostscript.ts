/**
 * Runs Ghostscript in a process of its own: the native program (version 10 or later) if there is one, else the
 * WebAssembly build that comes with the product. Both take the same arguments and produce the same plates, but for what
 * `separate.ts` tells of older native programs.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { FileFaultError } from '@pdf2press/contract/faults';

/** `auto` uses the native program if there is one. */
export type GhostscriptChoice = 'auto' | 'native' | 'embedded';
export type GhostscriptKind = Exclude<GhostscriptChoice, 'auto'>;

export interface GhostscriptRun {
  /** Arguments after the general ones; input files as absolute paths. */
  args: readonly string[];
  /** Input files, which the embedded build must copy in; their paths occur in `args`. */
  inputs: readonly string[];
  /** Directory for the output files; `args` name these relative to it. */
  outDir: string;
  /**
   * Processor seconds that the run may use. Wall-clock time would end a run because other programs are busy. Not limited
   * on Windows, which has no `ulimit`; there the limits of the process that asked apply alone.
   */
  cpuSeconds: number;
  signal?: AbortSignal | undefined;
}

export interface GhostscriptResult {
  /** Exit code. A run that crashed or was killed throws instead. */
  code: number;
  /** True when Ghostscript reported that part of a page could not be drawn or had to be repaired. */
  hasErrors: boolean;
  /** True when there were more spot inks than plates, so that some were converted to process inks. */
  hasTooManySpots: boolean;
}

const oldestNative = 10;
/** The version of the embedded build, major and minor. */
const embedded = { major: 10, minor: 6 };
let native: { major: number; minor: number } | null | undefined;

/** The version of the native program; null when there is none of version 10 or later. Searched once per process. */
function nativeVersion(): { major: number; minor: number } | null {
  if (native === undefined) {
    const found = spawnSync('gs', ['--version'], { encoding: 'utf8', timeout: 10_000 });
    const [major = 0, minor = 0] = found.status === 0 ? found.stdout.trim().split('.').map(Number) : [];
    native = major >= oldestNative ? { major, minor } : null;
  }
  return native;
}

/** Name of the native program; null when there is none of version 10 or later. */
export const nativeGhostscript = (): string | null => (nativeVersion() === null ? null : 'gs');

/** Whether the native program is older than the embedded build, so that it may draw wrong what that one draws right. */
export function isNativeOlder(): boolean {
  const version = nativeVersion();
  if (version === null) return false;
  return version.major < embedded.major || (version.major === embedded.major && version.minor < embedded.minor);
}

/**
 * Resolves a choice to the build that will be used.
 * @throws FileFaultError PDF_UNSUPPORTED {what: 'ghostscript'} when `native` is required but missing
 */
export function ghostscriptKind(choice: GhostscriptChoice = 'auto'): GhostscriptKind {
  if (choice === 'embedded') return 'embedded';
  if (nativeGhostscript() !== null) return 'native';
  if (choice === 'native') throw new FileFaultError('PDF_UNSUPPORTED', { what: 'ghostscript' });
  return 'embedded';
}

/** Arguments of every run: no prompts, access to the named files only, exit at the end. */
const safeArgs = ['-dSAFER', '-dBATCH', '-dNOPAUSE', '-dNOPROMPT'];

/** @throws FileFaultError PDF_TIMEOUT {seconds}, PDF_CRASH {signal}, PDF_MEMORY; the abort reason when aborted */
export function runGhostscript(kind: GhostscriptKind, run: GhostscriptRun): Promise<GhostscriptResult> {
  run.signal?.throwIfAborted();
  return kind === 'native' ? runNative(run) : runEmbedded(run);
}

/** The command with its limit of processor seconds: the soft limit, because its signal (SIGXCPU) tells why it ended. */
function limited(cpuSeconds: number, command: readonly string[]): [string, string[]] {
  const [program = '', ...args] = command;
  if (process.platform === 'win32') return [program, args];
  return ['/bin/sh', ['-c', `ulimit -S -t ${Math.ceil(cpuSeconds)} && exec "$@"`, 'sh', program, ...args]];
}

function runNative(run: GhostscriptRun): Promise<GhostscriptResult> {
  const child = spawn(...limited(run.cpuSeconds, [nativeGhostscript() ?? 'gs', ...safeArgs, ...run.args]), {
    cwd: run.outDir,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Minimal environment; temporary files go into the directory of the run.
    env: {
      PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
      TEMP: run.outDir,
      TMPDIR: run.outDir,
      LANG: 'C.UTF-8',
    },
  });
  return settled(child, run, wordsOf(child));
}

/** Exit code of the child process when Ghostscript crashed in it. */
export const crashedCode = 70;

/** Messages about exhausted memory, in the wording of both builds. */
const memorySigns =
  /out of memory|VMerror|Cannot enlarge memory|allocation failed|failed to allocate memory|Aborted\(OOM|memory access out of bounds|insufficient memory/i;

/** The request to the child process of the embedded build. */
export interface EmbeddedRequest {
  args: readonly string[];
  inputs: readonly string[];
  outDir: string;
}

function runEmbedded(run: GhostscriptRun): Promise<GhostscriptResult> {
  const entry = createRequire(import.meta.url).resolve('@pdf2press/pdf/ghostscript-child');
  const child = spawn(...limited(run.cpuSeconds, [process.execPath, entry]), {
    cwd: run.outDir,
    env: { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const request: EmbeddedRequest = { args: [...safeArgs, ...run.args], inputs: run.inputs, outDir: run.outDir };
  // If the child dies before it can receive the request, its exit reports that.
  child.send(request, () => undefined);
  return settled(child, run, wordsOf(child));
}

interface Words {
  hasErrors: boolean;
  hasTooManySpots: boolean;
  last: string;
}

const keptWords = 4096;

/** Ghostscript messages about something that is missing in the picture. */
const drawingErrors =
  /\*\*\*\* Error|Unrecoverable|image error|error in image colour|request for unknown filter|error reading a stream/;

function wordsOf(child: ChildProcess): Words {
  const words: Words = { hasErrors: false, hasTooManySpots: false, last: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8');
    stream?.on('data', (chunk: string) => {
      words.last = (words.last + chunk).slice(-keptWords);
      words.hasErrors ||= drawingErrors.test(words.last);
      words.hasTooManySpots ||= words.last.includes('Max spot colorants');
    });
  }
  return words;
}

function settled(
  child: ChildProcess,
  { signal, cpuSeconds }: GhostscriptRun,
  words: Words,
): Promise<GhostscriptResult> {
  return new Promise((resolve, reject) => {
    const stop = (): void => void child.kill('SIGKILL');
    signal?.addEventListener('abort', stop, { once: true });
    const end = (settle: () => void): void => {
      signal?.removeEventListener('abort', stop);
      settle();
    };
    child.on('error', (error) =>
      end(() => reject(new FileFaultError('PDF_CRASH', { signal: 'spawn' }, { cause: error }))),
    );
    child.on('close', (code, killed) =>
      end(() => {
        if (signal?.aborted) reject(signal.reason);
        else if (killed === 'SIGXCPU') reject(new FileFaultError('PDF_TIMEOUT', { seconds: cpuSeconds }));
        else if (memorySigns.test(words.last)) {
          reject(new FileFaultError('PDF_MEMORY', { stage: 'plates' }, { cause: new Error(words.last) }));
        } else if (code === crashedCode) {
          reject(new FileFaultError('PDF_CRASH', { signal: 'engine' }, { cause: new Error(words.last) }));
        } else if (code === null) {
          reject(new FileFaultError('PDF_CRASH', { signal: killed ?? 'unknown' }, { cause: new Error(words.last) }));
        } else resolve({ code, hasErrors: words.hasErrors || code !== 0, hasTooManySpots: words.hasTooManySpots });
      }),
    );
  });
}
