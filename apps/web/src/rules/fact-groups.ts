import type { WorkflowVariable } from '@pdf2press/contract';
import { type KnownNames, knownNames, nameKey, type VariableScope } from '@pdf2press/settings';

/** Parts of the list of names, in the order in which they stand there. */
export const factGroups = [
  'own',
  'scope',
  'file',
  'part',
  'pdf',
  'preflight',
  'checks',
  'fix',
  'impose',
  'session',
  'order',
  'upload',
  'org',
  'user',
  'step',
  'workflow',
  'hold',
  'proof',
  'email',
  'cloud',
  'time',
  'counter',
  'app',
] as const;
export type FactGroup = (typeof factGroups)[number];

const times: ReadonlySet<string> = new Set(['date', 'time', 'now', 'year', 'month', 'day']);
const isGroup = (text: string): text is FactGroup => factGroups.some((group) => group === text);

/** The part of the list that a name of the product stands in; `scope` for names of a sheet or a page. */
export function groupOf(name: string): FactGroup {
  if (times.has(name)) return 'time';
  if (name.startsWith('preflight.check.')) return 'checks';
  const [group = ''] = name.split('.');
  return isGroup(group) ? group : 'scope';
}

export interface FactChoice {
  name: string;
  group: FactGroup;
  /** Of a check: its key, and what of it is meant. */
  check?: { key: string; of: 'result' | 'value' };
}

/** Every name that may be chosen at a place, as its list shows them. */
export function factChoices(
  known: KnownNames,
  { variables, checks }: { variables: readonly Pick<WorkflowVariable, 'name'>[]; checks: readonly string[] },
): FactChoice[] {
  const own = new Set(variables.map(({ name }) => nameKey(name)));
  const named = known.list.map(
    ({ name }): FactChoice => ({ name, group: own.has(nameKey(name)) ? 'own' : groupOf(name) }),
  );
  const ofChecks = checks.flatMap((key) =>
    (['result', 'value'] as const).map(
      (of): FactChoice => ({ name: `preflight.check.${key}.${of}`, group: 'checks', check: { key, of } }),
    ),
  );
  const all = [...named, ...ofChecks];
  return factGroups.flatMap((group) => all.filter((choice) => choice.group === group));
}

/** The names of a place with the workflow's variables. */
export const namesAt = (scope: VariableScope, variables: readonly WorkflowVariable[]): KnownNames =>
  knownNames({ scope, variables });
