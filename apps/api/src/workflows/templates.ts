import type { WorkflowDefinition } from '@pdf2press/contract';

type Profiles = Partial<Record<'preflight' | 'fix' | 'impose', string>>;

const step = (
  id: string,
  kind: WorkflowDefinition['steps'][number]['kind'],
  column: number,
  profileId?: string,
  row = 0,
) => ({
  id,
  kind,
  name: '',
  settings: profileId ? { profileId } : {},
  position: { x: column * 240, y: row * 140 },
});
const edge = (from: string, outcome: string, to: string) => ({ id: `${from}-${outcome}-${to}`, from, outcome, to });

type Draft = Pick<WorkflowDefinition, 'steps' | 'edges'>;

/** Graphs to begin with. Steps whose profile is not given are left for the person to choose. */
const templates: Readonly<Record<string, (profiles: Profiles) => Draft>> = {
  empty: () => ({
    steps: [step('inject', 'Inject', 0), step('complete', 'Complete', 1)],
    edges: [edge('inject', 'done', 'complete')],
  }),
  preflight: ({ preflight }) => ({
    steps: [step('inject', 'Inject', 0), step('preflight', 'Preflight', 1, preflight), step('complete', 'Complete', 2)],
    edges: [edge('inject', 'done', 'preflight'), edge('preflight', 'done', 'complete')],
  }),
  'preflight-hold': ({ preflight }) => ({
    steps: [
      step('inject', 'Inject', 0),
      step('preflight', 'Preflight', 1, preflight),
      { ...step('hold', 'Hold', 2), settings: { when: 'WarningsAndErrors' } },
      step('complete', 'Complete', 3),
    ],
    edges: [
      edge('inject', 'done', 'preflight'),
      edge('preflight', 'done', 'hold'),
      edge('hold', 'continue', 'complete'),
    ],
  }),
  'preflight-fix': ({ preflight, fix }) => ({
    steps: [
      step('inject', 'Inject', 0),
      step('preflight', 'Preflight', 1, preflight),
      step('fix', 'Fix', 2, fix),
      step('complete', 'Complete', 3),
    ],
    edges: [edge('inject', 'done', 'preflight'), edge('preflight', 'done', 'fix'), edge('fix', 'done', 'complete')],
  }),
  'preflight-impose': ({ preflight, impose }) => ({
    steps: [
      step('inject', 'Inject', 0),
      step('preflight', 'Preflight', 1, preflight),
      step('impose', 'Impose', 2, impose),
      step('complete', 'Complete', 3),
    ],
    edges: [
      edge('inject', 'done', 'preflight'),
      edge('preflight', 'done', 'impose'),
      edge('impose', 'done', 'complete'),
    ],
  }),
};

/** The graph of a template; the empty one when there is none of that name. */
export const templateOf = (name: string | undefined, profiles: Profiles = {}): Draft => {
  const make = name !== undefined && Object.hasOwn(templates, name) ? templates[name] : templates.empty;
  return make ? make(profiles) : { steps: [], edges: [] };
};
