import type { ColourService } from '../colour/colour-service.ts';
import { defaultRgbProfile } from '../colour/shipped-profiles.ts';
import type { PagePlates } from './plates.ts';
import type { Raster } from './preview.ts';

/** Rows worked on at a time, so that memory does not grow with the page. */
const stripPixels = 1 << 20;

/**
 * The page as the press prints it: process and spot plates laid over each other, with overprint, and shown through the
 * press profile. Spot inks are laid down as their process equivalents.
 */
export function softProof(plates: PagePlates, colour: ColourService): Raster {
  const { width, height, inks, profile } = plates;
  const pixels = new Uint8Array(width * height * 3);
  const rows = Math.max(1, Math.floor(stripPixels / width));
  const plate = new Uint8Array(Math.min(rows, height) * width);
  const cmyk = new Uint8Array(plate.length * 4);
  for (let from = 0; from < height; from += rows) {
    const count = Math.min(rows, height - from);
    cmyk.fill(0);
    for (const ink of inks) {
      plates.plate(ink.id, { from, count }, plate);
      layInk(plate, ink.cmyk, cmyk, count * width);
    }
    const strip = colour.convertPixels(cmyk.subarray(0, count * width * 4), { from: profile, to: defaultRgbProfile });
    pixels.set(strip, from * width * 3);
  }
  return { width, height, channels: 3, pixels, frame: plates.frame };
}

function layInk(plate: Uint8Array, equivalent: readonly number[], cmyk: Uint8Array, pixels: number): void {
  equivalent.forEach((strength, channel) => {
    if (strength === 0) return;
    for (let index = 0; index < pixels; index += 1) {
      const ink = plate[index] as number;
      if (ink === 0) continue;
      const at = index * 4 + channel;
      const sum = (cmyk[at] as number) + ink * strength + 0.5;
      cmyk[at] = Math.min(sum, 255);
    }
  });
}

/** A plate as film: paper white, ink dark. Changes the array. */
export function plateView(plate: Uint8Array): Uint8Array {
  for (let index = 0; index < plate.length; index += 1) plate[index] = 255 - (plate[index] as number);
  return plate;
}
