import { expect, type Page } from 'playwright/test';
import { ask, tokenOf } from './house.ts';
import { makePdf } from './make-pdf.ts';

export const holdReason = 'Is the matt paper there?';

interface Workflow {
  id: string;
  draftRevision: number;
}

/** A workflow that holds every file. */
export async function makeHoldingWorkflow(page: Page, name = `Hold ${Date.now()}`): Promise<string> {
  const { id, draftRevision } = await ask<Workflow>(page, 'POST', '/workflows', { name, template: 'empty' });
  const step = (key: string, kind: string, settings: object = {}) => ({ id: key, kind, settings });
  const draft = {
    steps: [step('inject', 'Inject'), step('hold', 'Hold', { reason: holdReason }), step('complete', 'Complete')],
    edges: [
      { id: '1', from: 'inject', outcome: 'done', to: 'hold' },
      { id: '2', from: 'hold', outcome: 'continue', to: 'complete' },
    ],
  };
  await ask(page, 'PUT', `/workflows/${id}`, { name, draft, draftRevision });
  await ask(page, 'POST', `/workflows/${id}/publish`, {});
  return id;
}

/** Submits a file and opens its session when it is on hold. */
export async function openHeld(page: Page, workflowId: string, name: string): Promise<void> {
  const answer = await page.request.post('/api/sessions', {
    headers: { authorization: `Bearer ${await tokenOf(page)}` },
    multipart: { workflowId, file: { name, mimeType: 'application/pdf', buffer: makePdf([name]) } },
  });
  const { result } = (await answer.json()) as { result: { id: string } };
  await page.goto(`/workflows/session/${result.id}`);
  await expect(page.getByRole('region', { name: 'On hold' })).toContainText(holdReason);
}
