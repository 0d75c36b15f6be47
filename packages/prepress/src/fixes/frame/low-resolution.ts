/** Resolution that no fix can give back: what an image does not hold, enlarging it does not add. */
import type { ImageEvent, ImageFacts } from '@pdf2press/pdf';

/** Below this an image is an error in GWG 2022 (R0031, R0032), in pixels per inch. */
export const leastTonesPpi = 150;
const leastOneBitPpi = 550;

export const isOneBit = (image: ImageFacts): boolean =>
  image.isStencil || (image.bitsPerComponent === 1 && image.components === 1 && image.space?.family !== 'Indexed');

const leastPpi = (image: ImageFacts): number => (isOneBit(image) ? leastOneBitPpi : leastTonesPpi);

export interface Coarsest {
  ppi: number;
  /** What it should have. */
  limit: number;
}

/**
 * Finds the image of a page that is the coarsest for its kind, shown `scale` times as large as it is now; where that is larger,
 * only those count that become coarse by it. Images of no more pixels a side than `ignored` are ornaments.
 */
export function createCoarsest(scale: number, ignored: number) {
  let found: Coarsest | null = null;
  return {
    see({ image, ppi }: ImageEvent): void {
      const was = Math.min(ppi.x, ppi.y);
      const now = was / scale;
      const limit = leastPpi(image);
      const isKnown = scale > 1 && was < limit;
      // Half a pixel is rounding.
      if (isKnown || !(now > 0) || now >= limit - 0.5 || image.width <= ignored || image.height <= ignored) return;
      if (!found || now / limit < found.ppi / found.limit) found = { ppi: Math.round(now), limit };
    },
    found: (): Coarsest | null => found,
  };
}
