import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Inspection } from '@pdf2press/contract';
import { FileFaultError } from '@pdf2press/contract/faults';
import { runTask } from '@pdf2press/tasks';
import { parsed } from './arguments.ts';
import { exitCodes, type Failure, failureOf, oneLine, reportingErrors, UsageError, withWorkDir } from './file-work.ts';
import { expandGlobs, inputFile } from './input-files.ts';

const usage = 'usage: pdf2press inspect FILE|- … [--json] [--password P]';

/**
 * `pdf2press inspect`: what PDFs are made of, as JSON on standard output: an object, for several files a list. A file
 * that cannot be read is an object with its error. `--json` is accepted and the only format.
 */
export const run = (args: string[]): Promise<number> =>
  reportingErrors(async () => {
    const { values, positionals } = parsed(usage, () =>
      parseArgs({
        args,
        allowPositionals: true,
        options: { json: { type: 'boolean' }, password: { type: 'string' } },
      }),
    );
    const files = await expandGlobs(positionals);
    if (files.length === 0) throw new UsageError(usage);
    const isMany = files.length > 1;
    const answers: (Inspection | Failure)[] = [];
    let worst: number = exitCodes.done;
    for (const [index, file] of files.entries()) {
      if (isMany && process.stderr.isTTY)
        console.error(oneLine(`[${index + 1}/${files.length}] ${path.basename(file)}`));
      const code = await inspectOne(file, values.password, answers, isMany);
      worst = Math.max(worst, code);
    }
    if (answers.length > 0) console.log(JSON.stringify(isMany ? answers : answers[0], null, 2));
    return worst;
  });

const inspectOne = (
  file: string,
  password: string | undefined,
  answers: (Inspection | Failure)[],
  isMany: boolean,
): Promise<number> =>
  withWorkDir(
    async (workDir, signal) => {
      try {
        const params = {
          path: await inputFile(file, workDir),
          ...(password !== undefined && { password }),
        };
        answers.push(await runTask('inspect', params, { workDir, signal, isUrgent: true }));
        return exitCodes.done;
      } catch (error) {
        if (error instanceof FileFaultError) answers.push(failureOf(file, error));
        throw error;
      }
    },
    isMany ? { file } : {},
  );
