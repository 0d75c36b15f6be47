/** Finds images of too low resolution. A fix cannot correct them: enlarging adds no detail. */
import type { ImageEvent, ImageFacts } from '@pdf2press/pdf';

/** Resolutions below which GWG 2022 (R0031, R0032) reports an error, in pixels per inch. */
export const leastTonesPpi = 150;
const leastOneBitPpi = 550;

export const isOneBit = (image: ImageFacts): boolean =>
  image.isStencil || (image.bitsPerComponent === 1 && image.components === 1 && image.space?.family !== 'Indexed');

const leastPpi = (image: ImageFacts): number => (isOneBit(image) ? leastOneBitPpi : leastTonesPpi);

export interface Coarsest {
  ppi: number;
  /** Required resolution, ppi. */
  limit: number;
}

/**
 * Finds the coarsest image of a page relative to the limit of its kind when the page is scaled by `scale`. If `scale`
 * is above 1, only images count that fall below the limit because of it. Images of at most `ignored` pixels a side are
 * not counted: they are rules and ornaments.
 */
export function createCoarsest(scale: number, ignored: number) {
  let found: Coarsest | null = null;
  return {
    see({ image, ppi }: ImageEvent): void {
      const was = Math.min(ppi.x, ppi.y);
      const now = was / scale;
      const limit = leastPpi(image);
      const isKnown = scale > 1 && was < limit;
      // Half a pixel per inch is a rounding error.
      if (isKnown || !(now > 0) || now >= limit - 0.5 || image.width <= ignored || image.height <= ignored) return;
      if (!found || now / limit < found.ppi / found.limit) found = { ppi: Math.round(now), limit };
    },
    found: (): Coarsest | null => found,
  };
}
