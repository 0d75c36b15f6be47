import { type DrawnPicture, drawPictures } from '@pdf2press/pdf';
import { leastTonesPpi } from '../../editing/low-resolution.ts';
import { type FixRunner, failed, type PictureJob } from '../../kind/runner.ts';
import type { imagesToPdf } from './contract.ts';

/** Nothing to do for a file that is a PDF already. */
export const run: FixRunner<typeof imagesToPdf> = () => undefined;

/** @throws FixStop `pictureUnreadable` for a picture that cannot be decoded */
export async function toPdf({ path, kind, out, settings, log, warn }: PictureJob<typeof imagesToPdf>): Promise<void> {
  let drawn: DrawnPicture[];
  try {
    drawn = await drawPictures(path, kind, out, {
      size: settings.pageSize === 'Size' ? [settings.width, settings.height] : null,
      fit: settings.fit,
      matchesOrientation: settings.orientation === 'MatchImage',
      ppi: settings.ppi,
      bleed: settings.bleed,
    });
  } catch (error) {
    throw failed('pictureUnreadable', { kind, message: error instanceof Error ? error.message : '' });
  }
  for (const { page, width, height, ppi } of drawn) {
    log({
      what: 'picture',
      page,
      before: `${kind}, ${width} × ${height} px`,
      after: `${ppi} ppi`,
      parameter: 'pageSize',
    });
    if (ppi < leastTonesPpi) warn('lowResolution', { page, ppi, limit: leastTonesPpi });
  }
}
