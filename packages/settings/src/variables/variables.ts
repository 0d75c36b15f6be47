import { readVariables, type VariableValues, type WorkflowIssue, type WorkflowVariable } from '@pdf2press/contract';
import { type Fact, type Facts, nameKey } from '../facts/facts.ts';
import { isReservedName, knownNames } from '../facts/known-names.ts';
import { checkPlaceholders, namesIn, resolvePlaceholders } from '../placeholders/placeholders.ts';
import type { Reader } from '../placeholders/plain-text.ts';

/** The variables that a default is filled from, in lower case; only texts have placeholders. */
const sourcesOf = ({ type, default: text }: WorkflowVariable): string[] =>
  type === 'String' && typeof text === 'string' ? namesIn(text).map(nameKey) : [];

/**
 * The variables whose default leads back to itself, each with the way as names. Every variable has few sources and is
 * looked at once, so hundreds of them cost nothing.
 */
function loopsIn(variables: readonly WorkflowVariable[]): { name: string; path: string[] }[] {
  const byKey = new Map(variables.map((variable) => [nameKey(variable.name), variable]));
  const done = new Set<string>();
  const loops: { name: string; path: string[] }[] = [];
  const walk = (key: string, path: readonly string[]): void => {
    const variable = byKey.get(key);
    if (!variable || done.has(key)) return;
    const before = path.indexOf(key);
    if (before >= 0) {
      const way = [...path.slice(before), key].map((each) => byKey.get(each)?.name ?? each);
      loops.push({ name: variable.name, path: way });
      return;
    }
    for (const source of sourcesOf(variable)) walk(source, [...path, key]);
    done.add(key);
  };
  for (const key of byKey.keys()) walk(key, []);
  return loops;
}

/**
 * What is wrong with a workflow's variables: a name used twice or belonging to the product, a choice without options, a
 * default that does not fit the type, names a variable that does not exist, or is filled from itself.
 */
export function checkVariables(variables: readonly WorkflowVariable[]): WorkflowIssue[] {
  const issues: WorkflowIssue[] = [];
  const known = knownNames({ variables });
  const names = new Set<string>();
  for (const variable of variables) {
    const { name, type, options, default: initial } = variable;
    const say = (code: string, params: NonNullable<WorkflowIssue['params']> = {}, field?: string) =>
      issues.push({ code, variable: name, params: { variable: name, ...params }, ...(field && { field }) });
    if (names.has(nameKey(name))) say('workflow.variableTwice');
    names.add(nameKey(name));
    if (isReservedName(name)) say('workflow.variableReserved');
    if (type === 'Select' && options.length === 0) say('workflow.optionsMissing', {}, 'options');
    else if (initial !== null && initial !== '' && readVariables([variable], {}).problems.length > 0)
      say('workflow.variableDefault', {}, 'default');
    if (sourcesOf(variable).length > 0 || (type === 'String' && typeof initial === 'string' && initial.includes('{{')))
      for (const { code, params, offset } of checkPlaceholders(String(initial), known))
        say(code, { ...params, offset }, 'default');
  }
  for (const { name, path } of loopsIn(variables))
    issues.push({
      code: 'workflow.variableLoop',
      variable: name,
      field: 'default',
      params: { variable: name, path: path.join(' → ') },
    });
  return issues;
}

/**
 * The values of a workflow's variables as facts: those handed in, else the defaults, whose placeholders are filled in from
 * the session's facts and from each other. Values by other names are texts that were handed in beside them. A name of the
 * product is never taken from a variable.
 * @param facts of the session; they win over a value of the same name
 */
export function variableFacts({
  variables,
  values,
  facts,
  reader,
}: {
  variables: readonly WorkflowVariable[];
  values: VariableValues;
  facts: Facts;
  reader: Reader;
}): Map<string, Fact> {
  const known = knownNames({ variables });
  const all = new Map<string, Fact>();
  for (const [name, value] of Object.entries(values)) {
    if (isReservedName(name)) continue;
    const type =
      known.get(name)?.type ?? (typeof value === 'number' ? 'Number' : typeof value === 'boolean' ? 'YesNo' : 'String');
    all.set(nameKey(name), { type, value });
  }
  for (const [name, fact] of facts) all.set(name, fact);
  const byKey = new Map(variables.map((variable) => [nameKey(variable.name), variable]));
  const isOpen = (key: string) => {
    const variable = byKey.get(key);
    return variable !== undefined && sourcesOf(variable).length > 0 && all.get(key)?.value === variable.default;
  };
  const open = new Set([...byKey.keys()].filter(isOpen));
  const fill = (key: string): void => {
    const variable = byKey.get(key);
    if (!variable || !open.delete(key)) return;
    for (const source of sourcesOf(variable)) fill(source);
    all.set(key, { type: 'String', value: resolvePlaceholders(String(variable.default), all, reader) });
  };
  for (const key of [...open]) fill(key);
  return all;
}
