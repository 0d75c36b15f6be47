import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { FileFaultError } from '@pdf2press/contract';
import { type PlatesParams, type PlatesResult, runTask } from '@pdf2press/tasks';
import { oneOf, parsed, positiveNumber } from './arguments.ts';
import {
  exitCodes,
  type Failure,
  failureOf,
  makeDirectory,
  move,
  oneLine,
  reportingErrors,
  withWorkDir,
} from './file-work.ts';
import { distinctNames, expandGlobs, inputFile } from './input-files.ts';
import { pageArguments, pageOptions } from './page-arguments.ts';

const usage =
  'usage: pdf2press plates FILE|- … --out DIR [--page N] [--dpi D] [--limit PERCENT] [--box crop|media|bleed|trim|art] [--beyond-crop]' +
  ' [--press ID|PROFILE.icc] [--ghostscript auto|native|embedded] [--password P]';

/**
 * `pdf2press plates`: one grey PNG per ink (paper white, ink dark, as on film) into a directory; coverage per ink (0–1) and
 * total ink (percent) as JSON, in the directory as `plates.json` and on standard output. Overprint is simulated. Several
 * files have a directory each, named after them, and the output is a list.
 */
export const run = (args: string[]): Promise<number> =>
  reportingErrors(async () => {
    const { values, positionals } = parsed(usage, () =>
      parseArgs({
        args,
        allowPositionals: true,
        options: {
          ...pageOptions,
          limit: { type: 'string' },
          'beyond-crop': { type: 'boolean' },
          ghostscript: { type: 'string' },
          press: { type: 'string' },
        },
      }),
    );
    const ghostscript = oneOf(values.ghostscript, 'ghostscript', ['auto', 'native', 'embedded']);
    const files = await expandGlobs(positionals);
    const { page, out } = pageArguments(values, files, usage);
    const params = {
      ...page,
      limit: positiveNumber(values.limit, 'limit', 300),
      ...(values['beyond-crop'] && { beyondCrop: true }),
      ...(ghostscript && { ghostscript }),
      ...(values.press !== undefined && {
        press: /\.ic[cm]$/i.test(values.press) ? path.resolve(values.press) : values.press,
      }),
    };
    if (files.length === 1) {
      const answers: Answer[] = [];
      const code = await separate(files[0] ?? '', out, params, answers, {});
      if (code === exitCodes.done) console.log(JSON.stringify(answers[0], null, 2));
      return code;
    }
    const answers: Answer[] = [];
    const directories = distinctNames(files);
    let worst: number = exitCodes.done;
    for (const [index, file] of files.entries()) {
      if (process.stderr.isTTY) console.error(oneLine(`[${index + 1}/${files.length}] ${path.basename(file)}`));
      const code = await separate(file, path.join(out, directories[index] ?? ''), params, answers, { file });
      worst = Math.max(worst, code);
    }
    console.log(JSON.stringify(answers, null, 2));
    return worst;
  });

type Answer = PlatesResult | Failure;

const separate = (
  file: string,
  directory: string,
  params: Omit<PlatesParams, 'path'>,
  answers: Answer[],
  options: { file?: string },
): Promise<number> =>
  withWorkDir(async (workDir, signal) => {
    try {
      const input = await inputFile(file, workDir);
      const plates = await runTask('plates', { ...params, path: input }, { workDir, signal, isUrgent: true });
      await makeDirectory(directory);
      for (const ink of plates.inks) await move(path.join(workDir, ink.file), path.join(directory, ink.file));
      await writeFile(path.join(directory, 'plates.json'), `${JSON.stringify(plates, null, 2)}\n`);
      answers.push(plates);
      return exitCodes.done;
    } catch (error) {
      if (error instanceof FileFaultError) answers.push(failureOf(file, error));
      throw error;
    }
  }, options);
