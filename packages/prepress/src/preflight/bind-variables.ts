import { FileFaultError } from '@pdf2press/contract';
import type { z } from 'zod';
import { evaluate, measureOf, type Variables } from './expression.ts';
import { type PreflightProfile, preflightProfileSchema } from './profile.ts';
import { isTree, unitOfSetting } from './setting-unit.ts';

/** Reads a profile from JSON of any origin. @throws FileFaultError SETTINGS_INVALID naming the first wrong field. */
export function readProfile(raw: unknown): PreflightProfile {
  const read = preflightProfileSchema.safeParse(raw);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  throw new FileFaultError('SETTINGS_INVALID', {
    field: issue?.path.join('.') ?? '',
    reason: issue?.code ?? '',
  });
}

/**
 * Puts the values of workflow variables where the profile binds them (`variables: { 'PageDimentions.width': '2 * w' }`).
 * A binding that cannot be computed leaves the stored value; one that gives a value its field refuses is an error.
 */
export function bindVariables(
  profile: PreflightProfile,
  variables: Variables,
  schemaOf: (key: string) => z.ZodType | null,
): PreflightProfile {
  const bindings = Object.entries(profile.variables);
  if (bindings.length === 0) return profile;
  const copy: PreflightProfile = structuredClone(profile);
  for (const [target, expression] of bindings) {
    const [key, ...path] = target.split('.');
    const schema = schemaOf(key ?? '');
    const unit = schema ? unitOfSetting(schema, path) : undefined;
    if (unit === undefined)
      throw new FileFaultError('SETTINGS_INVALID', {
        field: `variables.${target}`,
        reason: 'unknown',
      });
    const value = evaluate(expression, variables, measureOf(unit, profile.unit));
    if (value === undefined) continue;
    for (const check of copy.checks) {
      if (check.key !== key) continue;
      const parent = path
        .slice(0, -1)
        .reduce<unknown>((node, step) => (isTree(node) ? node[step] : undefined), check.settings);
      if (isTree(parent)) parent[path.at(-1) ?? ''] = value;
    }
  }
  return readProfile(copy);
}
