import type { FeatureKey, StepKind } from './enumerations.ts';
import { isSystemVariable } from './variables.ts';
import type { WorkflowDefinition, WorkflowEdge, WorkflowIssue, WorkflowStep } from './workflows.ts';

/**
 * The outcomes a step of a kind can end by: the ports that edges leave from. A route step has one port for each of
 * its rules and `otherwise`, so its list is read from its settings.
 */
const fixedOutcomes: Record<StepKind, readonly string[]> = {
  Inject: ['done'],
  Preflight: ['done'],
  Fix: ['done'],
  Impose: ['done'],
  Condition: ['true', 'false'],
  Route: [],
  Proof: ['Approved', 'Declined'],
  Hold: ['continue'],
  Action: ['done'],
  Rename: ['done'],
  Retention: ['done'],
  Complete: [],
  Cancel: [],
};

/** Ports of a step, in the order they are drawn. */
export function outcomesOf(step: Pick<WorkflowStep, 'kind' | 'settings'>): readonly string[] {
  if (step.kind !== 'Route') return fixedOutcomes[step.kind];
  const rules = Array.isArray(step.settings.rules) ? step.settings.rules : [];
  const named = rules.flatMap((rule: unknown) =>
    typeof rule === 'object' && rule !== null && 'id' in rule && typeof rule.id === 'string' ? [rule.id] : [],
  );
  return [...named, 'otherwise'];
}

/** Plan features that a kind of step needs (specification §4). */
export const featureOfKind: Partial<Record<StepKind, FeatureKey>> = {
  Action: 'ActionStep',
  Rename: 'FileRenaming',
  Impose: 'Imposition',
};

/** Steps that must have a profile, and whose words stand in the specification's message. */
const needsProfile: ReadonlySet<StepKind> = new Set(['Preflight', 'Fix', 'Impose', 'Proof']);

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
export function addRefusal(definition: Pick<WorkflowDefinition, 'steps'>, kind: StepKind): string | null {
  const has = definition.steps.some((step) => step.kind === kind);
  if (kind === 'Inject' && has) return 'workflow.twoInjections';
  if (kind === 'Complete' && has) return 'workflow.twoCompletions';
  return null;
}

/** Why a connection may not be drawn, or null. The specification's rules hold for each port. */
export function connectRefusal(
  definition: Pick<WorkflowDefinition, 'steps' | 'edges'>,
  connection: { from: string; outcome: string; to: string },
): string | null {
  const from = definition.steps.find((step) => step.id === connection.from);
  const to = definition.steps.find((step) => step.id === connection.to);
  if (!from || !to || !outcomesOf(from).includes(connection.outcome)) return 'workflow.portUnknown';
  if (to.kind === 'Inject') return 'workflow.toPrevious';
  if (from.id === to.id) return 'workflow.toPrevious';
  const leaving = definition.edges.filter((edge) => edge.from === from.id && edge.outcome === connection.outcome);
  if (leaving.some((edge) => edge.to === to.id)) return 'workflow.alreadyConnected';
  if (leaving.length > 0) return 'workflow.moreThanOneStep';
  if (reachableFrom(to.id, definition.edges).has(from.id)) return 'workflow.toPrevious';
  return null;
}

export interface WorkflowSurroundings {
  name: string;
  /** Ids of profiles that exist, by the step kind that uses them; absent means not checked. */
  profileIds?: Partial<Record<StepKind, ReadonlySet<string>>>;
  features?: ReadonlySet<FeatureKey>;
  /** Kinds whose runners exist; a graph with another one cannot be published yet. */
  runnableKinds?: ReadonlySet<StepKind>;
}

/**
 * Everything that keeps a graph from being published (specification §5, §8). Pure, and the same in the builder and
 * in the API. An empty list means that the graph runs and ends.
 */
export function validateWorkflow(definition: WorkflowDefinition, around: WorkflowSurroundings): WorkflowIssue[] {
  const { steps, edges } = definition;
  const issues: WorkflowIssue[] = [];
  const byId = new Map(steps.map((step) => [step.id, step]));
  const say = (code: string, where: Omit<WorkflowIssue, 'code'> = {}) => issues.push({ code, ...where });

  if (!around.name.trim()) say('workflow.nameMissing', { field: 'name' });
  const doubled = (list: readonly { id: string }[]) =>
    list.filter((item, at) => list.findIndex((other) => other.id === item.id) !== at);
  for (const step of doubled(steps)) say('workflow.idTwice', { stepId: step.id });
  for (const edge of doubled(edges)) say('workflow.idTwice', { edgeId: edge.id });

  const ofKind = (kind: StepKind) => steps.filter((step) => step.kind === kind);
  if (ofKind('Inject').length === 0) say('workflow.injectionMissing');
  for (const step of ofKind('Inject').slice(1)) say('workflow.twoInjections', { stepId: step.id });
  if (ofKind('Complete').length === 0) say('workflow.completionMissing');
  for (const step of ofKind('Complete').slice(1)) say('workflow.twoCompletions', { stepId: step.id });

  const taken = new Set<string>();
  for (const edge of edges) {
    const from = byId.get(edge.from);
    const to = byId.get(edge.to);
    if (!from || !to || !outcomesOf(from).includes(edge.outcome)) {
      say('workflow.portUnknown', { edgeId: edge.id });
      continue;
    }
    const port = `${edge.from}\n${edge.outcome}`;
    if (taken.has(port)) say('workflow.moreThanOneStep', { edgeId: edge.id, stepId: from.id });
    taken.add(port);
    if (to.kind === 'Inject' || from.id === to.id || reachableFrom(to.id, edges).has(from.id)) {
      say('workflow.toPrevious', { edgeId: edge.id, stepId: from.id });
    }
  }

  const inject = ofKind('Inject')[0];
  const reached = inject ? reachableFrom(inject.id, edges) : new Set<string>();
  for (const step of steps) {
    const isEntered = step === inject || reached.has(step.id);
    const missing = outcomesOf(step).filter((outcome) => !taken.has(`${step.id}\n${outcome}`));
    if (step.kind === 'Condition' && missing.length > 0) say('workflow.conditionPaths', { stepId: step.id });
    if (!isEntered || (missing.length > 0 && step.kind !== 'Condition'))
      say('workflow.notConnected', { stepId: step.id });

    const profileId = step.settings.profileId;
    if (needsProfile.has(step.kind)) {
      const known = around.profileIds?.[step.kind];
      if (typeof profileId !== 'string' || !profileId || (known && !known.has(profileId))) {
        say('workflow.profileMissing', { stepId: step.id, field: 'profileId' });
      }
    }
    const feature = featureOfKind[step.kind];
    if (feature && around.features && !around.features.has(feature)) {
      say('workflow.featureNotInPlan', { stepId: step.id, params: { feature } });
    }
    if (around.runnableKinds && !around.runnableKinds.has(step.kind)) {
      say('workflow.kindNotRunnable', { stepId: step.id, params: { kind: step.kind } });
    }
    if (step.kind === 'Condition' || step.kind === 'Route') {
      const hasPreflight = steps.some(
        (other) => other.kind === 'Preflight' && reachableFrom(other.id, edges).has(step.id),
      );
      if (!hasPreflight) say('workflow.preflightBefore', { stepId: step.id });
      const rules = step.settings.rules;
      if (!Array.isArray(rules) || rules.length === 0)
        say('workflow.rulesMissing', { stepId: step.id, field: 'rules' });
      for (const rule of Array.isArray(rules) ? (rules as unknown[]) : []) {
        if (typeof rule !== 'object' || rule === null || !('action' in rule)) continue;
        const overwrites = 'variables' in rule && typeof rule.variables === 'object' ? rule.variables : null;
        if (rule.action === 'overwriteVariables' && Object.keys(overwrites ?? {}).length === 0) {
          say('workflow.overwriteMissing', { stepId: step.id, field: 'rules' });
        }
      }
    }
  }

  const names = new Set<string>();
  for (const variable of definition.variables) {
    const key = variable.name.toLowerCase();
    if (names.has(key)) say('workflow.variableTwice', { variable: variable.name });
    if (isSystemVariable(variable.name)) say('workflow.variableReserved', { variable: variable.name });
    if (variable.type === 'Select' && variable.options.length === 0)
      say('workflow.optionsMissing', { variable: variable.name });
    names.add(key);
  }
  return issues;
}
