import type { ColourService } from '../colour/colour-service.ts';
import { defaultRgbProfile, type ProfileRef, profileBytes } from '../colour/shipped-profiles.ts';
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

const isSamePress = (one: ProfileRef, two: ProfileRef): boolean =>
  one === two || Buffer.compare(profileBytes(one), profileBytes(two)) === 0;

/** The places at which two lists differ. */
function placesApart(one: Uint32Array, two: Uint32Array): Uint32Array {
  const places = new Uint32Array(one.length);
  let count = 0;
  for (let at = 0; at < one.length; at += 1) {
    if (one[at] === two[at]) continue;
    places[count] = at;
    count += 1;
  }
  return places.subarray(0, count);
}

/** The inks of some pixels, interleaved. */
function inksAt(places: Uint32Array, words: Uint32Array): Uint8Array {
  const inks = new Uint32Array(places.length);
  for (let at = 0; at < places.length; at += 1) inks[at] = words[places[at] as number] as number;
  return new Uint8Array(inks.buffer);
}

/** Writes one RGB colour after the other to the places of a picture. */
function putPixels(pixels: Uint8Array, places: Uint32Array, colours: Uint8Array): void {
  for (let at = 0, from = 0; at < places.length; at += 1, from += 3) {
    const to = (places[at] as number) * 3;
    pixels[to] = colours[from] as number;
    pixels[to + 1] = colours[from + 1] as number;
    pixels[to + 2] = colours[from + 2] as number;
  }
}

/** Interleaved CMYK, a number for each pixel. */
const wordsOf = (cmyk: Uint8Array): Uint32Array => new Uint32Array(cmyk.buffer, cmyk.byteOffset, cmyk.length / 4);

/**
 * Simulates two printed pages, as `softProof` does, where they differ: pixels of equal inks are equal in both pictures, but
 * stay black. Converting them would take most of the time of a comparison.
 * @returns null where the pages differ in size or press, so that equal inks may look different
 * @throws FileFaultError SETTINGS_INVALID {what: 'icc'} for an unusable profile
 */
export function softProofsApart(
  plates: readonly [PagePlates, PagePlates],
  colour: ColourService,
): [Raster, Raster] | null {
  const [one, two] = plates;
  const { width, height, profile } = one;
  if (width !== two.width || height !== two.height || !isSamePress(profile, two.profile)) return null;
  const proofs = plates.map(({ frame }): Raster => {
    return { width, height, channels: 3, pixels: new Uint8Array(width * height * 3), frame };
  }) as [Raster, Raster];
  const others = processStrips(two);
  for (const { from, cmyk } of processStrips(one)) {
    const other = others.next().value?.cmyk;
    if (!other) break;
    const strips = [wordsOf(cmyk), wordsOf(other)] as const;
    const places = placesApart(...strips);
    for (const [side, words] of strips.entries()) {
      const proof = proofs[side];
      if (!proof) continue;
      const colours = colour.convertPixels(inksAt(places, words), { from: profile, to: defaultRgbProfile });
      putPixels(proof.pixels.subarray(from * width * 3), places, colours);
    }
  }
  return proofs;
}

/** Inverts a plate in place for display: paper white, ink dark. */
export function plateView(plate: Uint8Array): Uint8Array {
  for (let index = 0; index < plate.length; index += 1) plate[index] = 255 - (plate[index] as number);
  return plate;
}
