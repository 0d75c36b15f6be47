import type { z } from 'zod';
import type { FeatureKey, ProfileKind, StepKind } from './enumerations.ts';
import { valueFaultOf } from './value-faults.ts';
import type { WorkflowDefinition, WorkflowEdge, WorkflowIssue, WorkflowStep } from './workflows.ts';

/** A way out of a step that its settings make. */
export interface StepPort {
  /** Stays the same while the setting it belongs to is edited: connections name it as their outcome. */
  id: string;
  /** What the person called it; empty where the interface numbers it. */
  name: string;
}

/** Something wrong with one setting; `field` is its dotted path. */
export type SettingIssue = Pick<WorkflowIssue, 'code' | 'field' | 'params'>;

/** Something outside the workflow that a setting names by its id. */
export interface StepReference {
  resource: ProfileKind | 'workflow' | 'assignee';
  id: string;
  /** Dotted path of the setting. */
  field: string;
}

/** A way in, by its kind. `field` is the dotted path of the whole. */
export interface NamedSource {
  kind: string;
  settings: unknown;
  field: string;
}

/** What the rules need to know about a kind of step. The kinds tell it themselves; nothing here names one. */
export interface StepKindRules {
  settings: z.ZodObject;
  /** Outcomes that every step of the kind has: the ports its connections leave by, in the order they are drawn. */
  outcomes: readonly string[];
  /** Ports that a step's settings make, drawn before the fixed ones. Takes settings as a draft holds them, complete or not. */
  portsOf?(settings: Readonly<Record<string, unknown>>): readonly StepPort[];
  /** Issue when a port leads nowhere; without it `workflow.notConnected`. */
  portsMissing?: string;
  /** Sessions begin here: nothing leads into it. */
  isEntry?: boolean;
  /** A workflow has exactly one step of the kind: the issues when it has none, or a second one. */
  single?: { missing: string; twice: string };
  /** Its level becomes the session's result. */
  judges?: boolean;
  /** A step whose kind judges must come before it, on some path from the entry. */
  needsJudgement?: boolean;
  /**
   * Kind of the profile that the setting `profileId` names. `usesVariables`: its texts may name the workflow's variables, so
   * they are judged with these when the workflow is published.
   */
  profile?: { kind: ProfileKind; isRequired: boolean; usesVariables?: true };
  /** Feature of the plan that the kind belongs to. */
  feature?: FeatureKey;
  /** What a draft's settings lack that their schema cannot tell, each with the setting it is about. */
  lacks?(settings: Readonly<Record<string, unknown>>): readonly SettingIssue[];
  /** Profiles and workflows that the settings name, besides the one in `profileId`. */
  references?(settings: Readonly<Record<string, unknown>>): readonly StepReference[];
  /** Ways in that the settings name, each with settings of its own. */
  sources?(settings: Readonly<Record<string, unknown>>): readonly NamedSource[];
  /** Kept secrets that the settings name by their ids. */
  secrets?(settings: Readonly<Record<string, unknown>>): readonly { id: string; field: string }[];
  /** False while the kind can be drawn, but no runner exists yet. */
  isRunnable?: boolean;
}

/** All kinds by name: the first parameter of every rule, so that the browser and the server give the same one. */
export type StepKinds = Readonly<Record<StepKind, StepKindRules>>;

/** What the rules of the drawing ask; the canvas has it before the settings of the kinds are loaded. */
export type DrawnStepKinds = Readonly<Record<StepKind, Omit<StepKindRules, 'settings'>>>;

/** The ports of a step that its settings make, with the names people gave them. */
export const namedPortsOf = (kinds: DrawnStepKinds, { kind, settings }: Pick<WorkflowStep, 'kind' | 'settings'>) =>
  kinds[kind].portsOf?.(settings) ?? [];

/** Ports of a step, in the order they are drawn. */
export const outcomesOf = (kinds: DrawnStepKinds, step: Pick<WorkflowStep, 'kind' | 'settings'>): readonly string[] => [
  ...namedPortsOf(kinds, step).map(({ id }) => id),
  ...kinds[step.kind].outcomes,
];

function reachableFrom(start: string, edges: readonly WorkflowEdge[]): Set<string> {
  const next = new Map<string, string[]>();
  for (const edge of edges) next.set(edge.from, [...(next.get(edge.from) ?? []), edge.to]);
  const seen = new Set<string>();
  const open = [start];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const to of next.get(id) ?? []) {
      if (!seen.has(to)) {
        seen.add(to);
        open.push(to);
      }
    }
  }
  return seen;
}

/** Why a step of this kind may not be added to the graph, or null. */
export function addRefusal(
  kinds: DrawnStepKinds,
  definition: Pick<WorkflowDefinition, 'steps'>,
  kind: StepKind,
): string | null {
  const isSecond = definition.steps.some((step) => step.kind === kind);
  return (isSecond && kinds[kind].single?.twice) || null;
}

/** Why a connection may not be drawn, or null. Each port leads to one step. */
export function connectRefusal(
  kinds: DrawnStepKinds,
  definition: Pick<WorkflowDefinition, 'steps' | 'edges'>,
  connection: { from: string; outcome: string; to: string },
): string | null {
  const from = definition.steps.find((step) => step.id === connection.from);
  const to = definition.steps.find((step) => step.id === connection.to);
  if (!from || !to || !outcomesOf(kinds, from).includes(connection.outcome)) return 'workflow.portUnknown';
  if (kinds[to.kind].isEntry || from.id === to.id) return 'workflow.toPrevious';
  const leaving = definition.edges.filter((edge) => edge.from === from.id && edge.outcome === connection.outcome);
  if (leaving.some((edge) => edge.to === to.id)) return 'workflow.alreadyConnected';
  if (leaving.length > 0) return 'workflow.moreThanOneStep';
  if (reachableFrom(to.id, definition.edges).has(from.id)) return 'workflow.toPrevious';
  return null;
}

/** What exists around a workflow; what is absent is not checked. */
export interface WorkflowSurroundings {
  name: string;
  /** Ids of the profiles that exist, by kind of profile. */
  profileIds?: Partial<Record<ProfileKind, ReadonlySet<string>>>;
  /** Ids of profiles and workflows that exist for another organization than the one that this workflow is made for. */
  elsewhereIds?: ReadonlySet<string>;
  /** Ids of the workflows that exist. */
  workflowIds?: ReadonlySet<string>;
  /** Ids of the people and roles that exist. */
  assigneeIds?: ReadonlySet<string>;
  features?: ReadonlySet<FeatureKey>;
  /** Ids of the secrets that are kept for steps. */
  secretIds?: ReadonlySet<string>;
  /** Kinds of ways in, by name. A workflow names those that are polled. */
  sources?: Readonly<Record<string, { settings: z.ZodType; isPolled: boolean; feature?: FeatureKey }>>;
}

/** What is wrong with settings by their schema; a setting that the schema does not know is told by its name. */
function schemaIssues(schema: z.ZodType, settings: unknown, prefix = ''): SettingIssue[] {
  const strict = 'strict' in schema ? (schema as z.ZodObject).strict() : schema;
  const read = strict.safeParse(settings, { reportInput: true });
  if (read.success) return [];
  return read.error.issues.flatMap((issue): SettingIssue[] => {
    const path = [prefix, ...issue.path.map(String)].filter(Boolean);
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((name) => ({
        code: 'workflow.settingUnknown',
        field: [...path, name].join('.'),
        params: { name },
      }));
    const { code, params } = valueFaultOf(issue);
    return [{ code, field: path.join('.'), ...(params && { params }) }];
  });
}

function sourceIssues(around: WorkflowSurroundings, { kind, settings, field }: NamedSource): SettingIssue[] {
  if (!around.sources) return [];
  const source = Object.hasOwn(around.sources, kind) ? around.sources[kind] : undefined;
  if (!source?.isPolled) return [{ code: 'workflow.sourceUnknown', field: `${field}.kind`, params: { name: kind } }];
  const { feature } = source;
  const isLacking = feature && around.features && !around.features.has(feature);
  return [
    ...(isLacking ? [{ code: 'workflow.featureNotInPlan', field: `${field}.kind`, params: { feature } }] : []),
    ...schemaIssues(source.settings, settings, `${field}.settings`),
  ];
}

/** The profiles and workflows that the settings of a step name. */
export function referencesOf(
  kinds: StepKinds,
  { kind, settings }: Pick<WorkflowStep, 'kind' | 'settings'>,
): readonly StepReference[] {
  const { profile, references } = kinds[kind];
  const { profileId } = settings;
  const others = references?.(settings) ?? [];
  return profile && typeof profileId === 'string' && profileId
    ? [{ resource: profile.kind, id: profileId, field: 'profileId' }, ...others]
    : others;
}

const goneCodes = { workflow: 'workflow.targetGone', assignee: 'workflow.assigneeGone' };

function referenceIssues(
  kinds: StepKinds,
  step: Pick<WorkflowStep, 'kind' | 'settings'>,
  around: WorkflowSurroundings,
): SettingIssue[] {
  const named = referencesOf(kinds, step);
  const isMissing = kinds[step.kind].profile?.isRequired && !named.some(({ field }) => field === 'profileId');
  const gone = named.flatMap(({ resource, id, field }) => {
    const isOther = resource === 'workflow' || resource === 'assignee';
    const known = isOther ? around[`${resource}Ids`] : around.profileIds?.[resource];
    if (around.elsewhereIds?.has(id))
      return [{ code: isOther ? 'workflow.targetElsewhere' : 'workflow.profileElsewhere', field }];
    if (!known || known.has(id)) return [];
    return [{ code: isOther ? goneCodes[resource] : 'workflow.profileGone', field }];
  });
  return isMissing ? [{ code: 'workflow.profileMissing', field: 'profileId' }, ...gone] : gone;
}

/** Everything that is wrong with the settings of one step, by its kind. */
function settingIssues(
  kinds: StepKinds,
  step: Pick<WorkflowStep, 'kind' | 'settings'>,
  around: WorkflowSurroundings,
): SettingIssue[] {
  const { kind, settings } = step;
  const rules = kinds[kind];
  const { feature } = rules;
  const isLacking = feature && around.features && !around.features.has(feature);
  const references = referenceIssues(kinds, step, around);
  const told = new Set(references.map(({ field }) => field));
  return [
    ...(isLacking ? [{ code: 'workflow.featureNotInPlan', params: { feature } }] : []),
    ...(rules.isRunnable === false ? [{ code: 'workflow.kindNotRunnable', params: { kind } }] : []),
    ...references,
    ...schemaIssues(rules.settings, settings).filter(({ field }) => !told.has(field)),
    ...(rules.lacks?.(settings) ?? []),
    ...(rules.secrets?.(settings) ?? []).flatMap(({ id, field }) =>
      !around.secretIds || around.secretIds.has(id) ? [] : [{ code: 'workflow.secretGone', field }],
    ),
    ...(rules.sources?.(settings) ?? []).flatMap((source) => sourceIssues(around, source)),
  ];
}

/** The connections that lead back to a step on the way to them, each circle told once: seen from where files come in. */
function leadingBack(entry: string | undefined, { steps, edges }: Pick<WorkflowDefinition, 'steps' | 'edges'>) {
  const leaving = new Map<string, WorkflowEdge[]>();
  for (const edge of edges) leaving.set(edge.from, [...(leaving.get(edge.from) ?? []), edge]);
  const back = new Set<WorkflowEdge>();
  const done = new Set<string>();
  const onWay = new Set<string>();
  const walk = (id: string): void => {
    if (done.has(id)) return;
    done.add(id);
    onWay.add(id);
    for (const edge of leaving.get(id) ?? []) {
      if (onWay.has(edge.to)) back.add(edge);
      else walk(edge.to);
    }
    onWay.delete(id);
  };
  if (entry !== undefined) walk(entry);
  for (const { id } of steps) walk(id);
  return back;
}

/** Ports that are taken, as `step outcome` with a line break between, and the connections that break a rule. */
function judgeEdges(kinds: StepKinds, { steps, edges }: Pick<WorkflowDefinition, 'steps' | 'edges'>) {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const issues: WorkflowIssue[] = [];
  const taken = new Set<string>();
  const entry = steps.find((step) => kinds[step.kind].isEntry);
  const back = leadingBack(entry?.id, { steps, edges });
  for (const edge of edges) {
    const from = byId.get(edge.from);
    const to = byId.get(edge.to);
    if (!from || !to || !outcomesOf(kinds, from).includes(edge.outcome)) {
      issues.push({ code: 'workflow.portUnknown', edgeId: edge.id, ...(from && { stepId: from.id }) });
      continue;
    }
    const port = `${edge.from}\n${edge.outcome}`;
    if (taken.has(port)) issues.push({ code: 'workflow.moreThanOneStep', edgeId: edge.id, stepId: from.id });
    taken.add(port);
    if (kinds[to.kind].isEntry || back.has(edge))
      issues.push({ code: 'workflow.toPrevious', edgeId: edge.id, stepId: from.id });
  }
  return { issues, taken };
}

const doubled = <T extends { id: string }>(list: readonly T[]): T[] => {
  const met = new Set<string>();
  return list.filter(({ id }) => met.has(id) || !met.add(id));
};

/**
 * Everything about the steps and connections of a graph that keeps it from being published. Pure, and the same in the
 * builder and in the API. An empty list means that the graph runs and ends.
 */
export function validateWorkflow(
  kinds: StepKinds,
  definition: WorkflowDefinition,
  around: WorkflowSurroundings,
): WorkflowIssue[] {
  const { steps, edges } = definition;
  const issues: WorkflowIssue[] = [];
  const say = (code: string, where: Omit<WorkflowIssue, 'code'> = {}) => issues.push({ code, ...where });

  if (!around.name.trim()) say('workflow.nameMissing', { field: 'name' });
  const { communicationProfileId: told } = definition;
  if (told !== undefined && around.elsewhereIds?.has(told))
    say('workflow.profileElsewhere', { field: 'communicationProfileId' });
  else if (told !== undefined && around.profileIds?.communication?.has(told) === false)
    say('workflow.profileGone', { field: 'communicationProfileId' });
  for (const { id } of doubled(steps)) say('workflow.idTwice', { stepId: id });
  for (const { id } of doubled(edges)) say('workflow.idTwice', { edgeId: id });
  for (const [kind, { single }] of Object.entries(kinds)) {
    if (!single) continue;
    const [first, ...others] = steps.filter((step) => step.kind === kind);
    if (!first) say(single.missing);
    for (const step of others) say(single.twice, { stepId: step.id });
  }

  const { issues: edgeIssues, taken } = judgeEdges(kinds, definition);
  issues.push(...edgeIssues);
  const after = (some: readonly WorkflowStep[]) => new Set(some.flatMap(({ id }) => [...reachableFrom(id, edges)]));
  const entry = steps.find((step) => kinds[step.kind].isEntry);
  const reached = entry ? after([entry]) : new Set<string>();
  const judged = after(steps.filter((step) => kinds[step.kind].judges));
  for (const step of steps) {
    const { portsMissing, needsJudgement, isEntry } = kinds[step.kind];
    const stepId = step.id;
    const isOpen = outcomesOf(kinds, step).some((outcome) => !taken.has(`${stepId}\n${outcome}`));
    if (isOpen && portsMissing) say(portsMissing, { stepId });
    if ((!isEntry && !reached.has(stepId)) || (isOpen && !portsMissing)) say('workflow.notConnected', { stepId });
    if (needsJudgement && !judged.has(stepId)) say('workflow.preflightBefore', { stepId });
    for (const { code, ...where } of settingIssues(kinds, step, around)) say(code, { ...where, stepId });
  }
  return issues;
}
