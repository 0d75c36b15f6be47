import { mkdir } from 'node:fs/promises';
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
          page: { type: 'string' },
          dpi: { type: 'string' },
          out: { type: 'string' },
          limit: { type: 'string' },
          'beyond-crop': { type: 'boolean' },
          box: { type: 'string' },
          ghostscript: { type: 'string' },
          press: { type: 'string' },
          password: { type: 'string' },
        },
      }),
    );
    const [file] = positionals;
    if (file === undefined || positionals.length !== 1 || values.out === undefined) throw new UsageError(usage);
    const box = oneOf(values.box, 'box', ['media', 'crop', 'bleed', 'trim', 'art']);
    const ghostscript = oneOf(values.ghostscript, 'ghostscript', ['auto', 'native', 'embedded']);
    const plates = await runTask(
      'plates',
      {
        path: await inputFile(file, workDir),
        page: pageNumber(values.page),
        dpi: positiveNumber(values.dpi, 'dpi', 150),
        limit: positiveNumber(values.limit, 'limit', 300),
        ...(box && { box }),
        ...(values['beyond-crop'] && { beyondCrop: true }),
        ...(ghostscript && { ghostscript }),
        ...(values.press !== undefined && {
          press: /\.ic[cm]$/i.test(values.press) ? path.resolve(values.press) : values.press,
        }),
        ...(values.password !== undefined && { password: values.password }),
      },
      { workDir },
    );
    const out = path.resolve(values.out);
    await mkdir(out, { recursive: true });
    for (const ink of plates.inks) await move(path.join(workDir, ink.file), path.join(out, ink.file));
    console.log(JSON.stringify(plates, null, 2));
    return exitCodes.done;
  });
