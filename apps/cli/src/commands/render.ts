import path from 'node:path';
import { parseArgs } from 'node:util';
import { runTask } from '@pdf2press/prepress/runners';
import { exitCodes, move, oneOf, parsed, UsageError, withWorkDir } from './file-work.ts';
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
  withWorkDir(async (workDir) => {
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
    const { page, out } = await pageArguments(values, positionals, usage, workDir);
    const format = formats[path.extname(out).toLowerCase()];
    if (format === undefined) throw new UsageError(`--out: ${out} (${Object.keys(formats).join(', ')})`);
    const drawn = await runTask(
      'render',
      {
        ...page,
        format,
        ...(layers && { layers }),
        ...(values['no-annotations'] && { annotations: false }),
      },
      { workDir },
    );
    await move(path.join(workDir, drawn.file), path.resolve(out));
    console.log(JSON.stringify({ ...drawn, file: out }));
    return exitCodes.done;
  });
