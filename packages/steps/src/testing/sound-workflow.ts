import { type WorkflowDefinition, workflowDefinitionSchema } from '@pdf2press/contract';

/*
 * A valid workflow for tests, and the ways to change one part of it: what each case of `broken-workflows.ts` is made of.
 */

type Part = Partial<WorkflowDefinition['steps'][number]>;

/** What the Preflight step of the sound workflow names; a test that has real profiles puts their ids in its place. */
export const soundProfileId = 'prf_sound';
export const foreignProfileId = 'prf_foreign';

export const when = { match: 'all', rules: [{ fact: 'pdf.pageCount', operator: 'atLeast', value: 2 }] };

/** Inject, preflight, condition, hold, route, complete: a valid workflow. */
export function soundWorkflow(): WorkflowDefinition {
  const edges = [
    'inject done preflight',
    'preflight done condition',
    'condition true route',
    'condition false hold',
    'hold continue complete',
    'route many complete',
    'route otherwise complete',
  ];
  return workflowDefinitionSchema.parse({
    steps: [
      { id: 'inject', kind: 'Inject' },
      { id: 'preflight', kind: 'Preflight', settings: { profileId: soundProfileId } },
      { id: 'condition', kind: 'Condition', settings: { when } },
      { id: 'hold', kind: 'Hold', settings: { reason: 'Ask about {{paper}}' } },
      { id: 'route', kind: 'Route', settings: { rules: [{ id: 'many', when, action: 'continue' }] } },
      { id: 'complete', kind: 'Complete' },
    ],
    edges: edges.map((text, at) => {
      const [from, outcome, to] = text.split(' ');
      return { id: `e${at}`, from, outcome, to };
    }),
    variables: [{ name: 'paper', type: 'String' }],
  });
}

/** The valid workflow with other settings of one step. */
export const withSettings = (id: string, settings: Record<string, unknown>): WorkflowDefinition => {
  const definition = soundWorkflow();
  return { ...definition, steps: definition.steps.map((step) => (step.id === id ? { ...step, settings } : step)) };
};

export const withStep = (step: Part, ...edges: [string, string, string][]): WorkflowDefinition => {
  const definition = soundWorkflow();
  return workflowDefinitionSchema.parse({
    ...definition,
    steps: [...definition.steps, step],
    edges: [...definition.edges, ...edges.map(([from, outcome, to], at) => ({ id: `n${at}`, from, outcome, to }))],
  });
};

/** Without steps or connections, by their ids. */
export const without = (...ids: string[]): WorkflowDefinition => {
  const definition = soundWorkflow();
  return {
    ...definition,
    steps: definition.steps.filter(({ id }) => !ids.includes(id)),
    edges: definition.edges.filter(({ id, from, to }) => ![id, from, to].some((each) => ids.includes(each))),
  };
};

export const rerouted = (edgeId: string, to: string): WorkflowDefinition => {
  const definition = soundWorkflow();
  return { ...definition, edges: definition.edges.map((edge) => (edge.id === edgeId ? { ...edge, to } : edge)) };
};

/** With a step that calls a web address. */
export const acting = (settings: Record<string, unknown>): WorkflowDefinition =>
  withStep({ id: 'action', kind: 'Action', settings: { url: 'https://mis.example/', ...settings } });

/** With another rule of the route. */
export const routing = (rule: object): WorkflowDefinition =>
  withSettings('route', { rules: [{ id: 'many', when, ...rule }] });

/** With more variables. */
export const withVariables = (...variables: object[]): WorkflowDefinition =>
  workflowDefinitionSchema.parse({ ...soundWorkflow(), variables: [{ name: 'paper', type: 'String' }, ...variables] });

/** With other rules of the condition. */
export const onlyRules = (...rules: object[]): WorkflowDefinition =>
  withSettings('condition', { when: { match: 'all', rules } });

/** A group of rules that is nested so deep. */
export const nested = (levels: number): object =>
  levels === 0 ? (when.rules[0] ?? {}) : { match: 'all', rules: [nested(levels - 1)] };

/** With a text in which placeholders may stand. */
export const saying = (reason: string): WorkflowDefinition => withSettings('hold', { reason });
