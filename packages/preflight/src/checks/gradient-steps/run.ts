import type { Severity } from '@pdf2press/contract';
import type { Matrix, Shading } from '@pdf2press/pdf';
import { type Part, partsOf } from '../../reading/parts.ts';
import type { PageObject } from '../../reading/scene.ts';
import { checkRunner } from '../runner.ts';
import { rampOf } from './ramp.ts';

/** Tones of a plate: a RIP computes with 8 bits. */
const tones = 255;

/** Changes below this are so faint that nobody sees where they happen. */
const leastChange = 0.05;

export const gradientStepsRunner = checkRunner<'GradientSteps'>()<{ widest: number | null }>({
  page({ file, page, profile, settings, report }) {
    let widest: number | null = null;
    const enlarged = (page.userUnit * profile.scaleFactor) / (profile.viewingDistanceM ?? 1);
    const limits: [Severity, number | null][] = [
      ['Fail', settings.step.failAbove],
      ['Warn', settings.step.warnAbove],
    ];
    return {
      object(object) {
        if (object.hidden !== null || object.inGlyph) return;
        for (const { part, shading, matrix } of gradientsOf(object)) {
          const ramp = rampOf(file, shading, matrix);
          if (!ramp || ramp.change < leastChange) continue;
          const step = Math.round(((ramp.length * enlarged) / (ramp.change * tones)) * 100) / 100;
          widest = Math.max(widest ?? step, step);
          const broken = limits.find(([, limit]) => limit !== null && step > limit);
          if (!broken?.[1]) continue;
          report({
            rule: 'bands',
            severity: broken[0],
            object,
            colourOf: part,
            measured: { value: step, unit: 'pt' },
            limit: { value: broken[1], unit: 'pt', op: '<=' },
            params: { length: ramp.length * enlarged, change: Math.round(ramp.change * 100) },
          });
        }
      },
      end: () => ({ widest }),
    };
  },
  document(_, pages) {
    const known = pages.flatMap(({ found }) => found?.widest ?? []);
    return { widestStep: known.length > 0 ? Math.max(...known) : null };
  },
});

interface Gradient {
  part: Part;
  shading: Shading;
  matrix: Matrix;
}

/** The gradients that an object paints, with what maps their coordinates to the page. */
function gradientsOf(object: PageObject): Gradient[] {
  const { state } = object.event;
  if (object.type === 'shading') return [{ part: 'fill', shading: object.event.shading, matrix: state.ctm }];
  return partsOf(object).flatMap((part) => {
    const { pattern } = state[part];
    return pattern?.type === 'shading' ? [{ part, shading: pattern.shading, matrix: pattern.matrix }] : [];
  });
}
