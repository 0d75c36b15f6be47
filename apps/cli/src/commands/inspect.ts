import path from 'node:path';
import { parseArgs } from 'node:util';
import { type ErrorParams, type FileFault, FileFaultError, type Inspection } from '@pdf2press/contract';
import { runTask } from '@pdf2press/prepress/runners';
import { exitCodes, expandGlob, inputFile, parsed, UsageError, withWorkDir } from './file-work.ts';

const usage = 'usage: pdf2press inspect FILE|- … [--json] [--password P]';

/** What is printed for a file that could not be inspected. */
interface Failure {
  path: string;
  error: { code: FileFault; params: ErrorParams };
}

/**
 * `pdf2press inspect`: what PDFs are made of, as JSON on standard output: an object, for several files a list. A file
 * that cannot be read is an object with its error. `--json` is accepted and the only format.
 */
export const run = (args: string[]): Promise<number> =>
  withWorkDir(async () => {
    const { values, positionals } = parsed(usage, () =>
      parseArgs({
        args,
        allowPositionals: true,
        options: { json: { type: 'boolean' }, password: { type: 'string' } },
      }),
    );
    const files = (await Promise.all(positionals.map(expandGlob))).flat();
    if (files.length === 0) throw new UsageError(usage);
    const answers: (Inspection | Failure)[] = [];
    let worst: number = exitCodes.done;
    for (const [index, file] of files.entries()) {
      if (files.length > 1 && process.stderr.isTTY)
        console.error(`[${index + 1}/${files.length}] ${path.basename(file)}`);
      worst = Math.max(worst, await inspectOne(file, values.password, answers));
    }
    console.log(JSON.stringify(files.length > 1 ? answers : answers[0], null, 2));
    return worst;
  });

const inspectOne = (file: string, password: string | undefined, answers: (Inspection | Failure)[]): Promise<number> =>
  withWorkDir(async (workDir) => {
    try {
      const params = { path: await inputFile(file, workDir), ...(password !== undefined && { password }) };
      answers.push(await runTask('inspect', params, { workDir }));
      return exitCodes.done;
    } catch (error) {
      if (error instanceof FileFaultError)
        answers.push({ path: file, error: { code: error.code, params: error.params } });
      throw error;
    }
  });
