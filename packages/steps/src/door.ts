/* The door `@pdf2press/steps/door`: how files of the upload page are checked before they are sent. */
import {
  type DoorCheck,
  type FileType,
  fileTypeOf,
  type StepKind,
  type WorkflowDefinition,
  type WorkflowStep,
} from '@pdf2press/contract';
import { injectSettingsOf } from './inject/entering.ts';
import { preflightContract } from './preflight/contract.ts';

/** Steps that leave the file as it came. What stands behind any other looks at another file. */
const passed: ReadonlySet<StepKind> = new Set([
  'Inject',
  'Condition',
  'Route',
  'Hold',
  'Action',
  'Rename',
  'Retention',
]);

/** The first preflight that a file meets as it came, in the order of the connections. */
function firstPreflight({ steps, edges }: WorkflowDefinition): WorkflowStep | undefined {
  const known = new Map(steps.map((step) => [step.id, step]));
  const way = steps.filter(({ kind }) => kind === 'Inject');
  // The list grows while it is walked.
  for (const { id, kind } of way) {
    if (!passed.has(kind)) continue;
    for (const { to } of edges.filter(({ from }) => from === id)) {
      const next = known.get(to);
      if (next?.kind === 'Preflight') return next;
      if (next && !way.includes(next)) way.push(next);
    }
  }
  return undefined;
}

/** How files are checked before they are sent. */
export interface Door {
  check: Exclude<DoorCheck, 'off'>;
  stepId: string;
  profileId: string;
  /** Files of other types are not checked. */
  types: readonly FileType[];
}

/** How a workflow checks the files of its upload page; null where it does not, or has nothing to check them by. */
export function doorOf(definition: WorkflowDefinition): Door | null {
  const { ways, doorCheck, fileTypes, splitting } = injectSettingsOf(definition);
  if (!ways.uploadPage || doorCheck === 'off' || splitting !== 'file') return null;
  const step = firstPreflight(definition);
  const settings = preflightContract.settings.safeParse(step?.settings);
  if (!step || !settings.success) return null;
  const types = fileTypes.filter((type) => type !== 'ZIP');
  return { check: doorCheck, stepId: step.id, profileId: settings.data.profileId, types };
}

/** Whether a door checks files of this name. */
export function isCheckedAt({ types }: Door, fileName: string): boolean {
  const type = fileTypeOf(fileName);
  return type !== undefined && types.includes(type);
}
