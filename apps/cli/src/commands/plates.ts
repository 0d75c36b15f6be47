import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runTask } from '@pdf2press/prepress/runners';
import { exitCodes, move, oneOf, parsed, positiveNumber, withWorkDir } from './file-work.ts';
import { pageArguments, pageOptions } from './page-arguments.ts';

const usage =
  'usage: pdf2press plates FILE|- --out DIR [--page N] [--dpi D] [--limit PERCENT] [--box crop|media|bleed|trim|art] [--beyond-crop]' +
  ' [--press ID|PROFILE.icc] [--ghostscript auto|native|embedded] [--password P]';

/**
 * `pdf2press plates`: one grey PNG per ink (paper white, ink dark, as on film) into a directory; coverage per ink (0–1) and
 * total ink (percent) as JSON on standard output. Overprint is simulated.
 */
export const run = (args: string[]): Promise<number> =>
  withWorkDir(async (workDir) => {
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
    const limit = positiveNumber(values.limit, 'limit', 300);
    const { page, out } = await pageArguments(values, positionals, usage, workDir);
    const plates = await runTask(
      'plates',
      {
        ...page,
        limit,
        ...(values['beyond-crop'] && { beyondCrop: true }),
        ...(ghostscript && { ghostscript }),
        ...(values.press !== undefined && {
          press: /\.ic[cm]$/i.test(values.press) ? path.resolve(values.press) : values.press,
        }),
      },
      { workDir },
    );
    await mkdir(out, { recursive: true });
    for (const ink of plates.inks) await move(path.join(workDir, ink.file), path.join(out, ink.file));
    console.log(JSON.stringify(plates, null, 2));
    return exitCodes.done;
  });
