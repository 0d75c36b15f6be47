import { rmSync } from 'node:fs';
import type { ColourService } from '../colour/colour-service.ts';
import { defaultCmykProfile, defaultRgbProfile, type ProfileRef } from '../colour/shipped-profiles.ts';
import { countInks, type InkStatistics, statisticsOf } from './ink-statistics.ts';
import type { PageFrame } from './page-frame.ts';
import type { PlateInk, PsdFile } from './psd.ts';
import type { SeparatedPage } from './separate.ts';

export interface Ink extends PlateInk {
  /** Stable inside a page: `c`, `m`, `y`, `k`, `s0`, `s1`, … */
  id: string;
}

/** The plates of one page: overprint simulated, process inks first, then spots in the order of their names. */
export interface PagePlates {
  page: number;
  dpi: number;
  /** Pixels. */
  width: number;
  height: number;
  frame: PageFrame;
  inks: readonly Ink[];
  engine: SeparatedPage['engine'];
  /** The press they were made for. */
  profile: ProfileRef;
  /** Separated from a copy: the file is damaged, or its boxes or layers were in the way. */
  isFromCopy: boolean;
  /** Part of the page could not be drawn: the plates may lack something. */
  hasErrors: boolean;
  /** More spot colours than plates can be made: the rest is in the process inks. */
  hasTooManySpots: boolean;
  /** Coverage per ink and total ink; counted at the first call. */
  statistics(): InkStatistics;
  /** One plate or some rows of it, from the top: 0 = paper, 255 = full ink. @returns `into`, or a new array. */
  plate(ink: string, rows?: { from: number; count: number }, into?: Uint8Array): Uint8Array;
  /** Sum of the plates per pixel: 255 = 100 %. */
  totalInk(inks?: 'all' | 'process'): Uint16Array;
  /** Bytes on disk; until `release`. */
  bytes: number;
  release(): void;
}

const processIds = ['c', 'm', 'y', 'k'];

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
    totalInk: (which = 'all') => sumOfPlates(psd, which === 'all' ? inks.length : processIds.length),
    bytes: frame.width * frame.height * inks.length,
    release() {
      psd.close();
      rmSync(page.psdPath, { force: true });
    },
  };
}

function sumOfPlates(psd: PsdFile, count: number): Uint16Array {
  const total = new Uint16Array(psd.width * psd.height);
  const plate = new Uint8Array(total.length);
  for (let ink = 0; ink < count; ink += 1) {
    psd.readPlate(ink, undefined, plate);
    for (let index = 0; index < total.length; index += 1) {
      total[index] = (total[index] as number) + (plate[index] as number);
    }
  }
  return total;
}

/** How an ink looks on the press's paper, `#rrggbb`: for lists and switches. */
export function inkHex(ink: PlateInk, colour: ColourService, profile: ProfileRef = defaultCmykProfile): string {
  const rgb = colour.convert(ink.cmyk, { from: profile, to: defaultRgbProfile });
  const channel = (value: number): string =>
    Math.round(Math.min(1, Math.max(0, value)) * 255)
      .toString(16)
      .padStart(2, '0');
  return `#${rgb.map(channel).join('')}`;
}
