import type { FixReason } from '@pdf2press/contract';
import { type DrawnPicture, drawPictures, type PictureKind } from '@pdf2press/pdf';
import type { FixSettingsOf } from '../contracts.ts';
import { leastTonesPpi } from '../frame/low-resolution.ts';
import { type FixRunner, failed, type LoggedChange } from '../runner.ts';

/** What is a PDF already needs nothing; pictures are drawn by the frame before any action can open a PDF. */
export const run: FixRunner<'ImagesToPdf'> = () => undefined;

export interface PictureJob {
  path: string;
  kind: PictureKind;
  /** Where the PDF goes. */
  out: string;
  settings: FixSettingsOf<'ImagesToPdf'>;
  log: (change: LoggedChange) => void;
  warn: (code: string, params: FixReason['params']) => void;
}

/** @throws FixStop for a picture that cannot be read */
export async function pictureToPdf({ path, kind, out, settings, log, warn }: PictureJob): Promise<void> {
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
