import type { WorkflowDefinition, WorkflowStep, WorkflowVariable } from '@pdf2press/contract';
import { replaceEqualDeep } from '@tanstack/react-query';

/** Whether two values hold the same, however deep. The library's own comparison of answers. */
export const isSame = (a: unknown, b: unknown): boolean => replaceEqualDeep(a, b) === a;

/** One thing that differs between two definitions, in the words of the later one. */
export type Difference =
  | { kind: 'nameChanged'; before: string; after: string }
  | { kind: 'stepAdded' | 'stepRemoved' | 'stepMoved'; step: WorkflowStep }
  | { kind: 'stepRenamed'; step: WorkflowStep; before: WorkflowStep }
  | { kind: 'settingChanged'; step: WorkflowStep; setting: string; before: unknown; after: unknown }
  | { kind: 'connectionAdded' | 'connectionRemoved'; from: WorkflowStep; outcome: string; to: WorkflowStep }
  | { kind: 'communicationChanged'; before: string | undefined; after: string | undefined }
  | { kind: 'variableAdded' | 'variableRemoved' | 'variableChanged'; variable: WorkflowVariable };

const keyOf = ({ from, outcome, to }: { from: string; outcome: string; to: string }) => `${from}\n${outcome}\n${to}`;

/** What differs between two drafts: what the workflow is called, then the rest. */
export const draftDifferences = (
  before: { name: string; draft: WorkflowDefinition },
  after: { name: string; draft: WorkflowDefinition },
): Difference[] => [
  ...(before.name === after.name ? [] : [{ kind: 'nameChanged' as const, before: before.name, after: after.name }]),
  ...differencesOf(before.draft, after.draft),
];

/** What differs, steps first, then connections and variables. Where steps stand counts last: it changes no run. */
export function differencesOf(before: WorkflowDefinition, after: WorkflowDefinition): Difference[] {
  const was = new Map(before.steps.map((step) => [step.id, step]));
  const is = new Map(after.steps.map((step) => [step.id, step]));
  return [
    ...after.steps.flatMap((step) => stepDifferences(was.get(step.id), step)),
    ...before.steps.flatMap((step) => (is.has(step.id) ? [] : [{ kind: 'stepRemoved' as const, step }])),
    ...connectionDifferences(before, after),
    ...variableDifferences(before.variables, after.variables),
    ...(before.communicationProfileId === after.communicationProfileId
      ? []
      : [
          {
            kind: 'communicationChanged' as const,
            before: before.communicationProfileId,
            after: after.communicationProfileId,
          },
        ]),
    ...after.steps.flatMap((step) => {
      const old = was.get(step.id);
      return old && old.kind === step.kind && !isSame(old.position, step.position)
        ? [{ kind: 'stepMoved' as const, step }]
        : [];
    }),
  ];
}

function stepDifferences(old: WorkflowStep | undefined, step: WorkflowStep): Difference[] {
  if (!old) return [{ kind: 'stepAdded', step }];
  // Another kind under the same id is another step.
  if (old.kind !== step.kind)
    return [
      { kind: 'stepRemoved', step: old },
      { kind: 'stepAdded', step },
    ];
  return [
    ...(old.name === step.name ? [] : [{ kind: 'stepRenamed' as const, step, before: old }]),
    ...settingDifferences(step, old.settings, step.settings),
  ];
}

type Group = Readonly<Record<string, unknown>>;

const isGroup = (value: unknown): value is Group =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Groups of settings are looked into: each setting that differs is told with its path, `deadline.hours` for instance. */
function settingDifferences(step: WorkflowStep, old: Group, now: Group, path = ''): Difference[] {
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap((key): Difference[] => {
    const [before, after, setting] = [old[key], now[key], `${path}${key}`];
    if (isSame(before, after)) return [];
    return isGroup(before) && isGroup(after)
      ? settingDifferences(step, before, after, `${setting}.`)
      : [{ kind: 'settingChanged', step, setting, before, after }];
  });
}

function connectionDifferences(before: WorkflowDefinition, after: WorkflowDefinition): Difference[] {
  const steps = new Map([...before.steps, ...after.steps].map((step) => [step.id, step]));
  const beyond = (list: WorkflowDefinition['edges'], other: WorkflowDefinition['edges']) => {
    const known = new Set(other.map(keyOf));
    return list.filter((edge) => !known.has(keyOf(edge)));
  };
  const say = (kind: 'connectionAdded' | 'connectionRemoved', edges: WorkflowDefinition['edges']) =>
    edges.flatMap(({ from, outcome, to }) => {
      const [a, b] = [steps.get(from), steps.get(to)];
      return a && b ? [{ kind, from: a, outcome, to: b }] : [];
    });
  return [
    ...say('connectionAdded', beyond(after.edges, before.edges)),
    ...say('connectionRemoved', beyond(before.edges, after.edges)),
  ];
}

function variableDifferences(before: readonly WorkflowVariable[], after: readonly WorkflowVariable[]): Difference[] {
  const was = new Map(before.map((variable) => [variable.name, variable]));
  const is = new Set(after.map(({ name }) => name));
  return [
    ...after.flatMap((variable): Difference[] => {
      const old = was.get(variable.name);
      if (!old) return [{ kind: 'variableAdded', variable }];
      return isSame(old, variable) ? [] : [{ kind: 'variableChanged', variable }];
    }),
    ...before.flatMap((variable): Difference[] =>
      is.has(variable.name) ? [] : [{ kind: 'variableRemoved', variable }],
    ),
  ];
}
