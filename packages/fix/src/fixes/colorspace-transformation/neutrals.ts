/** Near-neutral colours in RGB, which may print in black only. */
import { clamp, type SpaceMap } from '../../editing/recolour/space-map.ts';

/** Components that differ by less than half a level of 8 bits are equal. */
export const rounding = 1 / 512;

/**
 * The grey level (0–1) of an RGB colour whose components differ by at most `tolerance` (0–1); null for a colour that
 * differs more. The weights are those of the luminance of sRGB (ITU-R BT.709), so the level changes little in lightness.
 */
export function neutralLevel(r: number, g: number, b: number, tolerance: number): number | null {
  const spread = Math.max(r, g, b) - Math.min(r, g, b);
  return spread < tolerance + rounding ? 0.2126 * r + 0.7152 * g + 0.0722 * b : null;
}

type Tables = Required<Pick<SpaceMap, 'convertPixels' | 'separatePixels' | 'convertDeepPixels'>>;

/**
 * Tables that give near-neutral pixels black ink only, whatever the profile says.
 * @param inkOf black ink (0–1) of a grey level (0–1)
 */
export function withNeutralPixels(tables: Tables, tolerance: number, inkOf: (level: number) => number): Tables {
  const levels = 256;
  let inks: Float32Array | null = null;
  /** Black ink of a level between two whole levels of 8 bits. */
  const inkAt = (level: number): number => {
    inks ??= Float32Array.from({ length: levels }, (_, at) => inkOf(at / (levels - 1)));
    const at = clamp(level) * (levels - 1);
    const [below, above] = [inks[Math.floor(at)] as number, inks[Math.ceil(at)] as number];
    return below + (above - below) * (at - Math.floor(at));
  };
  /** Black ink of each pixel in levels up to `most`; -1 for a colour. */
  const blacksOf = (pixels: Uint8Array | Uint16Array, most: number): Int32Array => {
    const blacks = new Int32Array(Math.floor(pixels.length / 3));
    for (let at = 0, from = 0; at < blacks.length; at += 1, from += 3) {
      const [r, g, b] = [pixels[from] as number, pixels[from + 1] as number, pixels[from + 2] as number];
      const level = neutralLevel(r / most, g / most, b / most, tolerance);
      blacks[at] = level === null ? -1 : Math.round(inkAt(level) * most);
    }
    return blacks;
  };
  const put = (blacks: Int32Array, inked: Uint8Array | Uint16Array): void => {
    for (let at = 0; at < blacks.length; at += 1) {
      const black = blacks[at] as number;
      if (black < 0) continue;
      inked.fill(0, at * 4, at * 4 + 3);
      inked[at * 4 + 3] = black;
    }
  };
  return {
    convertPixels(pixels, out) {
      const blacks = blacksOf(pixels, 255);
      const inked = tables.convertPixels(pixels, out);
      put(blacks, inked);
      return inked;
    },
    separatePixels(pixels) {
      // The planes are written into the buffer of the pixels, so these are read before.
      const blacks = blacksOf(pixels, 255);
      const planes = tables.separatePixels(pixels);
      if (!planes) return null;
      for (let at = 0; at < blacks.length; at += 1) {
        const black = blacks[at] as number;
        if (black < 0) continue;
        planes.chromatic.fill(255, at * 3, at * 3 + 3);
        planes.black[at] = black;
      }
      return planes;
    },
    convertDeepPixels(pixels) {
      const blacks = blacksOf(pixels, 65_535);
      const inked = tables.convertDeepPixels(pixels);
      put(blacks, inked);
      return inked;
    },
  };
}
