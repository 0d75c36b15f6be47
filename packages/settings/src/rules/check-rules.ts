import type { WorkflowIssue } from '@pdf2press/contract';
import type { FactType } from '../facts/facts.ts';
import type { KnownNames } from '../facts/known-names.ts';
import { shown } from '../placeholders/parse.ts';
import { constantFact, fitsCount, operandsOf } from './evaluate-rules.ts';
import { type Operator, operatorOf } from './operators.ts';
import type { RegularExpressions } from './regular-expressions.ts';
import { isGroup, maxDepth, maxRules, type Rule, type RuleGroup, rulesOf } from './rules.ts';

export interface RuleNames {
  /** Facts and variables of the place: `knownNames({ scope: 'rule', variables })`. */
  known: KnownNames;
  /** Needed when `needsRegularExpressions` says so. */
  regular: RegularExpressions | null;
}

/** What is wrong in a group: a code of the `rule.*` sentences and the field: `rules.0.operator`. */
export type RuleIssue = Required<Pick<WorkflowIssue, 'code' | 'field'>> & Pick<WorkflowIssue, 'params'>;

/** Whether a group has a rule with a regular expression, so that the engine for them must be loaded. */
export const needsRegularExpressions = (group: RuleGroup): boolean =>
  rulesOf(group).some(({ rule }) => rule.operator === 'matchesRegex');

/** Variables of these types can stand for a value that an operator asks. */
const variableTypes: Readonly<Record<Operator['asks'], readonly FactType[]>> = {
  text: ['String', 'Choice', 'Number', 'Date'],
  pattern: ['String'],
  same: ['Number', 'Length', 'Bytes', 'String'],
  yesNo: ['YesNo'],
  date: ['Date', 'String'],
  weekday: ['Number'],
  clock: ['String'],
  duration: ['String'],
  count: ['Number'],
  none: [],
};

/** A moment of no meaning: no operator's values depend on the time at which they are read. */
const anyTime = new Date(0);

function checkRule(rule: Rule, path: string, { known, regular }: RuleNames): RuleIssue[] {
  const issue = (code: string, field: string, params: RuleIssue['params'] = {}) => [
    { code: `rule.${code}`, field: `${path}.${field}`, params },
  ];
  if (rule.fact.trim() === '') return issue('factMissing', 'fact');
  const fact = known.get(rule.fact);
  if (!fact) return issue('factUnknown', 'fact', { name: shown(rule.fact) });
  const operator = operatorOf(fact.type, rule.operator);
  if (!operator)
    return issue('operatorNotForFact', 'operator', { name: shown(rule.fact), operator: shown(rule.operator) });
  if (operator.count === 'none') return [];
  const operands = operandsOf(rule);
  if (!fitsCount(operator.count, operands.length)) return issue('valueMissing', 'value');
  const around = { now: anyTime, unit: 'Millimeters', timeZone: 'UTC', isCaseSensitive: false, regular } as const;
  return operands.flatMap((operand, at) => {
    const field = Array.isArray(rule.value) ? `value.${at}` : 'value';
    if (typeof operand === 'object') {
      const variable = known.get(operand.variable);
      if (!variable) return issue('variableUnknown', field, { name: shown(operand.variable) });
      return variableTypes[operator.asks].includes(variable.type)
        ? []
        : issue('variableNotForOperator', field, { name: shown(operand.variable) });
    }
    if (operand === '') return issue('valueMissing', field);
    const value = constantFact(operand, fact.type);
    // Without the engine nothing can be said of a pattern: whoever asks without it leaves this code out.
    if (operator.asks === 'pattern' && !regular)
      return issue('expressionInvalid', field, { value: shown(String(operand)) });
    if (!operator.fits(value, around, fact.type))
      return issue(operator.asks === 'pattern' ? 'expressionInvalid' : 'valueWrong', field, {
        value: shown(String(operand)),
      });
    const isChoice = fact.type === 'Choice' && fact.options !== undefined;
    const isOption = fact.options?.some((option) => option.toLowerCase() === String(operand).toLowerCase());
    return isChoice && !isOption ? issue('valueWrong', field, { value: shown(String(operand)) }) : [];
  });
}

/** Everything that keeps a group of rules from being looked at, each with its field. Empty: it can be. */
export function checkRules(group: RuleGroup, names: RuleNames): RuleIssue[] {
  const issues: RuleIssue[] = [];
  let count = 0;
  const walk = ({ rules }: RuleGroup, path: string, depth: number): void => {
    if (depth > maxDepth) {
      issues.push({ code: 'rule.tooDeep', field: path.slice(0, -1), params: { max: maxDepth } });
      return;
    }
    if (rules.length === 0) issues.push({ code: 'rule.empty', field: `${path}rules` });
    rules.forEach((each, at) => {
      const here = `${path}rules.${at}`;
      count += 1;
      if (isGroup(each)) walk(each, `${here}.`, depth + 1);
      else issues.push(...checkRule(each, here, names));
    });
  };
  walk(group, '', 1);
  if (count > maxRules) issues.push({ code: 'rule.tooMany', field: 'rules', params: { max: maxRules } });
  return issues;
}
