import path from 'node:path';
import { parseArgs } from 'node:util';
import { runTask } from '@pdf2press/tasks';
import { oneOf, parsed } from './arguments.ts';
import { exitCodes, move, UsageError, withWorkDir } from './file-work.ts';
import { inputFile, refuseToOverwrite } from './input-files.ts';
import { pageArguments, pageOptions } from './page-arguments.ts';

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
  withWorkDir(async (workDir, signal) => {
    const { values, positionals } = parsed(usage, () =>
      parseArgs({
        args,
        allowPositionals: true,
        options: {
          ...pageOptions,
          layers: { type: 'string' },
          'no-annotations': { type: 'boolean' },
        },
      }),
    );
    const layers = oneOf(values.layers, 'layers', ['view', 'all']);
    const { page, out } = pageArguments(values, positionals, usage);
    const [file = '', ...others] = positionals;
    if (others.length > 0) throw new UsageError(usage);
    const format = formats[path.extname(out).toLowerCase()];
    if (format === undefined) throw new UsageError(`--out: ${out} (${Object.keys(formats).join(', ')})`);
    await refuseToOverwrite([file], [out]);
    const drawn = await runTask(
      'render',
      {
        ...page,
        path: await inputFile(file, workDir),
        format,
        ...(layers && { layers }),
        ...(values['no-annotations'] && { annotations: false }),
      },
      { workDir, signal, isUrgent: true },
    );
    await move(path.join(workDir, drawn.file), path.resolve(out));
    console.log(JSON.stringify({ ...drawn, file: out }));
    return exitCodes.done;
  });
