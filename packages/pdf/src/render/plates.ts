import { rmSync } from 'node:fs';
import type { ColourService } from '../colour/colour-service.ts';
import { defaultCmykProfile, defaultRgbProfile, type ProfileRef } from '../colour/shipped-profiles.ts';
import { countInks, type InkStatistics, statisticsOf, sumPlates } from './ink-statistics.ts';
import type { PageFrame } from './page-frame.ts';
import type { PlateInk } from './psd.ts';
import type { SeparatedPage } from './separate.ts';

export interface Ink extends PlateInk {
  /** Identifier within the page: `c`, `m`, `y`, `k`, `s0`, `s1`, … */
  id: string;
}

/** The plates of one page with overprint simulated: process inks first, then spot inks by name. */
export interface PagePlates {
  page: number;
  dpi: number;
  /** Size in pixels. */
  width: number;
  height: number;
  frame: PageFrame;
  inks: readonly Ink[];
  engine: SeparatedPage['engine'];
  /** Profile of the press the plates were made for. */
  profile: ProfileRef;
  /** True when a copy of the file was separated, because the file is damaged or because of its boxes or layers. */
  isFromCopy: boolean;
  /** True when part of the page could not be drawn, so that the plates may be incomplete. */
  hasErrors: boolean;
  /** True when there are more spot inks than plates; the rest was converted to process inks. */
  hasTooManySpots: boolean;
  /** Coverage per ink and total ink, computed on first use. */
  statistics(): InkStatistics;
  /**
   * One plate, or some rows of it from the top: 0 is paper, 255 is solid ink.
   * @returns `into`, or a new array
   * @throws RangeError for an unknown ink
   */
  plate(ink: string, rows?: { from: number; count: number }, into?: Uint8Array): Uint8Array;
  /**
   * Sum of the plates for each pixel; 255 is 100 %.
   * @param into an array that is overwritten, where it has an element for each pixel
   * @returns `into`, or a new array
   */
  totalInk(inks?: 'all' | 'process', into?: Uint16Array): Uint16Array;
  /** Size on disk, until `release`. */
  bytes: number;
  release(): void;
}

const processIds = ['c', 'm', 'y', 'k'];

/** The plates of a separated page. */
export function makePagePlates(page: SeparatedPage): PagePlates {
  const { frame, psd } = page;
  const inks: Ink[] = psd.inks.map((ink, index) => ({
    ...ink,
    id: processIds[index] ?? `s${index - processIds.length}`,
  }));
  let statistics: InkStatistics | null = null;
  return {
    page: frame.page,
    dpi: frame.dpi,
    width: frame.width,
    height: frame.height,
    frame,
    inks,
    engine: page.engine,
    profile: page.profile,
    isFromCopy: page.isFromCopy,
    hasErrors: page.hasErrors,
    hasTooManySpots: page.hasTooManySpots,
    statistics() {
      statistics ??= statisticsOf(countInks(psd));
      return statistics;
    },
    plate(id, rows, into) {
      const index = inks.findIndex((ink) => ink.id === id);
      if (index < 0) throw new RangeError(`ink ${id}`);
      return psd.readPlate(index, rows, into);
    },
    totalInk(which = 'all', into) {
      const pixels = psd.width * psd.height;
      const total = into?.length === pixels ? into : new Uint16Array(pixels);
      sumPlates(psd, which === 'all' ? inks.length : processIds.length, total);
      return total;
    },
    bytes: frame.width * frame.height * inks.length,
    release() {
      rmSync(page.psdPath, { force: true });
    },
  };
}

/**
 * Colour of an ink on the paper of the press as `#rrggbb`, for lists and switches.
 * @param amount of the ink, 0 to 1
 * @throws FileFaultError SETTINGS_INVALID {what: 'icc'} for an unusable profile
 */
export function inkHex(
  ink: PlateInk,
  colour: ColourService,
  profile: ProfileRef = defaultCmykProfile,
  amount = 1,
): string {
  const cmyk = ink.cmyk.map((part) => part * amount);
  const rgb = colour.convert(cmyk, { from: profile, to: defaultRgbProfile });
  const channel = (value: number): string =>
    Math.round(Math.min(1, Math.max(0, value)) * 255)
      .toString(16)
      .padStart(2, '0');
  return `#${rgb.map(channel).join('')}`;
}
