/** Converts between grey and tints of black as a press prints them, including dot gain. */
import type { ColourService, ProfileRef } from '@pdf2press/pdf';
import { clamp } from '../../editing/recolour/space-map.ts';

const rampSteps = 256;

/** Converts tints of black (0–1) to lightness (L*, 0–100) and back; paper white is 100 and full black is 0. */
export function createGreys(colour: ColourService, press: ProfileRef) {
  let ramp: number[] | null = null;
  /** Lightness of each tint, falling from 100 to 0. */
  const rampOf = (): number[] => {
    if (ramp) return ramp;
    const lightness = (_: unknown, step: number): number =>
      colour.convert([0, 0, 0, step / rampSteps], {
        from: press,
        to: 'Lab',
        intent: 'relative',
        blackPointCompensation: false,
      })[0] ?? 0;
    const printed = Array.from({ length: rampSteps + 1 }, lightness);
    const [paper = 100, darkest = 0] = [printed[0], printed.at(-1)];
    ramp = printed.map((value) => ((value - darkest) / (paper - darkest || 1)) * 100);
    return ramp;
  };
  return {
    inkOf(lightness: number): number {
      const step = rampOf().findIndex((value) => value <= lightness + 1e-9);
      if (step <= 0) return step === 0 ? 0 : 1;
      const [above = 0, below = 0] = [rampOf()[step - 1], rampOf()[step]];
      return clamp((step - 1 + (above === below ? 0 : (above - lightness) / (above - below))) / rampSteps);
    },
    lightnessOf(ink: number): number {
      const at = clamp(ink) * rampSteps;
      const [above = 0, below = 0] = [rampOf()[Math.floor(at)], rampOf()[Math.ceil(at)]];
      return above + (below - above) * (at - Math.floor(at));
    },
  };
}
