import { nameKey, namesIn, resolvePlaceholders } from '@pdf2press/settings';
import type { StepContext } from './step.ts';
import { stepFacts } from './step-facts.ts';

/** A text of a step's settings with its placeholders filled in. */
export async function textOf(context: StepContext, text: string): Promise<string> {
  const names = namesIn(text);
  if (names.length === 0) return text;
  const { facts } = await stepFacts(context, names);
  return resolvePlaceholders(text, facts, context.reader);
}

/** Every text in settings, however deep. */
const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];

/** Sheets are read in the press room, in whatever language. */
const press = { locale: 'en', unit: 'Millimeters', timeZone: 'UTC' } as const;

/**
 * The values of the names that the texts of a profile use, as they stand for themselves: for work in a child process, which
 * knows no session. Moments as ISO 8601, lengths as bare numbers of millimetres, lists with commas.
 */
export async function valuesFor(context: StepContext, profile: unknown): Promise<Record<string, string>> {
  const names = [...new Set(textsIn(profile).flatMap(namesIn))];
  if (names.length === 0) return {};
  const { facts } = await stepFacts(context, names);
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = facts.get(nameKey(name))?.value ?? null;
      if (value === null) return [];
      return [[name, value instanceof Date ? value.toISOString() : resolvePlaceholders(`{{${name}}}`, facts, press)]];
    }),
  );
}
