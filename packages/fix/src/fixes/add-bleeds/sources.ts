/** Where bleed takes its colours from: the separated plates, or an RGB picture for a page painted in RGB only. */
import { addResources, numberText, type PageFacts, type PagePlates, type Raster, type Rect } from '@pdf2press/pdf';
import { inkImage, inkSpace, rgbImage } from '../../editing/ink-image.ts';
import type { FixContext } from '../../kind/runner.ts';
import type { addBleeds } from './contract.ts';

type Context = FixContext<typeof addBleeds>;

/** The point from which a point of the bleed takes its colour. */
export type From = (x: number, y: number) => readonly [number, number];

export interface Source {
  /** Size of a pixel in units of default user space. */
  pixel: number;
  /** Operators that set the colour of an area; null when it has several colours. */
  solid: (area: Rect, from: From) => string | null;
  /** Object number of an image of the area; null for an empty area. */
  image: (area: Rect, from: From) => number | null;
}

type Grid = Pick<PagePlates, 'frame' | 'width' | 'height'>;
const pixelOf = ({ frame }: Grid): number => 1 / Math.hypot(frame.toPixel[0], frame.toPixel[1]);
const say = (values: readonly number[]): string => values.map(numberText).join(' ');
const rounded = (value: number): number => Math.round(value * 1e4) / 1e4;

/** Reads all inks; spot colours stay separate. */
export function inkSource(context: Context, page: PageFacts, plates: PagePlates): Source {
  const pixel = pixelOf(plates);
  return {
    pixel,
    solid(area, from) {
      const sheets = plates.inks.map((ink) => plates.plate(ink.id));
      const levels = oneColour(plates, area, from, (at) => sheets.map((sheet) => sheet[at] as number));
      return levels && solidInk(context, page, plates, levels.map(meantTint));
    },
    image: (area, from) =>
      inkImage(context.edit, {
        plates,
        area,
        from,
        scale: 1 / pixel,
        isProcessOnly: context.settings.imageColourSpace === 'DeviceCMYK',
      }),
  };
}

/** Reads the RGB picture, which assumes no printing condition. */
export function lightSource({ edit }: Context, raster: Raster): Source {
  const pixel = pixelOf(raster);
  return {
    pixel,
    solid(area, from) {
      const levels = oneColour(raster, area, from, (at) => [...raster.pixels.subarray(3 * at, 3 * at + 3)]);
      return levels && `${say(levels.map((level) => rounded(level / 255)))} rg`;
    },
    image: (area, from) => rgbImage(edit, raster, area, 1 / pixel, from),
  };
}

/** A plate level (0–255) as a tint (0–1); a level near a whole percentage becomes that percentage. */
function meantTint(level: number): number {
  const percent = Math.round((level * 100) / 255);
  return Math.abs((percent * 255) / 100 - level) <= 1 ? percent / 100 : rounded(level / 255);
}

/** The levels of an area of one colour; null for several colours. */
function oneColour(
  grid: Grid,
  area: Rect,
  from: From,
  levelsAt: (pixel: number) => readonly number[],
): readonly number[] | null {
  const pixel = pixelOf(grid);
  const [a, b, c, d, e, f] = grid.frame.toPixel;
  let first: readonly number[] | null = null;
  for (let y = area[1] + pixel / 2; y < area[3]; y += pixel) {
    for (let x = area[0] + pixel / 2; x < area[2]; x += pixel) {
      const [u, v] = from(x, y);
      const px = Math.min(grid.width - 1, Math.max(0, Math.floor(a * u + c * v + e)));
      const py = Math.min(grid.height - 1, Math.max(0, Math.floor(b * u + d * v + f)));
      const levels = levelsAt(py * grid.width + px);
      first ??= levels;
      if (levels.some((level, index) => level !== first?.[index])) return null;
    }
  }
  return first;
}

/** Operators for one colour of process inks and spots. */
function solidInk(
  { edit, file, settings }: Context,
  page: PageFacts,
  plates: PagePlates,
  inks: readonly number[],
): string {
  const spots = inks.flatMap((ink, index) => (index >= 4 && ink > 0 ? [index] : []));
  if (spots.length === 0) return `${say(inks.slice(0, 4))} k`;
  if (settings.imageColourSpace === 'DeviceCMYK') {
    const process = [0, 1, 2, 3].map((channel) =>
      spots.reduce(
        (sum, spot) => sum + (inks[spot] ?? 0) * (plates.inks[spot]?.cmyk[channel] ?? 0),
        inks[channel] ?? 0,
      ),
    );
    return `${say(process.map((ink) => rounded(Math.min(1, ink))))} k`;
  }
  const value = inkSpace(
    edit,
    spots.map((spot) => plates.inks[spot] as PagePlates['inks'][number]),
  );
  const [name] = addResources(edit, file.pageNow(page.number), [{ kind: 'ColorSpace', value, hint: 'BleedCS' }]);
  return `/${name} cs ${say([...inks.slice(0, 4), ...spots.map((spot) => inks[spot] ?? 0)])} scn`;
}
