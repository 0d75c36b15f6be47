/** The files that a command reads: named, piped, or found by a pattern. */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FileFaultError } from '@pdf2press/contract/faults';
import { UsageError } from './file-work.ts';

/** The largest file that MuPDF can open: reading more from a pipe would only fill the disk. */
const maxPipedBytes = 2 ** 31;

/**
 * The file an argument names, absolute. `-` is standard input; that, and whatever else can be read only once (a FIFO, a
 * device), is kept in the work directory.
 */
export async function inputFile(argument: string, workDir: string): Promise<string> {
  if (argument === '-') return piped(process.stdin, workDir);
  const file = path.resolve(argument);
  const facts = await stat(file).catch(() => null);
  const isReadOnce = facts !== null && !facts.isFile() && !facts.isDirectory();
  return isReadOnce ? piped(createReadStream(file), workDir) : file;
}

async function piped(source: Readable, workDir: string): Promise<string> {
  const file = path.join(await mkdtemp(path.join(workDir, 'in-')), 'stdin.pdf');
  let bytes = 0;
  const bounded = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > maxPipedBytes) throw new FileFaultError('PDF_TOO_LARGE', { limitBytes: maxPipedBytes });
      yield chunk;
    }
  };
  await pipeline(source, bounded, createWriteStream(file));
  return file;
}

/**
 * Products never overwrite what they are made from.
 * @throws UsageError naming the first output that is one of the inputs, by another path or link too.
 */
export async function refuseToOverwrite(
  inputs: readonly string[],
  outputs: readonly (string | undefined)[],
): Promise<void> {
  const identity = async (file: string) => {
    const facts = await stat(file).catch(() => null);
    return facts && `${facts.dev}:${facts.ino}`;
  };
  const originals = new Set(await Promise.all(inputs.map(identity)));
  for (const output of outputs) {
    if (output === undefined) continue;
    const found = await identity(output);
    if (found !== null && originals.has(found)) throw new UsageError(`${output} is the input`);
  }
}

/** The files that arguments name, for shells that do not expand patterns; what matches nothing is a name. */
export async function expandGlobs(args: readonly string[]): Promise<string[]> {
  return (await Promise.all(args.map(expandGlob))).flat();
}

async function expandGlob(argument: string): Promise<string[]> {
  if (argument === '-' || !/[*?[]/.test(argument) || (await stat(argument).catch(() => null))) return [argument];
  const root = path.isAbsolute(argument) ? path.parse(argument).root : '';
  let found = [root];
  const parts = argument.slice(root.length).split('/');
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    found = (await Promise.all(found.map((directory) => matching(directory, part, isLast)))).flat();
  }
  // Parts without a pattern have not been checked to exist.
  const isThere = await Promise.all(found.map((file) => stat(file).then(Boolean, () => false)));
  const files = found.filter((_, index) => isThere[index]);
  return files.length > 0 ? [...new Set(files)].sort() : [argument];
}

/** What a directory holds under one part of a pattern; `**` stands for any number of directories. */
async function matching(directory: string, part: string, isLast: boolean): Promise<string[]> {
  if (!/[*?[]/.test(part)) return [path.join(directory, part)];
  const entries = await readdir(directory || '.', { withFileTypes: true }).catch(() => []);
  if (part === '**') {
    const inner = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
    const below = await Promise.all(inner.map(({ name }) => matching(path.join(directory, name), part, isLast)));
    return [directory, ...below.flat()];
  }
  const isMatch = patternOf(part);
  return entries
    .filter(({ name }) => isMatch.test(name) && (part.startsWith('.') || !name.startsWith('.')))
    .filter((entry) => !isLast || !entry.isDirectory())
    .map(({ name }) => path.join(directory, name));
}

const patternOf = (part: string): RegExp =>
  new RegExp(
    `^${part
      .replace(/[.+^${}()|\\]/g, '\\$&')
      .replace(/\[!/g, '[^')
      .replace(/\*/g, '.*')
      .replace(/\?/g, '.')}$`,
    'su',
  );

/** A name for each file's products: its own without ending, numbered where two would have the same. */
export function distinctNames(files: readonly string[]): string[] {
  const taken = new Set<string>();
  return files.map((file) => {
    const base = file === '-' ? 'stdin' : path.basename(file, path.extname(file));
    let name = base;
    for (let count = 2; taken.has(name); count += 1) name = `${base}-${count}`;
    taken.add(name);
    return name;
  });
}
