import path from 'node:path';
import { parseArgs } from 'node:util';
import { runTask, type SplitWay } from '@pdf2press/tasks';
import { parsed, positiveNumber } from './arguments.ts';
import { exitCodes, move, reportingErrors, UsageError, withWorkDir, workParent } from './file-work.ts';
import { inputFile, refuseToOverwrite } from './input-files.ts';

const usage =
  'usage: pdf2press split FILE|- (--every N | --ranges 1-4,5,6- | --at-empty-pages | --at-bookmarks) --out OUT.pdf [--password P]';

const options = {
  every: { type: 'string' },
  ranges: { type: 'string' },
  'at-empty-pages': { type: 'boolean' },
  'at-bookmarks': { type: 'boolean' },
  out: { type: 'string' },
  password: { type: 'string' },
} as const;

/**
 * `pdf2press split`: one PDF as several, which are numbered: OUT-1.pdf, OUT-2.pdf … Each has the layers, output intents and
 * metadata of the whole; every page is compared with the one it was made from.
 */
export const run = (args: string[]): Promise<number> =>
  reportingErrors(async () => {
    const { values, positionals } = parsed(usage, () => parseArgs({ args, allowPositionals: true, options }));
    const [file] = positionals;
    const { out, password } = values;
    if (file === undefined || positionals.length > 1 || out === undefined) throw new UsageError(usage);
    const way = wayOf(values);
    const work = async (workDir: string, signal: AbortSignal): Promise<number> => {
      const input = { path: await inputFile(file, workDir), ...(password !== undefined && { password }) };
      const { parts } = await runTask('split', { ...input, ...way }, { workDir, signal, isUrgent: true });
      const { dir, name, ext } = path.parse(path.resolve(out));
      const made = parts.map((part, at) => ({ ...part, file: path.join(dir, `${name}-${at + 1}${ext || '.pdf'}`) }));
      await refuseToOverwrite(
        [file],
        made.map((part) => part.file),
      );
      for (const part of made) await move(path.join(workDir, part.path), part.file);
      console.log(JSON.stringify({ parts: made.map(({ file: target, pages }) => ({ out: target, pages })) }));
      return exitCodes.done;
    };
    return withWorkDir(work, { parent: await workParent(out) });
  });

/** @throws UsageError unless exactly one way is given */
function wayOf(values: { [K in keyof typeof options]?: string | boolean | undefined }): SplitWay {
  const { every, ranges } = values;
  const ways: SplitWay[] = [
    ...(typeof every === 'string' ? [{ pagesPerPart: wholeNumber(every) }] : []),
    ...(typeof ranges === 'string' ? [{ ranges: ranges.split(',').map(rangeOf) }] : []),
    ...(values['at-empty-pages'] === true ? [{ at: 'emptyPages' } as const] : []),
    ...(values['at-bookmarks'] === true ? [{ at: 'bookmarks' } as const] : []),
  ];
  const [way, ...others] = ways;
  if (!way || others.length > 0) throw new UsageError(usage);
  return way;
}

function wholeNumber(text: string): number {
  const number = positiveNumber(text, 'every', 1);
  if (!Number.isInteger(number)) throw new UsageError(`--every: ${text}`);
  return number;
}

/** `7`, `2-5` or `6-`, which goes to the last page. @throws UsageError */
function rangeOf(text: string): [number, number] {
  const [, first, dash, last] = /^\s*([1-9]\d*)(?:(-)([1-9]\d*)?)?\s*$/.exec(text) ?? [];
  const from = Number(first);
  const to = dash === undefined ? from : last === undefined ? Number.MAX_SAFE_INTEGER : Number(last);
  if (first === undefined || to < from) throw new UsageError(`--ranges: ${text}`);
  return [from, to];
}
