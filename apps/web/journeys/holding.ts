import { expect, type Page } from 'playwright/test';
import { makePublished, stepOf } from './drafting.ts';
import { submit } from './submit.ts';

export const holdReason = 'Is the matt paper there?';

/** A workflow that holds every file. */
export const makeHoldingWorkflow = (page: Page, name = `Hold ${Date.now()}`): Promise<string> =>
  makePublished(page, {
    name,
    steps: [stepOf('Inject'), stepOf('Hold', { reason: holdReason }), stepOf('Complete')],
    ways: ['inject done hold', 'hold continue complete'],
  });

/** Submits a file and opens its session when it is on hold. */
export async function openHeld(page: Page, workflowId: string, name: string): Promise<void> {
  await page.goto(`/workflows/session/${await submit(page, workflowId, name)}`);
  await expect(page.getByRole('region', { name: 'On hold' })).toContainText(holdReason);
}
