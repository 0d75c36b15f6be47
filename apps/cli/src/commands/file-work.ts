/** What the commands on plain files share: work directories, interruption, errors and exit codes. */
import { createReadStream, createWriteStream, rmSync } from 'node:fs';
import { copyFile, lstat, mkdir, rename, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type ErrorParams, type FileFault, FileFaultError } from '@pdf2press/contract/faults';
import type { Locale } from '@pdf2press/contract/locales';
import { clearLeftOvers, makeWorkDir } from './left-over.ts';

/** What every command on files may end with. */
export const exitCodes = { done: 0, resultIsError: 1, usage: 2, unreadable: 3, limit: 4 } as const;

/** Wrong arguments: one line on standard error with the code USAGE, exit code 2. */
export class UsageError extends Error {}

/** `--help`: the command's usage on standard output, exit code 0. */
export class HelpAsked extends Error {}

const exceptions: Partial<Record<FileFault, number>> = {
  SETTINGS_INVALID: exitCodes.usage,
  PDF_TIMEOUT: exitCodes.limit,
  PDF_MEMORY: exitCodes.limit,
  PDF_TOO_LARGE: exitCodes.limit,
};

/** 3 for a file that cannot be read, 4 for a limit that was hit, 2 for wrong settings. */
export function exitCodeOf(code: FileFault): number {
  return exceptions[code] ?? (code.startsWith('PDF_LIMIT_') ? exitCodes.limit : exitCodes.unreadable);
}

const workDirs = new Set<string>();
let interruption: AbortController | null = null;

/**
 * Ctrl-C, or a service manager that stops us: the children are killed, what was begun is taken away, and the signal takes
 * its course. All of it at once, since nothing here may be waited for: the open of a FIFO that nobody writes never ends.
 */
function listenForInterruption(): AbortSignal {
  if (interruption) return interruption.signal;
  const controller = new AbortController();
  interruption = controller;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      controller.abort();
      for (const workDir of workDirs) rmSync(workDir, { recursive: true, force: true, maxRetries: 5 });
      process.kill(process.pid, signal);
    });
  }
  return controller.signal;
}

interface WorkOptions {
  /** Where the work directory is made: beside the output, so that large results are moved instead of copied. */
  parent?: string;
  /** The file at work, for a command on several. */
  file?: string;
  /** Errors end with a sentence in this language. */
  locale?: Locale | undefined;
}

/**
 * Runs a command on files in a directory of its own, which is removed afterwards, also when the work is interrupted.
 * @param work is given the directory and a signal to pass on, and returns the exit code.
 */
export const withWorkDir = (
  work: (workDir: string, signal: AbortSignal) => Promise<number>,
  { parent = os.tmpdir(), file, locale }: WorkOptions = {},
): Promise<number> =>
  reportingErrors(
    async () => {
      const signal = listenForInterruption();
      await makeDirectory(parent);
      const workDir = await makeWorkDir(parent);
      workDirs.add(workDir);
      const cleared = clearLeftOvers(parent);
      try {
        return await work(workDir, signal);
      } finally {
        await Promise.all([cleared, rm(workDir, { recursive: true, force: true })]);
        workDirs.delete(workDir);
      }
    },
    { file, locale },
  );

/** Turns what a command throws into one line on standard error, with its code first, and into an exit code. */
export async function reportingErrors(
  work: () => Promise<number>,
  { file, locale }: Pick<WorkOptions, 'locale'> & { file?: string | undefined } = {},
): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof HelpAsked) {
      console.log(error.message);
      return exitCodes.done;
    }
    const { line, code } = told(error);
    const named = file === undefined ? line : `${line} file=${JSON.stringify(file)}`;
    console.error(oneLine(named + (locale && error instanceof FileFaultError ? await saidIn(locale, error) : '')));
    return code;
  }
}

function told(error: unknown): { line: string; code: number } {
  if (error instanceof UsageError) {
    return { line: `USAGE ${error.message.replace(/^usage: /, '')}`, code: exitCodes.usage };
  }
  if (error instanceof FileFaultError) {
    const params = Object.entries(error.params).map(([name, value]) => ` ${name}=${value}`);
    return { line: `${error.code}${params.join('')}`, code: exitCodeOf(error.code) };
  }
  // A name that cannot be written to, a full disk: what the system says, without its stack.
  if (isSystemError(error))
    return { line: `${error.code} ${error.dest ?? error.path ?? ''}`.trim(), code: exitCodes.usage };
  return { line: `INTERNAL ${error instanceof Error ? error.message : error}`, code: exitCodeOf('INTERNAL') };
}

/** What is wrong with the file, as the product says it. Loaded only when there is something to say. */
async function saidIn(locale: Locale, { code, params }: FileFaultError): Promise<string> {
  const { contractMessages, sentence } = await import('@pdf2press/contract');
  return `: ${sentence(contractMessages, locale, code, params)}`;
}

/** What a list of answers in JSON says of a file that could not be read. */
export interface Failure {
  path: string;
  error: { code: FileFault; params: ErrorParams };
}

export const failureOf = (file: string, { code, params }: FileFaultError): Failure => ({
  path: file,
  error: { code, params },
});

/** File names may hold line breaks; what is told of them is one line all the same. */
export const oneLine = (text: string): string => text.replace(/\s*[\r\n]+\s*/g, ' ');

const isSystemError = (error: unknown): error is NodeJS.ErrnoException & { dest?: string } =>
  error instanceof Error && 'syscall' in error && 'code' in error;

/** A directory with those above it. Node's own way never ends where the system takes nothing new, as below /proc. */
export async function makeDirectory(directory: string): Promise<void> {
  try {
    await mkdir(directory);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (error.code === 'EEXIST') return;
    if (error.code !== 'ENOENT' || path.dirname(directory) === directory) throw error;
    await makeDirectory(path.dirname(directory));
    await mkdir(directory);
  }
}

/** Whether a name is free or a plain file's: a device, a pipe or a link is written through, never replaced. */
const isReplaceable = async (target: string): Promise<boolean> =>
  lstat(target).then(
    (facts) => facts.isFile(),
    () => true,
  );

/** Where a command works whose main product goes there: beside it, so that large files are renamed and not copied. */
export const workParent = async (target: string): Promise<string> =>
  (await isReplaceable(target)) ? path.dirname(path.resolve(target)) : os.tmpdir();

/** A rename, or where the target lies on another disk a copy under a passing name and then a rename. */
export async function move(from: string, to: string): Promise<void> {
  await makeDirectory(path.dirname(to));
  if (!(await isReplaceable(to))) {
    await pipeline(createReadStream(from), createWriteStream(to));
    await rm(from);
    return;
  }
  try {
    await rename(from, to);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error;
    const passing = `${to}.${process.pid}.part`;
    try {
      await copyFile(from, passing);
      await rename(passing, to);
    } catch (copyError) {
      await rm(passing, { force: true });
      throw copyError instanceof Error ? Object.assign(copyError, { dest: to }) : copyError;
    }
  }
}
