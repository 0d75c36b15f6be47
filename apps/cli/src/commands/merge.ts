import path from 'node:path';
import { parseArgs } from 'node:util';
import { runTask } from '@pdf2press/tasks';
import { parsed } from './arguments.ts';
import { exitCodes, move, reportingErrors, UsageError, withWorkDir, workParent } from './file-work.ts';
import { expandGlobs, inputFile, refuseToOverwrite } from './input-files.ts';

const usage = 'usage: pdf2press merge FILE|- FILE … --out OUT.pdf [--password P]';

/**
 * `pdf2press merge`: the pages of several PDFs in the order of the arguments as one file, with their boxes, spot colours,
 * layers, links, named destinations, bookmarks and page labels.
 */
export const run = (args: string[]): Promise<number> =>
  reportingErrors(async () => {
    const { values, positionals } = parsed(usage, () =>
      parseArgs({
        args,
        allowPositionals: true,
        options: { out: { type: 'string' }, password: { type: 'string' } },
      }),
    );
    const files = await expandGlobs(positionals);
    const { out, password } = values;
    if (files.length < 2 || out === undefined) throw new UsageError(usage);
    await refuseToOverwrite(files, [out]);
    const work = async (workDir: string, signal: AbortSignal): Promise<number> => {
      const inputs = await Promise.all(
        files.map(async (file) => ({
          path: await inputFile(file, workDir),
          ...(password !== undefined && { password }),
        })),
      );
      const made = await runTask('merge', { inputs }, { workDir, signal, isUrgent: true });
      for (const at of made.otherIntents)
        console.error(`OUTPUT_INTENT: ${files[at]}: its output intent differs from the one of ${out}`);
      const target = path.resolve(out);
      await move(path.join(workDir, made.path), target);
      console.log(JSON.stringify({ out: target, bytes: made.bytes, pages: made.pageCount, renamed: made.renamed }));
      return exitCodes.done;
    };
    return withWorkDir(work, { parent: await workParent(out) });
  });
