import type { WorkflowIssue } from '@pdf2press/contract';
import { checkPlaceholders, type KnownNames } from '@pdf2press/settings';

/** What is wrong with the placeholders of every text in the settings, however deep, each with the setting it stands in. */
export function placeholderIssues(value: unknown, known: KnownNames, path: readonly string[] = []): WorkflowIssue[] {
  if (typeof value === 'string')
    return value.includes('{{')
      ? checkPlaceholders(value, known).map(({ code, params, offset }) => ({
          code,
          params: { ...params, offset },
          field: path.join('.'),
        }))
      : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => placeholderIssues(inner, known, [...path, key]));
}
