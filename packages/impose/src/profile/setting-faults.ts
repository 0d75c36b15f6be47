import type { PlanProblem } from '@pdf2press/contract';
import { placeholderFault } from '@pdf2press/settings';
import type { z } from 'zod';
import { marks } from '../marks/marks.ts';
import { fault } from '../sheet/problems.ts';
import { namedSheets } from '../sheet/settings.ts';

type Issue = z.core.$ZodIssue;

/** A problem with the setting's path, the given value and the possible values. */
export function settingFault(issue: Issue, stored: unknown): PlanProblem {
  const field = issue.path.filter((part) => typeof part === 'string').join('.') || 'type';
  // A short form (`margins=5mm`, `gutterH=0,3mm`) has no inner values: it is reported for each of them.
  const value = asWord(
    issue.path.reduce<unknown>((at, key) => {
      if (Array.isArray(at)) return at[Number(key)];
      return isRecord(at) ? at[String(key)] : at;
    }, stored),
  );
  if (field === 'sheet' && issue.code === 'invalid_type') {
    return fault('impose.sheetUnknown', 'sheet', { value, allowed: Object.keys(namedSheets).join(', ') });
  }
  const reasons = reasonsOf(issue);
  const placeholder = reasons.map(placeholderFault).find((found) => found !== null);
  if (placeholder) return fault(placeholder.code, field, placeholder.params);
  const length = reasons.find((reason) => reason.code === 'custom');
  if (length?.code === 'custom') {
    const { code, min, max, allowed } = length.params as { code: string; min: number; max: number; allowed?: string };
    if (code === 'expression.invalid') return fault(code, field, { value });
    if (allowed !== undefined) return fault('impose.settingInvalid', field, { value, allowed });
    return fault('impose.lengthInvalid', field, { value, min, max });
  }
  if (field === 'marks')
    return fault('impose.settingInvalid', field, { value, allowed: Object.keys(marks).join(', ') });
  const allowed = [...new Set(reasons.flatMap(allowedBy))].join(', ');
  return fault('impose.settingInvalid', field, { value, allowed });
}

/** A value as text, at most 60 characters; empty for lists and groups. */
const asWord = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value).slice(0, 60)
    : '';

/** The issues of all alternatives of a union; when some are about limits, only these, since the value was a number. */
function reasonsOf(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const inner = issue.errors.flat().flatMap(reasonsOf);
  return inner.some(isBound) ? inner.filter(isBound) : inner;
}

const isBound = ({ code }: Issue): boolean => code === 'too_small' || code === 'too_big';

const numbers = ['1, 2, 3 …'];
const expectedWords: Readonly<Record<string, string[]>> = { number: numbers, int: numbers, boolean: ['true', 'false'] };

function allowedBy(issue: Issue): string[] {
  switch (issue.code) {
    case 'invalid_value':
      return issue.values.map(String);
    case 'too_small':
      return [`≥ ${issue.minimum}`];
    case 'too_big':
      return [`≤ ${issue.maximum}`];
    case 'invalid_type':
      return expectedWords[issue.expected] ?? [];
    case 'invalid_format':
      return ['1x6, 2x2'];
    default:
      return [];
  }
}

/** Dotted paths of settings that the schema does not have. */
export function unknownSettings(given: unknown, read: unknown, path = ''): string[] {
  if (!isRecord(given) || !isRecord(read)) return [];
  return Object.entries(given).flatMap(([key, value]) =>
    key in read ? unknownSettings(value, read[key], `${path}${key}.`) : [`${path}${key}`],
  );
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
