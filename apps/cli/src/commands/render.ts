import path from 'node:path';
import { parseArgs } from 'node:util';
import { runTask } from '@pdf2press/prepress/runners';
import {
  exitCodes,
  inputFile,
  move,
  oneOf,
  pageNumber,
  parsed,
  positiveNumber,
  UsageError,
  withWorkDir,
} from './file-work.ts';

const usage =
  'usage: pdf2press render FILE|- --out X.png|X.webp|X.jpg [--page N] [--dpi D] [--box crop|media|bleed|trim|art]' +
  ' [--layers view|all] [--no-annotations] [--password P]';

const formats: Readonly<Record<string, 'png' | 'webp' | 'jpeg'>> = {
  '.png': 'png',
  '.webp': 'webp',
  '.jpg': 'jpeg',
  '.jpeg': 'jpeg',
};

/** `pdf2press render`: draws one page as a screen shows it. The page, its size and resolution go to standard output. */
export const run = (args: string[]): Promise<number> =>
  withWorkDir(async (workDir) => {
    const { values, positionals } = parsed(usage, () =>
      parseArgs({
        args,
        allowPositionals: true,
        options: {
          page: { type: 'string' },
          dpi: { type: 'string' },
          out: { type: 'string' },
          box: { type: 'string' },
          layers: { type: 'string' },
          'no-annotations': { type: 'boolean' },
          password: { type: 'string' },
        },
      }),
    );
    const [file] = positionals;
    if (file === undefined || positionals.length !== 1 || values.out === undefined) throw new UsageError(usage);
    const format = formats[path.extname(values.out).toLowerCase()];
    if (format === undefined) throw new UsageError(`--out: ${values.out} (${Object.keys(formats).join(', ')})`);
    const box = oneOf(values.box, 'box', ['media', 'crop', 'bleed', 'trim', 'art']);
    const layers = oneOf(values.layers, 'layers', ['view', 'all']);
    const drawn = await runTask(
      'render',
      {
        path: await inputFile(file, workDir),
        page: pageNumber(values.page),
        dpi: positiveNumber(values.dpi, 'dpi', 150),
        format,
        ...(box && { box }),
        ...(layers && { layers }),
        ...(values['no-annotations'] && { annotations: false }),
        ...(values.password !== undefined && { password: values.password }),
      },
      { workDir },
    );
    await move(path.join(workDir, drawn.file), path.resolve(values.out));
    console.log(JSON.stringify({ ...drawn, file: values.out }));
    return exitCodes.done;
  });
