import { parseArgs } from 'node:util';
import { runTask } from '@pdf2press/prepress/runners';
import { exitCodes, inputFile, parsed, UsageError, withWorkDir } from './file-work.ts';

const usage = 'usage: pdf2press inspect FILE|- [--json] [--password P]';

/** `pdf2press inspect`: what a PDF is made of, as JSON on standard output. `--json` is accepted and the only format. */
export const run = (args: string[]): Promise<number> =>
  withWorkDir(async (workDir) => {
    const { values, positionals } = parsed(usage, () =>
      parseArgs({
        args,
        allowPositionals: true,
        options: { json: { type: 'boolean' }, password: { type: 'string' } },
      }),
    );
    const [file] = positionals;
    if (file === undefined || positionals.length !== 1) throw new UsageError(usage);
    const inspection = await runTask(
      'inspect',
      { path: await inputFile(file, workDir), ...(values.password !== undefined && { password: values.password }) },
      { workDir },
    );
    console.log(JSON.stringify(inspection, null, 2));
    return exitCodes.done;
  });
