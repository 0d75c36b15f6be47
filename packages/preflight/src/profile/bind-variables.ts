import { FileFaultError } from '@pdf2press/contract';
import { bindParts, hasSetting, parseOnce, type Variables } from '@pdf2press/settings';
import type { z } from 'zod';
import { type PreflightProfile, preflightProfileSchema } from './profile.ts';

/**
 * Validates a profile from JSON.
 * @throws FileFaultError SETTINGS_INVALID {field, reason} for the first wrong field
 */
export function readProfile(raw: unknown): PreflightProfile {
  const read = preflightProfileSchema.safeParse(raw, parseOnce);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  throw new FileFaultError('SETTINGS_INVALID', {
    field: issue?.path.join('.') ?? '',
    reason: issue?.code ?? '',
  });
}

/**
 * Replaces settings by the values of their expressions over workflow variables
 * (`variables: { 'PageDimentions.width': '2 * w' }`). An expression without a value leaves the stored setting.
 * @param schemaOf the settings schema of a check; null for an unknown key
 * @throws FileFaultError SETTINGS_INVALID {field, reason} for an unknown setting or a value that its schema refuses
 */
export function bindVariables(
  profile: PreflightProfile,
  variables: Variables,
  schemaOf: (key: string) => z.ZodType | null,
): PreflightProfile {
  const { variables: bindings, checks, unit } = profile;
  const targets = Object.keys(bindings);
  if (targets.length === 0) return profile;
  for (const target of targets) {
    const [key = '', ...path] = target.split('.');
    const schema = schemaOf(key);
    if (!schema || !hasSetting(schema, path.join('.')))
      throw new FileFaultError('SETTINGS_INVALID', { field: `variables.${target}`, reason: 'unknown' });
  }
  return readProfile({ ...profile, checks: bindParts({ parts: checks, bindings, schemaOf, variables, unit }) });
}
