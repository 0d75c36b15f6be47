import { formatLength, type Locale, messageOf, type PlanProblem, sentence, type Unit } from '@pdf2press/contract';
import { lengthParams } from '../sheet/problems.ts';
import { messages } from './messages.ts';

/** A problem of imposition as a sentence, its lengths in `unit`; null for one whose words are not in this package. */
export function ownSentence({ code, params }: PlanProblem, locale: Locale, unit: Unit): string | null {
  if (messageOf(messages, locale, code) === undefined) return null;
  const shown = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === 'number' && lengthParams.has(name) ? formatLength(value, unit, locale) : value,
  ]);
  return sentence(messages, locale, code, Object.fromEntries(shown)).trim();
}
