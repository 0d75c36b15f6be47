/**
 * Compares pictures of one page by two renderers, coarsely: what they draw must be the same, not how they smooth edges or
 * manage colours.
 */
import { type ColourService, defaultRgbProfile, type PixelRect, type ProfileRef, type Raster } from '@pdf2press/pdf';
import { deltaE00, labOf } from './compare-pictures.ts';

/** Side in pixels of the tiles whose mean colours are compared: a sixth of an inch at 150 dpi. */
const tileSide = 25;
/**
 * Two renderers agree on a page when no tile differs by more, in CIEDE2000. On the public corpus the largest difference of
 * a page that both show alike is 13.1, the smallest of one that they show differently 19.5 (docs/fix-quality.md).
 */
const agreementLimit = 15;

/** What a renderer may show of a page: its pictures differ only in the space that transparent objects blend in. */
export type Views = readonly (() => Raster)[];

/**
 * A page as MuPDF shows it, in the colours that the press can print: blended in RGB, and blended in inks. Pages without a
 * blend space of their own are blended in either, by the device that they are drawn for.
 */
export function viewsOf(
  draw: (options: { inInks: boolean }) => Raster,
  press: ProfileRef,
  colour: ColourService,
): Views {
  const seen = (inks: Uint8Array): Uint8Array => colour.convertPixels(inks, { from: press, to: defaultRgbProfile });
  return [
    once(() => {
      const raster = draw({ inInks: false });
      const inks = colour.convertPixels(raster.pixels, { from: defaultRgbProfile, to: press });
      return { ...raster, pixels: seen(inks) };
    }),
    once(() => {
      const raster = draw({ inInks: true });
      return { ...raster, channels: 3, pixels: seen(raster.pixels) };
    }),
  ];
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Whether two renderers show the same in every tile, in one of the views of it. `ignore`: pixels of `one` that may differ. */
export function agree(one: Views, two: Views, ignore: readonly PixelRect[] = []): boolean {
  // Most pages agree in the first view, so that no other is drawn.
  let open: ReadonlySet<number> | null = null;
  for (const first of one) {
    for (const second of two) {
      const apart = tilesApart(first(), second(), ignore).filter((tile) => open?.has(tile) ?? true);
      if (apart.length === 0) return true;
      open = new Set(apart);
    }
  }
  return false;
}

/** The tiles that differ by more than the limit. The sizes of the rasters may differ by a pixel of rounding. */
function tilesApart(one: Raster, two: Raster, ignore: readonly PixelRect[]): number[] {
  const across = Math.max(1, Math.round(one.width / tileSide));
  const down = Math.max(1, Math.round(one.height / tileSide));
  const [a, b] = [tileColours(one, across, down), tileColours(two, across, down)];
  const [wide, high] = [one.width / across, one.height / down];
  const isIgnored = (tile: number): boolean => {
    const [left, top] = [(tile % across) * wide, Math.floor(tile / across) * high];
    return ignore.some(
      (rect) =>
        rect.left < left + wide &&
        left < rect.left + rect.width &&
        rect.top < top + high &&
        top < rect.top + rect.height,
    );
  };
  return a.flatMap((colour, tile) => {
    const difference = deltaE00(labOf(...colour), labOf(...(b[tile] ?? colour)));
    return difference <= agreementLimit || isIgnored(tile) ? [] : [tile];
  });
}

type Colour = readonly [red: number, green: number, blue: number];

/** The mean colour of each tile, row by row from the top, 0 to 255. */
function tileColours({ width, height, pixels }: Raster, across: number, down: number): Colour[] {
  const sums = new Float64Array(across * down * 3);
  const counts = new Uint32Array(across * down);
  for (let y = 0, at = 0; y < height; y += 1) {
    const row = Math.floor((y * down) / height) * across;
    for (let x = 0; x < width; x += 1, at += 3) {
      const tile = row + Math.floor((x * across) / width);
      counts[tile] = (counts[tile] as number) + 1;
      for (let channel = 0; channel < 3; channel += 1)
        sums[tile * 3 + channel] = (sums[tile * 3 + channel] as number) + (pixels[at + channel] as number);
    }
  }
  return Array.from(counts, (count, tile): Colour => {
    const mean = (channel: number): number => Math.round((sums[tile * 3 + channel] as number) / Math.max(1, count));
    return [mean(0), mean(1), mean(2)];
  });
}
