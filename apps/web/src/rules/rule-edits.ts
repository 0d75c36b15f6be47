import {
  type FactType,
  isGroup,
  maxDepth,
  type Operand,
  operatorOf,
  operatorsByType,
  type Rule,
  type RuleGroup,
} from '@pdf2press/settings';

/* Changes of a group of rules as the editor makes them. Pure: what was given stays as it is. */

export const emptyGroup: RuleGroup = { match: 'all', rules: [] };

/** A group as a draft holds it, complete or not. */
export const readGroup = (value: unknown): RuleGroup =>
  typeof value === 'object' && value !== null && 'rules' in value && Array.isArray(value.rules)
    ? (value as RuleGroup)
    : emptyGroup;

/** A rule that has not been filled in. */
export const emptyRule: Rule = { fact: '', operator: '' };

export const withEntry = (group: RuleGroup, at: number, entry: Rule | RuleGroup): RuleGroup => ({
  ...group,
  rules: group.rules.map((one, index) => (index === at ? entry : one)),
});
export const withoutEntry = (group: RuleGroup, at: number): RuleGroup => ({
  ...group,
  rules: group.rules.filter((_, index) => index !== at),
});
export const withMore = (group: RuleGroup, entry: Rule | RuleGroup): RuleGroup => ({
  ...group,
  rules: [...group.rules, entry],
});

/** Whether a group at this depth, from 1, can hold groups. */
export const canNest = (depth: number): boolean => depth < maxDepth;

export const operatorNamesOf = (type: FactType): string[] => Object.keys(operatorsByType[type]);

/** The rule with another comparison: its values stay where the new one asks for the same kind and number of them. */
export function withOperator(rule: Rule, type: FactType, name: string): Rule {
  const [before, after] = [operatorOf(type, rule.operator), operatorOf(type, name)];
  const { value, ...rest } = rule;
  const keeps = before?.asks === after?.asks && before?.count === after?.count && value !== undefined;
  return { ...rest, operator: name, ...(keeps && { value }) };
}

/** The rule about something else: comparison and values stay only where the type is the same. */
export function withFact(rule: Rule, fact: string, before: FactType | undefined, after: FactType): Rule {
  if (before === after) return { ...rule, fact };
  const [first = ''] = operatorNamesOf(after);
  return { fact, operator: first };
}

/** The values of a rule as the fields of its operator show them. */
export const operandsIn = ({ value }: Rule): readonly (Operand | undefined)[] =>
  Array.isArray(value) ? value : [value];

/** The rule with one of its values changed; an operator of one value keeps it bare. */
export function withOperand(rule: Rule, at: number, count: 'one' | 'two', operand: Operand | undefined): Rule {
  const { value: _, ...rest } = rule;
  if (count === 'one') return operand === undefined ? rest : { ...rest, value: operand };
  const both = [0, 1].map((index) => (index === at ? operand : operandsIn(rule)[index]) ?? '');
  return { ...rest, value: both };
}

/** Groups of rules in the settings of a step, each with its dotted path. */
export function groupsIn(settings: unknown, path = ''): { path: string; group: RuleGroup }[] {
  if (typeof settings !== 'object' || settings === null) return [];
  if ('match' in settings && 'rules' in settings && isGroup(settings as RuleGroup))
    return [{ path, group: settings as RuleGroup }];
  return Object.entries(settings).flatMap(([key, inner]) => groupsIn(inner, path === '' ? key : `${path}.${key}`));
}
