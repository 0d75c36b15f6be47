import type { ColourService } from '../colour/colour-service.ts';
import { defaultRgbProfile } from '../colour/shipped-profiles.ts';
import type { PagePlates } from './plates.ts';
import type { Raster } from './preview.ts';
import { processStrips } from './process-strips.ts';

/**
 * Simulates the printed page as RGB: plates with overprint, seen through the press profile. Spot inks are shown by
 * their process equivalents.
 * @param without names of inks that are left out
 * @throws FileFaultError SETTINGS_INVALID {what: 'icc'} for an unusable profile
 */
export function softProof(plates: PagePlates, colour: ColourService, without: readonly string[] = []): Raster {
  const { width, height, profile } = plates;
  const pixels = new Uint8Array(width * height * 3);
  for (const { from, cmyk } of processStrips(plates, without)) {
    const strip = colour.convertPixels(cmyk, { from: profile, to: defaultRgbProfile });
    pixels.set(strip, from * width * 3);
  }
  return { width, height, channels: 3, pixels, frame: plates.frame };
}

/** Inverts a plate in place for display: paper white, ink dark. */
export function plateView(plate: Uint8Array): Uint8Array {
  for (let index = 0; index < plate.length; index += 1) plate[index] = 255 - (plate[index] as number);
  return plate;
}
