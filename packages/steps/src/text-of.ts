import { namesIn, resolvePlaceholders } from '@pdf2press/settings';
import type { StepContext } from './step.ts';
import { stepFacts } from './step-facts.ts';

/** A text of a step's settings with its placeholders filled in. */
export async function textOf(context: StepContext, text: string): Promise<string> {
  const names = namesIn(text);
  if (names.length === 0) return text;
  const { facts } = await stepFacts(context, names);
  return resolvePlaceholders(text, facts, context.reader);
}
