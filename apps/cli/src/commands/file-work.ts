/** What the commands on plain files share: work directories, interruption, errors and exit codes. */
import { createReadStream, createWriteStream, rmSync } from 'node:fs';
import { copyFile, lstat, mkdir, rename, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type ErrorParams, type FileFault, FileFaultError } from '@pdf2press/contract/faults';
import { type Locale, nearestLocale } from '@pdf2press/contract/locales';
import { clearLeftOvers, makeWorkDir } from './left-over.ts';

/** Exit codes of the commands on files. */
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
 * On SIGINT, SIGTERM and the like: kills the children, removes what was begun, and ends by the same signal. All of it
 * synchronously, because waiting could take for ever: opening a FIFO that nobody writes never ends.
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
  /** Errors end with a sentence in this language; without one, only for a person at a terminal, in the language of the system. */
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

/** The language of the terminal, as `LANG` names it: de_DE.UTF-8. */
export const systemLocale = (): Locale => nearestLocale(process.env.LANG?.replace('_', '-'));

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
    const reader = locale ?? (process.stderr.isTTY ? systemLocale() : undefined);
    console.error(oneLine(named + (reader && error instanceof FileFaultError ? await saidIn(reader, error) : '')));
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
  // For example a name that cannot be written to, or a full disk: the system's message without a stack.
  if (isSystemError(error))
    return { line: `${error.code} ${error.dest ?? error.path ?? ''}`.trim(), code: exitCodes.usage };
  return { line: `INTERNAL ${error instanceof Error ? error.message : error}`, code: exitCodeOf('INTERNAL') };
}

/** The product's sentence for what is wrong with the file. The messages are loaded only when needed. */
async function saidIn(locale: Locale, { code, params }: FileFaultError): Promise<string> {
  const { contractMessages, sentence } = await import('@pdf2press/contract');
  return `: ${sentence(contractMessages, locale, code, params)}`;
}

/** The entry for a file that could not be read, in a list of answers in JSON. */
export interface Failure {
  path: string;
  error: { code: FileFault; params: ErrorParams };
}

export const failureOf = (file: string, { code, params }: FileFaultError): Failure => ({
  path: file,
  error: { code, params },
});

/** One line, also where a file name holds line breaks. */
export const oneLine = (text: string): string => text.replace(/\s*[\r\n]+\s*/g, ' ');

const isSystemError = (error: unknown): error is NodeJS.ErrnoException & { dest?: string } =>
  error instanceof Error && 'syscall' in error && 'code' in error;

/** Makes a directory and those above it. Node's `recursive` never returns below /proc, where nothing can be made. */
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

/** Whether a name is free or a plain file: devices, pipes and links are written to and never replaced. */
const isReplaceable = async (target: string): Promise<boolean> =>
  lstat(target).then(
    (facts) => facts.isFile(),
    () => true,
  );

/** The work directory of a command: beside its main product, so that large files are renamed and not copied. */
export const workParent = async (target: string): Promise<string> =>
  (await isReplaceable(target)) ? path.dirname(path.resolve(target)) : os.tmpdir();

/** Renames a file; where the target is on another disk, copies it under a temporary name and renames that. */
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
