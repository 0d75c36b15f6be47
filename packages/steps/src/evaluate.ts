import {
  evaluateRules,
  loadRegularExpressions,
  needsRegularExpressions,
  type RuleGroup,
  type RuleRow,
  rulesOf,
} from '@pdf2press/settings';
import type { KnownOfSession } from './step.ts';
import { stepFacts } from './step-facts.ts';

const namesOf = (group: RuleGroup): string[] =>
  rulesOf(group).flatMap(({ rule: { fact, value } }) => [
    fact,
    ...[value].flat().flatMap((operand) => (typeof operand === 'object' ? [operand.variable] : [])),
  ]);

/** How one group of rules came out, as the session's log shows it. */
export interface Evaluated {
  verdict: boolean;
  table: RuleRow[];
}

/**
 * Looks at groups of rules one after the other, as they are asked for: all see the same facts and the same time.
 */
export async function openRules(
  context: KnownOfSession,
  groups: readonly RuleGroup[],
): Promise<(group: RuleGroup) => Evaluated> {
  const now = new Date();
  const { facts, findings, pageCount } = await stepFacts(context, groups.flatMap(namesOf), now);
  const regular = groups.some(needsRegularExpressions) ? await loadRegularExpressions() : null;
  const { unit, timeZone } = context.reader;
  return (group) =>
    evaluateRules(group, { facts, pageCount, now, unit, timeZone, regular, ...(findings && { findings }) });
}
