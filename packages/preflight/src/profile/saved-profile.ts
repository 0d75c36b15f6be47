import { isTree } from '@pdf2press/settings';
import { type PreflightProfile, preflightProfileSchema } from './profile.ts';

/** A pair of limits that contradict each other, by the path of the error's limit and the sentence that says why. */
interface Contradiction {
  path: readonly (string | number)[];
  code: 'value.errorBelowWarning' | 'value.errorAboveWarning';
}

const isNumber = (value: unknown): value is number => typeof value === 'number';

/** A limit of an error that leaves no value for its warning: every value that would be warned of is an error already. */
function contradictionsIn(settings: unknown, path: readonly (string | number)[]): Contradiction[] {
  if (!isTree(settings)) return [];
  const { failBelow, warnBelow, failAbove, warnAbove } = settings;
  return [
    ...(isNumber(failBelow) && isNumber(warnBelow) && failBelow > warnBelow
      ? [{ path: [...path, 'failBelow'], code: 'value.errorAboveWarning' } as const]
      : []),
    ...(isNumber(failAbove) && isNumber(warnAbove) && failAbove < warnAbove
      ? [{ path: [...path, 'failAbove'], code: 'value.errorBelowWarning' } as const]
      : []),
    ...Object.entries(settings).flatMap(([name, value]) => contradictionsIn(value, [...path, name])),
  ];
}

const contradictionsOf = ({ checks }: PreflightProfile): Contradiction[] =>
  checks.flatMap(({ enabled, settings }, at) =>
    enabled ? contradictionsIn(settings, ['checks', at, 'settings']) : [],
  );

/**
 * A profile that may be saved: as it is stored, and without limits that contradict each other. A profile that was stored
 * with such limits still runs.
 */
export const savedPreflightProfileSchema = preflightProfileSchema.superRefine((profile, context) => {
  for (const { path, code } of contradictionsOf(profile))
    context.addIssue({ code: 'custom', path: [...path], params: { code } });
});
