import type { StepKind, WorkflowDefinition, WorkflowEdge, WorkflowStep, WorkflowVariable } from '@pdf2press/contract';
import { type Connection, isEntered, portsOf, whyNotAdd, whyNotConnect } from './step-kinds.ts';
import { boxOf, freePlace, gap, nodeSize, type Place, sizeOf } from './step-places.ts';

/*
 * The commands that change a workflow, each a pure function of the definition. A command that changes nothing answers
 * the same object, so that nothing is remembered for undo. Refused commands answer the code of the rule they break.
 */

export type Refused = { refusal: string };
export type Edited = { definition: WorkflowDefinition; stepId: string };

/** An id that no step of the workflow has: the kind and the lowest free number, for instance `fix` or `fix-2`. */
export function freeStepId(steps: readonly { id: string }[], kind: StepKind): string {
  const taken = new Set(steps.map(({ id }) => id));
  const stem = kind.toLowerCase();
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? stem : `${stem}-${number}`;
    if (!taken.has(id)) return id;
  }
}

function freeEdgeId(edges: readonly { id: string }[], { from, outcome, to }: Connection): string {
  const taken = new Set(edges.map(({ id }) => id));
  // Ids of edges hold at most 60 characters.
  const stem = `${from}-${outcome}-${to}`.slice(0, 52);
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? stem : `${stem}-${number}`;
    if (!taken.has(id)) return id;
  }
}

const withEdge = (definition: WorkflowDefinition, connection: Connection): WorkflowDefinition => ({
  ...definition,
  edges: [...definition.edges, { id: freeEdgeId(definition.edges, connection), ...connection }],
});

const stepOf = (definition: Pick<WorkflowDefinition, 'steps'>, id: string): WorkflowStep | undefined =>
  definition.steps.find((step) => step.id === id);

/** The edge that leaves a step by an outcome. */
export const edgeFrom = (
  definition: Pick<WorkflowDefinition, 'edges'>,
  port: { from: string; outcome: string },
): WorkflowEdge | undefined =>
  definition.edges.find(({ from, outcome }) => from === port.from && outcome === port.outcome);

/** The first outcome of a step that no edge leaves by. */
export const openPortOf = (definition: WorkflowDefinition, step: WorkflowStep): string | undefined =>
  portsOf(step).find((outcome) => !edgeFrom(definition, { from: step.id, outcome }));

/** Adds a step of a kind; where something stands already, it takes the nearest free place below. No other step moves. */
export function addStep(
  definition: WorkflowDefinition,
  { kind, position }: { kind: StepKind; position: Place },
): Edited | Refused {
  const refusal = whyNotAdd(definition, kind);
  if (refusal) return { refusal };
  const step: WorkflowStep = { id: freeStepId(definition.steps, kind), kind, name: '', settings: {}, position };
  const placed = { ...step, position: freePlace(sizeOf(step), position, definition.steps.map(boxOf)) };
  return { definition: { ...definition, steps: [...definition.steps, placed] }, stepId: placed.id };
}

/**
 * Adds a step behind another one. An open port is connected with it; a port that leads somewhere already gets the new
 * step in between, as far as it has a way in and a way out.
 */
export function addAfter(
  definition: WorkflowDefinition,
  { from, outcome, kind }: { from: string; outcome?: string; kind: StepKind },
): Edited | Refused {
  const before = stepOf(definition, from);
  if (!before) return { refusal: 'workflow.portUnknown' };
  const ports = portsOf(before);
  const port = outcome ?? openPortOf(definition, before) ?? ports[0];
  const edge = port === undefined ? undefined : edgeFrom(definition, { from, outcome: port });
  if (edge) return insertOn(definition, { edgeId: edge.id, kind });
  const row = port === undefined ? 0 : Math.max(0, ports.indexOf(port));
  const place = {
    x: before.position.x + nodeSize.width + gap.x,
    y: before.position.y + row * (nodeSize.height + gap.y),
  };
  const added = addStep(definition, { kind, position: place });
  if ('refusal' in added || port === undefined || !isEntered(kind)) return added;
  return { ...added, definition: withEdge(added.definition, { from, outcome: port, to: added.stepId }) };
}

/** Puts a new step in the middle of a connection. A kind without a way out leaves what came after unconnected. */
export function insertOn(
  definition: WorkflowDefinition,
  { edgeId, kind }: { edgeId: string; kind: StepKind },
): Edited | Refused {
  const edge = definition.edges.find(({ id }) => id === edgeId);
  const from = edge && stepOf(definition, edge.from);
  const to = edge && stepOf(definition, edge.to);
  if (!edge || !from || !to) return { refusal: 'workflow.portUnknown' };
  const place = {
    x: Math.round((from.position.x + to.position.x) / 2),
    y: Math.round((from.position.y + to.position.y) / 2),
  };
  const added = addStep(definition, { kind, position: place });
  if ('refusal' in added || !isEntered(kind)) return added;
  const { stepId } = added;
  const open = { ...added.definition, edges: added.definition.edges.filter(({ id }) => id !== edgeId) };
  const led = withEdge(open, { from: edge.from, outcome: edge.outcome, to: stepId });
  const port = portsOf({ kind, settings: {} })[0];
  return {
    stepId,
    definition: port === undefined ? led : withEdge(led, { from: stepId, outcome: port, to: edge.to }),
  };
}

/** Draws a connection. */
export function connect(
  definition: WorkflowDefinition,
  connection: Connection,
): { definition: WorkflowDefinition } | Refused {
  const refusal = whyNotConnect(definition, connection);
  return refusal ? { refusal } : { definition: withEdge(definition, connection) };
}

/** Leads a connection to another step; the rules are asked as if it were not there. */
export function reconnect(
  definition: WorkflowDefinition,
  { edgeId, ...connection }: Connection & { edgeId: string },
): { definition: WorkflowDefinition } | Refused {
  return connect(disconnect(definition, [edgeId]), connection);
}

export function disconnect(definition: WorkflowDefinition, edgeIds: readonly string[]): WorkflowDefinition {
  const edges = definition.edges.filter(({ id }) => !edgeIds.includes(id));
  return edges.length === definition.edges.length ? definition : { ...definition, edges };
}

/** Takes steps away, with every connection that touches them. */
export function removeSteps(definition: WorkflowDefinition, ids: readonly string[]): WorkflowDefinition {
  const steps = definition.steps.filter(({ id }) => !ids.includes(id));
  if (steps.length === definition.steps.length) return definition;
  const edges = definition.edges.filter(({ from, to }) => !ids.includes(from) && !ids.includes(to));
  return { ...definition, steps, edges };
}

export function moveSteps(definition: WorkflowDefinition, places: ReadonlyMap<string, Place>): WorkflowDefinition {
  let isMoved = false;
  const steps = definition.steps.map((step) => {
    const place = places.get(step.id);
    if (!place || (place.x === step.position.x && place.y === step.position.y)) return step;
    isMoved = true;
    return { ...step, position: { x: place.x, y: place.y } };
  });
  return isMoved ? { ...definition, steps } : definition;
}

/** Whether two definitions differ in nothing but where their steps stand. */
export const isSameFlow = (one: WorkflowDefinition, other: WorkflowDefinition): boolean =>
  one.edges === other.edges &&
  one.variables === other.variables &&
  one.communicationProfileId === other.communicationProfileId &&
  one.steps.length === other.steps.length &&
  one.steps.every((step, at) => {
    const now = other.steps[at];
    return (
      step === now ||
      (step.id === now?.id && step.kind === now.kind && step.name === now.name && step.settings === now.settings)
    );
  });

/** Whether two steps can change places: each has a way in, and as many ways out as the other. */
export function canSwap(a: WorkflowStep, b: WorkflowStep): boolean {
  return isEntered(a.kind) && isEntered(b.kind) && portsOf(a).length > 0 && portsOf(a).length === portsOf(b).length;
}

/** Two steps change places: each takes the connections of the other and stands where that one stood. */
export function swapSteps(definition: WorkflowDefinition, a: string, b: string): WorkflowDefinition {
  const [one, other] = [stepOf(definition, a), stepOf(definition, b)];
  if (!one || !other || !canSwap(one, other)) return definition;
  const swapped = (id: string) => (id === a ? b : id === b ? a : id);
  // The first port of one step becomes the first of the other, and so on.
  const portOf = (id: string, outcome: string) => {
    const [was, is] = id === a ? [one, other] : [other, one];
    return portsOf(is)[portsOf(was).indexOf(outcome)] ?? outcome;
  };
  const edges = definition.edges.map((edge) => ({
    ...edge,
    from: swapped(edge.from),
    outcome: edge.from === a || edge.from === b ? portOf(edge.from, edge.outcome) : edge.outcome,
    to: swapped(edge.to),
  }));
  const steps = definition.steps.map((step) =>
    step.id === a ? { ...step, position: other.position } : step.id === b ? { ...step, position: one.position } : step,
  );
  return { ...definition, steps, edges };
}

function changeStep(
  definition: WorkflowDefinition,
  id: string,
  change: Partial<Pick<WorkflowStep, 'name' | 'settings'>>,
): WorkflowDefinition {
  return { ...definition, steps: definition.steps.map((step) => (step.id === id ? { ...step, ...change } : step)) };
}

export const renameStep = (definition: WorkflowDefinition, id: string, name: string): WorkflowDefinition =>
  stepOf(definition, id)?.name === name ? definition : changeStep(definition, id, { name });

/** Sets the settings of a step. Connections that leave by a port which the new settings no longer make go with it. */
export function setSettings(
  definition: WorkflowDefinition,
  id: string,
  settings: WorkflowStep['settings'],
): WorkflowDefinition {
  const changed = changeStep(definition, id, { settings });
  const step = stepOf(changed, id);
  const ports = step ? portsOf(step) : [];
  const lost = changed.edges.filter(({ from, outcome }) => from === id && !ports.includes(outcome));
  return disconnect(
    changed,
    lost.map((edge) => edge.id),
  );
}

export const setVariables = (
  definition: WorkflowDefinition,
  variables: readonly WorkflowVariable[],
): WorkflowDefinition => ({ ...definition, variables: [...variables] });

export function setCommunication(definition: WorkflowDefinition, profileId: string | null): WorkflowDefinition {
  const { communicationProfileId: _, ...rest } = definition;
  return profileId === null ? rest : { ...rest, communicationProfileId: profileId };
}

/** Steps and the connections among them, as they lie in the clipboard. */
export interface Fragment {
  format: 'pdf2press-steps';
  steps: readonly WorkflowStep[];
  edges: readonly WorkflowEdge[];
}

export function fragmentOf(definition: WorkflowDefinition, ids: readonly string[]): Fragment {
  return {
    format: 'pdf2press-steps',
    steps: definition.steps.filter(({ id }) => ids.includes(id)),
    edges: definition.edges.filter(({ from, to }) => ids.includes(from) && ids.includes(to)),
  };
}

/**
 * Puts copies of steps into the workflow, under ids of their own, with the connections among them, at an offset from
 * where they stood. Kinds that a workflow takes no more of are left out and answered with the rule they break.
 */
export function paste(
  definition: WorkflowDefinition,
  fragment: Fragment,
  offset: Place,
): { definition: WorkflowDefinition; stepIds: string[]; refusals: string[] } {
  const refusals: string[] = [];
  const ids = new Map<string, string>();
  let next = definition;
  for (const step of fragment.steps) {
    const refusal = whyNotAdd(next, step.kind);
    if (refusal) {
      refusals.push(refusal);
      continue;
    }
    const id = freeStepId(next.steps, step.kind);
    const wanted = { x: step.position.x + offset.x, y: step.position.y + offset.y };
    const position = freePlace(sizeOf(step), wanted, next.steps.map(boxOf));
    ids.set(step.id, id);
    next = { ...next, steps: [...next.steps, { ...step, id, position }] };
  }
  for (const { from, outcome, to } of fragment.edges) {
    const [newFrom, newTo] = [ids.get(from), ids.get(to)];
    if (newFrom && newTo) next = withEdge(next, { from: newFrom, outcome, to: newTo });
  }
  return { definition: next, stepIds: [...ids.values()], refusals: [...new Set(refusals)] };
}
