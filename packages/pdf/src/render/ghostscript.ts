/**
 * Runs Ghostscript in a process of its own: the native program (10 or later) where there is one, else the WebAssembly
 * build that comes with the product. Both take the same arguments and give the same plates.
 */
import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { FileFaultError } from '@pdf2press/contract/faults';

/** `auto`: native where found. */
export type GhostscriptChoice = 'auto' | 'native' | 'embedded';
export type GhostscriptKind = Exclude<GhostscriptChoice, 'auto'>;

export interface GhostscriptRun {
  /** Arguments after the device-independent ones; file arguments as absolute paths. */
  args: readonly string[];
  /** Files that the embedded build must be given: their paths occur in `args`. */
  inputs: readonly string[];
  /** Directory the outputs are written into; `args` name them relative to it. */
  outDir: string;
  signal?: AbortSignal | undefined;
}

export interface GhostscriptResult {
  /** Exit code; a run that was killed or crashed has none and is thrown instead. */
  code: number;
  /** Ghostscript had to leave something out of a page, or to repair. */
  hasErrors: boolean;
  /** More spot colours than plates: the rest was turned into process colour. */
  hasTooManySpots: boolean;
}

const oldestNative = 10;
let native: string | null | undefined;

/** The native program's name, or null when there is none that is new enough. Looked for once per process. */
export function nativeGhostscript(): string | null {
  if (native === undefined) {
    const found = spawnSync('gs', ['--version'], { encoding: 'utf8', timeout: 10_000 });
    native = found.status === 0 && Number.parseInt(found.stdout, 10) >= oldestNative ? 'gs' : null;
  }
  return native;
}

/** @throws FileFaultError PDF_UNSUPPORTED {what: 'ghostscript'} when `native` is asked for and absent. */
export function ghostscriptKind(choice: GhostscriptChoice = 'auto'): GhostscriptKind {
  if (choice === 'embedded') return 'embedded';
  if (nativeGhostscript() !== null) return 'native';
  if (choice === 'native') throw new FileFaultError('PDF_UNSUPPORTED', { what: 'ghostscript' });
  return 'embedded';
}

/** For every run: nothing is asked, nothing but the named files is touched, the process ends at the end. */
const safeArgs = ['-dSAFER', '-dBATCH', '-dNOPAUSE', '-dNOPROMPT'];

/** @throws FileFaultError PDF_CRASH {signal}, PDF_MEMORY; the signal's reason when aborted. */
export function runGhostscript(kind: GhostscriptKind, run: GhostscriptRun): Promise<GhostscriptResult> {
  run.signal?.throwIfAborted();
  return kind === 'native' ? runNative(run) : runEmbedded(run);
}

function runNative(run: GhostscriptRun): Promise<GhostscriptResult> {
  const child = spawn(nativeGhostscript() ?? 'gs', [...safeArgs, ...run.args], {
    cwd: run.outDir,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Temporary files belong to the run; nothing else of the environment is Ghostscript's business.
    env: {
      PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
      TEMP: run.outDir,
      TMPDIR: run.outDir,
      LANG: 'C.UTF-8',
    },
  });
  return settled(child, run.signal, wordsOf(child));
}

/** What the embedded build's process ends with when the engine died inside it. */
export const crashedCode = 70;

/** How both builds say that memory ran out; the embedded one dies of it in several ways. */
const memorySigns =
  /out of memory|VMerror|Cannot enlarge memory|allocation failed|Aborted\(OOM|memory access out of bounds|insufficient memory/i;

/** What the disposable process of the embedded build is told. */
export interface EmbeddedRequest {
  args: readonly string[];
  inputs: readonly string[];
  outDir: string;
}

function runEmbedded(run: GhostscriptRun): Promise<GhostscriptResult> {
  const entry = createRequire(import.meta.url).resolve('@pdf2press/pdf/ghostscript-child');
  const child = fork(entry, [], {
    cwd: run.outDir,
    execArgv: [],
    env: { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const request: EmbeddedRequest = { args: [...safeArgs, ...run.args], inputs: run.inputs, outDir: run.outDir };
  // A child that died before it could listen is reported by its exit.
  child.send(request, () => undefined);
  return settled(child, run.signal, wordsOf(child));
}

interface Words {
  hasErrors: boolean;
  hasTooManySpots: boolean;
  last: string;
}

const keptWords = 4096;

/** Of all that Ghostscript says of a file, what leaves something out of the picture. */
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

function settled(child: ChildProcess, signal: AbortSignal | undefined, words: Words): Promise<GhostscriptResult> {
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
