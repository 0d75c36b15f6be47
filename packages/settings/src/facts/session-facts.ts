import {
  formatBytes,
  type ResultLevel,
  unitSymbols,
  type VariableValues,
  type WorkflowVariable,
} from '@pdf2press/contract';
import { formatDate } from '../placeholders/date-pattern.ts';
import type { Reader } from '../placeholders/plain-text.ts';
import { variableFacts } from '../variables/variables.ts';
import { type Fact, type Facts, type FactType, factsOf, nameKey, readDate } from './facts.ts';
import { knownNames } from './known-names.ts';
import { handedGroups, ruleVariables, sessionVariables, type Variable } from './predefined.ts';

interface ValueOfType {
  String: string;
  Choice: string;
  Number: number;
  Length: number;
  Bytes: number;
  YesNo: boolean;
  Date: Date | string;
  List: readonly string[];
}
type Tables = typeof sessionVariables & Omit<typeof ruleVariables, 'preflight.findings'>;
/** Made here from other values. */
type Derived =
  | 'file.baseName'
  | 'file.extension'
  | 'file.sizeText'
  | 'pdf.trimUnit'
  | 'date'
  | 'time'
  | 'now'
  | 'year'
  | 'month'
  | 'day';

/**
 * What is known about a session, by the names of the predefined variables: lengths in points, moments as `Date` or ISO 8601,
 * calendar days as `2026-11-22`. What is left out or null is a known name without a value.
 */
export type SessionValues = {
  readonly [Name in Exclude<keyof Tables, Derived>]?: ValueOfType[Tables[Name]['type'] & FactType] | null;
};

/** The names of the product; the same for every session. */
const predefined = knownNames({ scope: 'rule', variables: [] });
const predefinedTypes = Object.entries<Variable>({ ...sessionVariables, ...ruleVariables })
  .filter(([name]) => name !== 'preflight.findings')
  .map(([name, { type }]) => [nameKey(name), type] as const);

/** One check of the newest preflight: `preflight.check.<key>.result` and `.value`. */
export interface CheckFact {
  key: string;
  result: ResultLevel;
  /** What it measured, if it measures one thing; a length in points. */
  value?: Fact | null;
}

/** A value that was handed in under a name of the product, as the type of the name; null where it is none of it. */
function handedAs(type: FactType, value: VariableValues[string]): Fact['value'] {
  if (value === null || value === '') return null;
  if (type === 'Number') return Number.isFinite(Number(value)) ? Number(value) : null;
  if (type === 'Date') return readDate(String(value)) ? String(value) : null;
  return String(value);
}

/**
 * The facts of a session: what every text, condition and bound setting of it is looked up in. Whoever runs a step makes
 * them once per step.
 * @param variables the workflow's, as the session's version declares them
 * @param handed the session's variable values as they are stored
 * @param reader whose language, unit and time zone count: of the organisation, or of who is written to
 */
export function sessionFacts({
  values,
  checks = [],
  variables,
  handed,
  reader,
  now,
}: {
  values: SessionValues;
  checks?: readonly CheckFact[];
  variables: readonly WorkflowVariable[];
  handed: VariableValues;
  reader: Reader;
  now: Date;
}): Facts {
  const name = values['file.name'] ?? '';
  const dot = name.lastIndexOf('.');
  const bytes = values['file.sizeBytes'];
  const at = (pattern: string) => formatDate(now, pattern, reader);
  const facts = factsOf(
    {
      ...values,
      'file.baseName': dot > 0 ? name.slice(0, dot) : name,
      'file.extension': dot > 0 ? name.slice(dot + 1) : '',
      'file.sizeText': typeof bytes === 'number' ? formatBytes(bytes) : null,
      'pdf.trimUnit': unitSymbols[reader.unit],
      now,
      date: at('yyyy-MM-dd'),
      time: at('HH:mm'),
      year: at('yyyy'),
      month: at('MM'),
      day: at('dd'),
    } satisfies SessionValues & Record<Derived, unknown>,
    (each) => predefined.get(each)?.type,
  );
  // A name without a value is known all the same: its type decides which operators make sense.
  for (const [each, type] of predefinedTypes) if (!facts.has(each)) facts.set(each, { type, value: null });
  for (const [name, value] of Object.entries(handed)) {
    const fact = facts.get(nameKey(name));
    if (fact && handedGroups.some((group) => nameKey(name).startsWith(group)))
      facts.set(nameKey(name), { type: fact.type, value: handedAs(fact.type, value) });
  }
  for (const { key, result, value } of checks) {
    facts.set(nameKey(`preflight.check.${key}.result`), { type: 'Choice', value: result });
    facts.set(nameKey(`preflight.check.${key}.value`), value ?? { type: 'Number', value: null });
  }
  return variableFacts({ variables, values: handed, facts, reader });
}
