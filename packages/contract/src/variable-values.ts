import { z } from 'zod';
import type { Problem } from './errors.ts';
import type { VariableValues, WorkflowVariable } from './workflows.ts';

const asNumber = (value: unknown) =>
  typeof value === 'number' ? value : typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
const yes = new Set(['true', 'yes', '1', 'on']);
const no = new Set(['false', 'no', '0', 'off']);

/** Characters of a text variable, as `variableValueSchema` allows. */
const longestText = 2000;

function read(variable: WorkflowVariable, value: unknown): string | number | boolean | undefined {
  if (variable.type === 'Number') return Number.isFinite(asNumber(value)) ? asNumber(value) : undefined;
  if (variable.type === 'YesNo') {
    const word = String(value).trim().toLowerCase();
    return yes.has(word) ? true : no.has(word) ? false : undefined;
  }
  const text = typeof value === 'object' ? '' : String(value);
  if (text === '' || text.length > longestText) return undefined;
  return variable.type === 'Select' && !variable.options.includes(text) ? undefined : text;
}

/**
 * Parses given values by the workflow's variables: typed, defaults filled in, unknown names kept as text. Every missing or
 * invalid one is a problem naming the variable.
 */
export function readVariables(
  variables: readonly WorkflowVariable[],
  given: Readonly<Record<string, unknown>>,
): { values: VariableValues; problems: Problem[] } {
  const values: VariableValues = {};
  const problems: Problem[] = [];
  const known = new Map(variables.map((variable) => [variable.name.toLowerCase(), variable]));
  const handed = new Map(Object.entries(given).map(([name, value]) => [name.toLowerCase(), { name, value }]));
  for (const variable of variables) {
    const value = handed.get(variable.name.toLowerCase())?.value ?? variable.default;
    if (value === null || value === undefined || value === '') {
      if (variable.isRequired)
        problems.push({ code: 'workflow.variableMissing', params: { name: variable.name }, field: variable.name });
      else values[variable.name] = null;
      continue;
    }
    const typed = read(variable, value);
    if (typed === undefined)
      problems.push({ code: 'workflow.variableInvalid', params: { name: variable.name }, field: variable.name });
    else values[variable.name] = typed;
  }
  for (const [key, { name, value }] of handed) {
    if (!known.has(key) && ['string', 'number', 'boolean'].includes(typeof value)) {
      values[name] = typeof value === 'string' ? value.slice(0, longestText) : (value as number | boolean);
    }
  }
  return { values, problems };
}

/** The same for what is not complete or not right yet: values that cannot be read are left out, and nothing is missing. */
export function readableVariables(
  variables: readonly WorkflowVariable[],
  given: Readonly<Record<string, unknown>>,
): VariableValues {
  const asked = variables.map((variable) => ({ ...variable, isRequired: false }));
  const unread = new Set(readVariables(asked, given).problems.map(({ field = '' }) => field.toLowerCase()));
  const read = Object.entries(given).filter(([name]) => !unread.has(name.toLowerCase()));
  return readVariables(asked, Object.fromEntries(read)).values;
}

const valueSchema = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** `readVariables` as a schema, for forms with a workflow's variables. */
export const variablesSchema = (variables: readonly WorkflowVariable[]) =>
  z.record(z.string(), valueSchema).transform((given, context) => {
    const { values, problems } = readVariables(variables, given);
    for (const { field, ...params } of problems)
      context.addIssue({ code: 'custom', path: field === undefined ? [] : [field], params });
    return values;
  });
