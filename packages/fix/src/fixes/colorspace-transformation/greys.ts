/** Converts between grey and tints of black as a press prints them, including dot gain. */
import type { ColourService, ProfileRef } from '@pdf2press/pdf';
import { clamp } from '../../editing/recolour/space-map.ts';

const rampSteps = 256;

/**
 * Converts tints of black (0–1) to lightness (L*, 0–100) and back. Paper white is 100 and full black is 0, so that
 * greys keep their distances between the lightest and the darkest tone of the press.
 * @param keepsLightness a tint has the lightness that it is asked for, as far as black ink is dark enough
 */
export function createGreys(colour: ColourService, press: ProfileRef, keepsLightness: boolean) {
  let ramps: { printed: number[]; scaled: number[] } | null = null;
  /** Lightness of each tint as printed on white paper, and scaled to fall from 100 to 0. */
  const rampsOf = (): { printed: number[]; scaled: number[] } => {
    if (ramps) return ramps;
    const lightness = (_: unknown, step: number): number =>
      colour.convert([0, 0, 0, step / rampSteps], {
        from: press,
        to: 'Lab',
        intent: 'relative',
        blackPointCompensation: false,
      })[0] ?? 0;
    const printed = Array.from({ length: rampSteps + 1 }, lightness);
    const [paper = 100, darkest = 0] = [printed[0], printed.at(-1)];
    ramps = { printed, scaled: printed.map((value) => ((value - darkest) / (paper - darkest || 1)) * 100) };
    return ramps;
  };
  return {
    inkOf(lightness: number): number {
      const ramp = rampsOf()[keepsLightness ? 'printed' : 'scaled'];
      const step = ramp.findIndex((value) => value <= lightness + 1e-9);
      if (step <= 0) return step === 0 ? 0 : 1;
      const [above = 0, below = 0] = [ramp[step - 1], ramp[step]];
      return clamp((step - 1 + (above === below ? 0 : (above - lightness) / (above - below))) / rampSteps);
    },
    lightnessOf(ink: number): number {
      const at = clamp(ink) * rampSteps;
      const { scaled } = rampsOf();
      const [above = 0, below = 0] = [scaled[Math.floor(at)], scaled[Math.ceil(at)]];
      return above + (below - above) * (at - Math.floor(at));
    },
  };
}
