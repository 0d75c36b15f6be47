import { processingSteps } from '@pdf2press/pdf';
import { matchesAny } from '../../reading/names.ts';
import { inkedSpots } from '../../reading/spots.ts';
import { checkRunner } from '../runner.ts';

/** The step of a line to cut along (ISO 19593-1). */
const cutting = 'Structural/Cutting';

export const processingStepsRunner = checkRunner<'ProcessingSteps'>()<string[]>({
  page({ settings, report }) {
    const spots = new Set<string>();
    return {
      object(object) {
        // Technical lines are often on hidden layers; they count as present.
        if (object.hidden !== null && object.hidden !== 'layer') return;
        for (const name of inkedSpots(object)) {
          spots.add(name);
          if (object.hidden !== null || object.type !== 'vector' || !matchesAny(name, settings.technicalSpots))
            continue;
          const { paints, state } = object.event;
          const overprints = paints === 'fill' ? state.fillOverprint : state.strokeOverprint;
          if (settings.strokeOnly && paints !== 'stroke') report({ rule: 'filled', object, resourceName: name });
          if (settings.overprintRequired && !overprints) {
            report({
              rule: 'knocksOut',
              object,
              resourceName: name,
              colourOf: paints === 'fill' ? 'fill' : 'stroke',
              fixableBy: { action: 'Overprint', params: { technicalInks: [name] } },
            });
          }
        }
      },
      end: () => [...spots],
    };
  },
  document({ file, settings, report }, pages) {
    const steps = processingSteps(file);
    for (const required of settings.required) {
      if (!steps.some((step) => matchesAny(step, [required])))
        report({
          rule: 'missing',
          objectType: 'document',
          params: { step: required, found: steps },
          ...(matchesAny(cutting, [required]) && { fixableBy: { action: 'AddCutContour', params: {} } }),
        });
    }
    for (const step of steps) {
      if (matchesAny(step, settings.notAllowed))
        report({ rule: 'notAllowed', objectType: 'document', params: { step } });
    }
    const spots = [...new Set(pages.flatMap(({ found }) => found ?? []))];
    const { requiredSpots } = settings;
    if (requiredSpots.length > 0 && !spots.some((name) => matchesAny(name, requiredSpots))) {
      const spotName = requiredSpots.find((name) => !name.includes('*'));
      report({
        rule: 'spotMissing',
        objectType: 'document',
        params: { names: [...requiredSpots] },
        ...(spotName !== undefined && { fixableBy: { action: 'AddCutContour', params: { spotName } } }),
      });
    }
    return { steps, technicalSpots: spots.filter((name) => matchesAny(name, settings.technicalSpots)) };
  },
});
