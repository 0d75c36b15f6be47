import type { StepKind, Workflow, WorkflowDefinition, WorkflowIssue, WorkflowSurroundings } from '@pdf2press/contract';
import { createContext, useContext } from 'react';
import { createStore, type StoreApi, useStore } from 'zustand';
import type { Check } from './check-draft.ts';
import { type Deed, endGesture, type History, historyOf, redo, remember, undo } from './edit-history.ts';
import { serverIssuesOf } from './server-issues.ts';
import { type Connection, portsOf, whyNotConnect } from './step-kinds.ts';
import type { Place } from './step-places.ts';
import * as edit from './workflow-edit.ts';

/** What Save sends: the graph and what the workflow is called. */
export interface Edited {
  name: string;
  description: string;
  draft: WorkflowDefinition;
}

export const editedOf = ({ name, description, draft }: Edited): Edited => ({ name, description, draft });

/** Where the picker of steps was opened, which tells what is made of the choice. */
export type PickerPlace =
  | { kind: 'at'; position: Place }
  | { kind: 'after'; from: string; outcome?: string; position?: Place }
  | { kind: 'on'; edgeId: string };
export type Picker = (
  | { for: 'step'; place: PickerPlace }
  | { for: 'target'; from: string; outcome: string }
  | { for: 'port'; from: string }
) & {
  /** In pixels of the window; in the middle of it when opened by keys. */
  at: Place | null;
};

/** What stands open beside the canvas. */
export type Panel = 'step' | 'variables' | 'communication' | 'issues' | 'versions' | null;

export interface BuilderState {
  workflowId: string;
  isReadOnly: boolean;
  history: History<Edited>;
  /** The present draft as of its last change of more than places: while steps are moved, nothing that reads it is done again. */
  flow: WorkflowDefinition;
  /** As the server has it. */
  saved: Edited;
  revision: number;
  around: Pick<WorkflowSurroundings, 'profileIds' | 'elsewhereIds' | 'features'>;
  issues: readonly WorkflowIssue[];
  chosen: readonly string[];
  chosenEdge: string | null;
  panel: Panel;
  /** The field that is to have the focus when its panel is open: of an issue that was clicked. */
  field: string | null;
  /** What the live region says. The number tells apart two of the same. */
  said: { deed: Deed; number: number } | null;
  /** The rules that the last gesture would break, to be told beside the canvas. */
  refused: { codes: readonly string[]; number: number } | null;
  /** While a connection is drawn: why each step cannot be its end. */
  drawing: { from: string; outcome: string; refusals: ReadonlyMap<string, string> } | null;
  picker: Picker | null;
  /** A step that the canvas is to bring into sight. */
  sought: { stepId: string; number: number } | null;
}

/** The builder's state and everything that changes it. All that a person does to the workflow goes through here. */
export interface Builder {
  store: StoreApi<BuilderState>;
  addStep(kind: StepKind, place: PickerPlace | null): void;
  connect(connection: Connection): void;
  reconnect(connection: Connection & { edgeId: string }): void;
  disconnect(edgeIds: readonly string[]): void;
  remove(ids: readonly string[]): void;
  move(places: ReadonlyMap<string, Place>, gesture?: string): void;
  /** Two steps change places in the flow. */
  swap(a: string, b: string): void;
  /** Lays the workflow out, or the chosen steps where several are chosen. */
  tidy(): Promise<void>;
  rename(stepId: string, name: string): void;
  setSettings(stepId: string, settings: Record<string, unknown>): void;
  setVariables(variables: WorkflowDefinition['variables']): void;
  /** Chooses who writes about the sessions; null = nobody. */
  setCommunication(profileId: string | null): void;
  setHead(head: Partial<Pick<Edited, 'name' | 'description'>>): void;
  /** Puts another state in place of the present one, as one entry that can be undone. */
  replace(next: Edited, deed: Deed): void;
  undo(): void;
  redo(): void;
  copy(ids: readonly string[]): edit.Fragment | null;
  paste(fragment: edit.Fragment): void;
  choose(ids: readonly string[], edgeId?: string | null): void;
  open(panel: Panel, field?: string | null): void;
  openIssue(issue: WorkflowIssue): void;
  pick(picker: Picker | null): void;
  /** Asks where a step is to be connected to; first by which port, where several are open. */
  pickTarget(from: string, at: Place | null): void;
  /** Opens the form of a step. */
  openStep(stepId: string, field?: string | null): void;
  /** Has the canvas bring a step into sight. */
  seek(stepId: string): void;
  beginConnection(port: { from: string; outcome: string }): void;
  endConnection(): void;
  setAround(around: BuilderState['around']): void;
  /** From now on every change is checked against the rules. */
  startChecks(): Promise<void>;
  say(deed: Deed): void;
  /** Saved: what the server has is what the next comparison is with. */
  settle(workflow: Pick<Workflow, 'name' | 'description' | 'draft' | 'draftRevision' | 'issues'>): void;
}

/** So long after one keystroke the next one belongs to the same entry. */
const burstMilliseconds = 1200;
/** Copies stand this far from what was copied. */
const pasteOffset = { x: 40, y: 40 };

let numbers = 0;
const nextNumber = () => {
  numbers += 1;
  return numbers;
};

/** The store of one open builder. One function, because its commands share the history and the check of each change. */
export function createBuilder(workflow: Workflow, { isReadOnly }: { isReadOnly: boolean }): Builder {
  const saved = editedOf(workflow);
  // Until the check is there, the issues are those that the server found.
  let check: Check | null = null;
  let serverKnows = serverIssuesOf(workflow);
  const validated = ({ name, draft }: Edited, around: BuilderState['around']) =>
    check ? [...check(draft, { name, ...around }), ...serverKnows(draft)] : get().issues;
  const validateAgain = () => set({ issues: validated(present(), get().around) });
  const store = createStore<BuilderState>(() => ({
    workflowId: workflow.id,
    isReadOnly,
    history: historyOf(saved),
    flow: saved.draft,
    saved,
    revision: workflow.draftRevision,
    around: {},
    issues: workflow.issues,
    chosen: [],
    chosenEdge: null,
    panel: null,
    field: null,
    said: null,
    refused: null,
    drawing: null,
    picker: null,
    sought: null,
  }));
  const { getState: get, setState: set } = store;
  const present = () => get().history.present;
  const draft = () => present().draft;

  const show = (history: History<Edited>): void => {
    const state = get();
    if (history === state.history) return;
    const { draft: graph } = history.present;
    const steps = new Set(graph.steps.map(({ id }) => id));
    const edges = new Set(graph.edges.map(({ id }) => id));
    const chosen = state.chosen.filter((id) => steps.has(id));
    const flow = edit.isSameFlow(state.flow, graph) ? state.flow : graph;
    const isChecked = flow === state.flow && history.present.name === state.history.present.name;
    set({
      history,
      flow,
      issues: isChecked ? state.issues : validated(history.present, state.around),
      chosen: chosen.length === state.chosen.length ? state.chosen : chosen,
      chosenEdge: state.chosenEdge !== null && edges.has(state.chosenEdge) ? state.chosenEdge : null,
      panel: state.panel === 'step' && chosen.length !== 1 ? null : state.panel,
    });
  };
  let lastBurst = { gesture: '', at: 0 };
  /** Names the gesture of typing: it ends with a pause. */
  const burst = (gesture: string): string => {
    const now = performance.now();
    if (lastBurst.gesture !== gesture || now - lastBurst.at > burstMilliseconds) show(endGesture(get().history));
    lastBurst = { gesture, at: now };
    return gesture;
  };
  const say = (deed: Deed) => set({ said: { deed, number: nextNumber() } });
  const refuse = (...codes: string[]) => set({ refused: { codes, number: nextNumber() } });
  const commit = (next: Edited, deed: Deed, gesture: string | null = null): boolean => {
    if (get().isReadOnly || next === present()) return false;
    show(remember(get().history, { next, deed, gesture }));
    return true;
  };
  const commitDraft = (next: WorkflowDefinition, deed: Deed, gesture: string | null = null): boolean =>
    next !== draft() && commit({ ...present(), draft: next }, deed, gesture);
  const seek = (stepId: string) => set({ sought: { stepId, number: nextNumber() } });
  const kindIn = (params: { kind: StepKind }, key: string): Deed => ({ key, params });

  const choose: Builder['choose'] = (ids, edgeId = null) => {
    const state = get();
    const isSameChoice = ids.length === state.chosen.length && ids.every((id, at) => id === state.chosen[at]);
    if (isSameChoice && edgeId === state.chosenEdge) return;
    const isOpen = state.panel === 'step' && ids.length === 1;
    set({
      chosen: isSameChoice ? state.chosen : ids,
      chosenEdge: edgeId,
      field: null,
      panel: state.panel === 'step' && !isOpen ? null : state.panel,
    });
  };

  return {
    store,
    addStep(kind, place) {
      if (get().isReadOnly) return;
      const { chosen } = get();
      const graph = draft();
      const [only] = chosen;
      const made =
        place?.kind === 'on'
          ? edit.insertOn(graph, { edgeId: place.edgeId, kind })
          : place?.kind === 'after'
            ? edit.addAfter(graph, { from: place.from, kind, ...(place.outcome ? { outcome: place.outcome } : {}) })
            : place?.kind === 'at'
              ? edit.addStep(graph, { kind, position: place.position })
              : chosen.length === 1 && only !== undefined
                ? edit.addAfter(graph, { from: only, kind })
                : edit.addStep(graph, { kind, position: besideAll(graph) });
      if ('refusal' in made) return refuse(made.refusal);
      const placed =
        place?.kind === 'after' && place.position
          ? edit.moveSteps(made.definition, new Map([[made.stepId, place.position]]))
          : made.definition;
      commitDraft(placed, kindIn({ kind }, 'builder.did.added'));
      choose([made.stepId]);
      // What is new has something to be filled in, mostly.
      set({ panel: 'step', field: null });
      seek(made.stepId);
      say(kindIn({ kind }, 'builder.did.added'));
    },
    connect(connection) {
      const made = edit.connect(draft(), connection);
      if ('refusal' in made) return refuse(made.refusal);
      commitDraft(made.definition, { key: 'builder.did.connected' });
      say({ key: 'builder.did.connected' });
    },
    reconnect(connection) {
      const made = edit.reconnect(draft(), connection);
      if ('refusal' in made) return refuse(made.refusal);
      commitDraft(made.definition, { key: 'builder.did.connected' });
      say({ key: 'builder.did.connected' });
    },
    disconnect(edgeIds) {
      if (commitDraft(edit.disconnect(draft(), edgeIds), { key: 'builder.did.disconnected' }))
        say({ key: 'builder.did.disconnected' });
    },
    remove(ids) {
      const deed: Deed = { key: 'builder.did.removed', params: { count: ids.length } };
      if (commitDraft(edit.removeSteps(draft(), ids), deed)) say(deed);
    },
    move(places, gesture) {
      const did: Deed = { key: 'builder.did.moved', params: { count: places.size } };
      if (commitDraft(edit.moveSteps(draft(), places), did, gesture ? burst(gesture) : null)) say(did);
    },
    swap(a, b) {
      if (commitDraft(edit.swapSteps(draft(), a, b), { key: 'builder.did.swapped' }))
        say({ key: 'builder.did.swapped' });
    },
    async tidy() {
      // The layout library is as large as the rest of the model: it comes when it is first asked for.
      const { tidyPlaces } = await import('./tidy-graph.ts');
      const places = tidyPlaces(draft(), get().chosen);
      const deed: Deed = { key: 'builder.did.tidied', params: { count: places.size } };
      if (commitDraft(edit.moveSteps(draft(), places), deed)) say(deed);
    },
    rename(stepId, name) {
      commitDraft(edit.renameStep(draft(), stepId, name), { key: 'builder.did.changed' }, burst(`name ${stepId}`));
    },
    setSettings(stepId, settings) {
      const next = edit.setSettings(draft(), stepId, settings);
      commitDraft(next, { key: 'builder.did.changed' }, burst(`settings ${stepId}`));
    },
    setVariables(variables) {
      const next = edit.setVariables(draft(), variables);
      commitDraft(next, { key: 'builder.did.variables' }, burst('variables'));
    },
    setCommunication(profileId) {
      commitDraft(edit.setCommunication(draft(), profileId), { key: 'builder.did.communication' });
    },
    setHead(head) {
      commit({ ...present(), ...head }, { key: 'builder.did.changed' }, burst('head'));
    },
    replace(next, deed) {
      if (commit(next, deed)) say(deed);
    },
    undo() {
      const last = get().history.past.at(-1);
      if (!last || get().isReadOnly) return;
      show(undo(get().history));
      say({ key: 'builder.did.undone', params: { deed: last.deed.key } });
    },
    redo() {
      const [first] = get().history.future;
      if (!first || get().isReadOnly) return;
      show(redo(get().history));
      say({ key: 'builder.did.redone', params: { deed: first.deed.key } });
    },
    copy(ids) {
      if (ids.length === 0) return null;
      say({ key: 'builder.did.copied', params: { count: ids.length } });
      return edit.fragmentOf(draft(), ids);
    },
    paste(fragment) {
      const { definition, stepIds, refusals } = edit.paste(draft(), fragment, pasteOffset);
      const deed: Deed = { key: 'builder.did.pasted', params: { count: stepIds.length } };
      if (stepIds.length > 0 && commitDraft(definition, deed)) {
        choose(stepIds);
        say(deed);
      }
      if (refusals.length > 0) refuse(...refusals);
    },
    choose,
    open(panel, field = null) {
      set({ panel, field });
    },
    openIssue({ stepId, edgeId, variable, field }) {
      const edge = draft().edges.find(({ id }) => id === edgeId);
      const step = stepId ?? edge?.from;
      if (step) {
        choose([step], edge?.id ?? null);
        seek(step);
        return set({ panel: 'step', field: field ?? 'name' });
      }
      if (variable !== undefined)
        return set({ panel: 'variables', field: field === undefined ? variable : `${variable}.${field}` });
      if (field === 'communicationProfileId') return set({ panel: 'communication', field });
      set({ field: field ?? null });
    },
    pick(picker) {
      if (!get().isReadOnly) set({ picker });
    },
    pickTarget(from, at) {
      const step = draft().steps.find(({ id }) => id === from);
      const ports = step ? portsOf(step) : [];
      const open = ports.filter((outcome) => !edit.edgeFrom(draft(), { from, outcome }));
      const [only] = open.length > 0 ? open : ports;
      if (only === undefined || get().isReadOnly) return;
      set({ picker: open.length > 1 ? { for: 'port', from, at } : { for: 'target', from, outcome: only, at } });
    },
    openStep(stepId, field = null) {
      choose([stepId]);
      set({ panel: 'step', field });
      seek(stepId);
    },
    seek,
    beginConnection({ from, outcome }) {
      const graph = draft();
      const refusals = graph.steps.flatMap(({ id }) => {
        const refusal = whyNotConnect(graph, { from, outcome, to: id });
        return refusal ? [[id, refusal] as const] : [];
      });
      set({ drawing: { from, outcome, refusals: new Map(refusals) } });
    },
    endConnection() {
      set({ drawing: null });
    },
    setAround(around) {
      set({ around, issues: validated(present(), around) });
    },
    async startChecks() {
      const { draftCheck } = await import('./check-draft.ts');
      check ??= draftCheck(validateAgain);
      validateAgain();
    },
    say,
    settle({ name, description, draft: graph, draftRevision, issues }) {
      serverKnows = serverIssuesOf({ draft: graph, issues });
      set({ saved: { name, description, draft: graph }, revision: draftRevision });
      validateAgain();
    },
  };
}

/** To the right of everything, on the height of what stands there. */
function besideAll({ steps }: WorkflowDefinition): Place {
  const last = steps.reduce<Place | null>(
    (most, { position }) => (!most || position.x > most.x ? position : most),
    null,
  );
  return last ? { x: last.x + 300, y: last.y } : { x: 0, y: 0 };
}

const BuilderContext = createContext<Builder | null>(null);
export const BuilderProvider = BuilderContext.Provider;

export function useBuilder(): Builder {
  const builder = useContext(BuilderContext);
  if (!builder) throw new Error('Nothing of the builder stands outside of it');
  return builder;
}

/** What of the state a component shows; it is drawn again when that changes. */
export const useBuilt = <T>(select: (state: BuilderState) => T): T => useStore(useBuilder().store, select);

export const useDraft = (): WorkflowDefinition => useBuilt((state) => state.history.present.draft);

/** The draft for whatever does not show where steps stand: it stays the same while they are moved. */
export const useFlow = (): WorkflowDefinition => useBuilt((state) => state.flow);
