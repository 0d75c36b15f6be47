import type { SettingIssue, WorkflowVariable } from '@pdf2press/contract';
import { knownNames, nameKey, type VariableScope, variablesIn } from '@pdf2press/settings';
import { placeholderIssues } from './placeholder-issues.ts';

/** The expressions of a profile: those that its settings follow, and those that its actions depend on. */
function expressionsIn(value: unknown, key = ''): string[] {
  if (typeof value === 'string') return key === 'expression' ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([inner, one]) => expressionsIn(one, inner));
}

const boundIn = ({ variables }: Readonly<Record<string, unknown>>): string[] =>
  typeof variables === 'object' && variables !== null
    ? Object.values(variables).filter((text) => typeof text === 'string')
    : [];

/**
 * The names that a profile uses and a workflow lacks, in its texts and in its expressions. A profile serves many workflows, so
 * that only here it is known which variables there are; without this a text would have a gap, and a setting would stay as
 * it is stored.
 * @param scope of the names that its texts have besides those of every session
 * @param also names that its expressions have besides the variables
 */
export function lackingNames(
  profile: Readonly<Record<string, unknown>>,
  variables: readonly WorkflowVariable[],
  { scope = 'session', also = [] }: { scope?: VariableScope; also?: readonly string[] } = {},
): SettingIssue[] {
  const known = new Set([...variables.map(({ name }) => name), ...also].map(nameKey));
  const names = [...boundIn(profile), ...expressionsIn(profile)].flatMap(variablesIn);
  const lacking = new Map(names.filter((name) => !known.has(nameKey(name))).map((name) => [nameKey(name), name]));
  return [
    ...placeholderIssues(profile, knownNames({ scope, variables })),
    ...[...lacking.values()].map((name) => ({ code: 'workflow.variableUnknown', params: { name } })),
  ].map((issue) => ({ ...issue, field: 'profileId' }));
}
