/** What the commands on plain files share: reading arguments, standard input, work directories, errors and exit codes. */
import { createWriteStream } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type FileFault, FileFaultError } from '@pdf2press/contract';

/** What every command on files may end with. */
export const exitCodes = { done: 0, resultIsError: 1, usage: 2, unreadable: 3, limit: 4 } as const;

/** Wrong arguments: one line on standard error, exit code 2. */
export class UsageError extends Error {}

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

/**
 * Runs a command on files; errors become one line on standard error with their code.
 * @param work gets a directory of its own, which is removed afterwards, and returns the exit code.
 * @param parent where that directory is made: beside the output, so that large results are moved instead of copied.
 */
export async function withWorkDir(
  work: (workDir: string) => Promise<number>,
  parent: string = os.tmpdir(),
): Promise<number> {
  const workDir = await mkdtemp(path.join(parent, '.pdf2press-'));
  try {
    return await work(workDir);
  } catch (error) {
    if (error instanceof UsageError) {
      console.error(error.message);
      return exitCodes.usage;
    }
    if (isSystemError(error)) {
      // A name that cannot be written to, a full disk: what the system says, without its stack.
      console.error(`${error.code} ${error.path ?? ''}`.trim());
      return exitCodes.usage;
    }
    if (!(error instanceof FileFaultError)) throw error;
    const params = Object.entries(error.params).map(([name, value]) => ` ${name}=${value}`);
    console.error(`${error.code}${params.join('')}`);
    return exitCodeOf(error.code);
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && 'code' in error;

/** The file an argument names, absolute; `-` is standard input, kept in the work directory. */
export async function inputFile(argument: string, workDir: string): Promise<string> {
  if (argument !== '-') return path.resolve(argument);
  const file = path.join(workDir, 'stdin.pdf');
  await pipeline(process.stdin, createWriteStream(file));
  return file;
}

/** Names with `*` or `?` in their last part, for shells that do not expand them; anything else is a file. */
export async function expandGlob(argument: string): Promise<string[]> {
  if (!/[*?]/.test(argument)) return [argument];
  const directory = path.dirname(argument);
  const pattern = path
    .basename(argument)
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*/g, '.*')
    .replace(/\?/g, '.');
  const isMatch = new RegExp(`^${pattern}$`, 'u');
  const names = await readdir(directory).catch(() => []);
  return names
    .filter((name) => isMatch.test(name))
    .sort()
    .map((name) => path.join(directory, name));
}

/** A number above zero. @throws UsageError */
export function positiveNumber(value: string | undefined, option: string, fallback: number): number {
  if (value === undefined) return fallback;
  const number = Number(value);
  if (!Number.isFinite(number) || number <= 0) throw new UsageError(`--${option}: ${value}`);
  return number;
}

/** A page number from 1. @throws UsageError */
export function pageNumber(value: string | undefined): number {
  const number = positiveNumber(value, 'page', 1);
  if (!Number.isInteger(number)) throw new UsageError(`--page: ${value}`);
  return number;
}

/** One of a few words. @throws UsageError */
export function oneOf<T extends string>(value: string | undefined, option: string, words: readonly T[]): T | undefined {
  const word = words.find((known) => known === value);
  if (value !== undefined && word === undefined) throw new UsageError(`--${option}: ${value} (${words.join(', ')})`);
  return word;
}

/** Arguments that `parseArgs` refuses are wrong usage. @throws UsageError */
export function parsed<T>(usage: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message.split('\n')[0] : error}\n${usage}`, {
      cause: error,
    });
  }
}

/** A rename, or where the target lies on another disk a copy under a passing name and then a rename. */
export async function move(from: string, to: string): Promise<void> {
  await mkdir(path.dirname(to), { recursive: true });
  try {
    await rename(from, to);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error;
    const passing = `${to}.${process.pid}.part`;
    await copyFile(from, passing);
    await rename(passing, to);
  }
}
