import type { Page } from 'playwright/test';
import { ask } from './house.ts';

interface DraftStep {
  id: string;
  kind: string;
  name?: string;
  settings?: object;
}

interface Drafted {
  name: string;
  steps: readonly DraftStep[];
  /** As `from outcome to`; without them each step follows the one before by its outcome `done`. */
  ways?: readonly string[];
  variables?: readonly object[];
}

/** A step of a draft; its id is its kind in small letters. */
export const stepOf = (kind: string, settings: object = {}): DraftStep => ({
  id: kind.toLowerCase(),
  kind,
  settings,
});

/** A new workflow with this draft, which is saved and not published. Answers its id. */
export async function makeDraft(page: Page, { name, steps, ways, variables = [] }: Drafted): Promise<string> {
  const { id, draftRevision } = await ask<{
    id: string;
    draftRevision: number;
  }>(page, 'POST', '/workflows', {
    name,
    template: 'empty',
  });
  const chained = steps.slice(1).map((step, at) => `${steps[at]?.id} done ${step.id}`);
  const edges = (ways ?? chained).map((way, at) => {
    const [from, outcome, to] = way.split(' ');
    return { id: `way-${at}`, from, outcome, to };
  });
  const placed = steps.map((step, at) => ({
    ...step,
    position: { x: at * 280, y: 0 },
  }));
  await ask(page, 'PUT', `/workflows/${id}`, {
    name,
    draft: { steps: placed, edges, variables },
    draftRevision,
  });
  return id;
}

/** A new workflow that is published as it is. Answers its id. */
export async function makePublished(page: Page, drafted: Drafted): Promise<string> {
  const id = await makeDraft(page, drafted);
  await ask(page, 'POST', `/workflows/${id}/publish`, {});
  return id;
}
