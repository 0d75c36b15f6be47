import { z } from 'zod';
import { knownNames } from '../facts/known-names.ts';
import type { VariableScope } from '../facts/predefined.ts';
import type { PlaceholderFault } from './parse.ts';
import { checkPlaceholders } from './placeholders.ts';

/**
 * A text setting with placeholders: an unknown name or format is refused where it is saved. A form offers the names of
 * its `placeholders` scope.
 */
export const placeholderText = ({ scope, min = 0, max = 500 }: { scope: VariableScope; min?: number; max?: number }) =>
  z
    .string()
    .min(min)
    .max(max)
    .superRefine((text, context) => {
      const [fault] = checkPlaceholders(text, knownNames({ scope }));
      if (fault)
        context.addIssue({
          code: 'custom',
          params: { code: fault.code, params: { ...fault.params, offset: fault.offset } },
        });
    })
    .meta({ placeholders: scope });

/** The fault of a placeholder that a schema's issue is about; null for any other issue. */
export function placeholderFault(issue: z.core.$ZodIssue): Pick<PlaceholderFault, 'code' | 'params'> | null {
  if (issue.code !== 'custom') return null;
  const { code, params } = (issue.params ?? {}) as Partial<PlaceholderFault>;
  return typeof code === 'string' && code.startsWith('placeholder.') ? { code, params: params ?? {} } : null;
}
