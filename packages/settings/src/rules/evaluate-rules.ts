import { type Finding, resolvePageRange, type Severity, severities } from '@pdf2press/contract';
import { type Fact, type Facts, type FactType, type FactValue, nameKey } from '../facts/facts.ts';
import { operatorOf, type Surroundings } from './operators.ts';
import { isGroup, type Operand, type Rule, type RuleGroup } from './rules.ts';

/** The findings that `preflight.findings` counts. */
type CountedFinding = Pick<Finding, 'checkKey' | 'ruleKey' | 'severity' | 'page'> &
  Partial<Pick<Finding, 'pages' | 'count'>>;

export interface RuleFacts extends Omit<Surroundings, 'isCaseSensitive'> {
  facts: Facts;
  /** Of the newest preflight. */
  findings?: readonly CountedFinding[];
  pageCount?: number;
}

/** How one rule came out; kept in the session's log and shown beside the rule. */
export interface RuleRow {
  /** Of the rule in the group: `rules.0.rules.1`. */
  path: string;
  fact: string;
  type: FactType;
  operator: string;
  /** The values it was compared with, variables replaced by what they hold; null for a variable without a value. */
  expected: FactValue[];
  /** Null: there is no such fact in this session. */
  actual: FactValue;
  verdict: boolean;
}

/** Name of the fact that counts findings. */
export const findingsFact = 'preflight.findings';

const missing: Fact = { type: 'String', value: null };

function countFindings(filter: Rule['findings'], { findings, pageCount = 0 }: RuleFacts): Fact {
  if (!findings) return { type: 'Number', value: null };
  const least = severities.indexOf(filter?.severity ?? ('Info' satisfies Severity));
  const pages = filter?.pages === undefined ? null : new Set(resolvePageRange(filter.pages, pageCount));
  const counts = findings.filter(
    ({ checkKey, ruleKey, severity, page, pages: several }) =>
      severities.indexOf(severity) >= least &&
      (filter?.check === undefined || filter.check === checkKey) &&
      (filter?.rule === undefined || filter.rule === ruleKey) &&
      (pages === null || (several ?? (page === null ? [] : [page])).some((each) => pages.has(each))),
  );
  return { type: 'Number', value: counts.reduce((sum, { count = 1 }) => sum + count, 0) };
}

const typeOfConstant = { string: 'String', number: 'Number', boolean: 'YesNo' } as const;

/** A constant beside a fact: a number beside a length is in points, as every stored length. */
export function constantFact(value: string | number | boolean, actual: FactType): Fact {
  const type = typeOfConstant[typeof value as keyof typeof typeOfConstant];
  return { type: type === 'Number' && actual === 'Length' ? 'Length' : type, value };
}
/** A variable keeps its own type: the bare number of a variable beside a length is in the reader's unit. */
const operandFact = (operand: Operand, actual: FactType, facts: Facts): Fact =>
  typeof operand === 'object' ? (facts.get(nameKey(operand.variable)) ?? missing) : constantFact(operand, actual);

export const operandsOf = ({ value }: Rule): readonly Operand[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];

/** How many values an operator's `count` allows. */
export const fitsCount = (count: 'none' | 'one' | 'two' | 'many', given: number): boolean =>
  count === 'many' ? given > 0 : given === { none: 0, one: 1, two: 2 }[count];

/** The log keeps what a person reads, not a whole mail. */
const longestShown = 200;
const shorten = (value: FactValue): FactValue => {
  if (typeof value === 'string') return value.length > longestShown ? `${value.slice(0, longestShown)}…` : value;
  return Array.isArray(value) && value.length > longestShown ? value.slice(0, longestShown) : value;
};

function lookAt(rule: Rule, path: string, about: RuleFacts): RuleRow {
  const { facts, ...around } = about;
  const isCount = nameKey(rule.fact) === findingsFact;
  const actual = isCount ? countFindings(rule.findings, about) : (facts.get(nameKey(rule.fact)) ?? missing);
  const expected = operandsOf(rule).map((operand) => operandFact(operand, actual.type, facts));
  const operator = operatorOf(actual.type, rule.operator);
  const operands = operator?.count === 'none' ? [] : expected;
  const verdict =
    operator !== undefined &&
    actual.value !== null &&
    fitsCount(operator.count, operands.length) &&
    operator.holds(actual, operands, { ...around, isCaseSensitive: rule.isCaseSensitive ?? false });
  return {
    path,
    fact: rule.fact,
    type: actual.type,
    operator: rule.operator,
    expected: expected.map(({ value }) => shorten(value)),
    actual: shorten(actual.value),
    verdict,
  };
}

/**
 * Whether a group of rules holds, and how each rule came out, in the order of the rules. Every rule is looked at, so that
 * the table is whole. A fact or a variable without a value makes a rule false, whatever its operator.
 */
export function evaluateRules(group: RuleGroup, about: RuleFacts): { verdict: boolean; table: RuleRow[] } {
  const table: RuleRow[] = [];
  const walk = ({ match, rules }: RuleGroup, path: string): boolean => {
    const verdicts = rules.map((each, at) => {
      const here = `${path}rules.${at}`;
      if (isGroup(each)) return walk(each, `${here}.`);
      const row = lookAt(each, here, about);
      table.push(row);
      return row.verdict;
    });
    if (match === 'all') return verdicts.every(Boolean);
    const isAny = verdicts.some(Boolean);
    return match === 'any' ? isAny : !isAny;
  };
  const verdict = walk(group, '');
  return { verdict, table };
}
