import { expect, type Page } from 'playwright/test';
import { makeHoldingWorkflow, openHeld, holdReason as reason } from './holding.ts';
import { enter, sampleWorkflow, test } from './house.ts';
import { makePdf } from './make-pdf.ts';

const answer = (page: Page, name: string) =>
  page.getByRole('region', { name: 'On hold' }).getByRole('button', { name });

test('an operator answers a hold: continue, replace the file, use another workflow, cancel', async ({
  page,
  context,
}) => {
  await enter(page, context);
  const workflowId = await makeHoldingWorkflow(page);

  await openHeld(page, workflowId, 'go-on.pdf');
  await answer(page, 'Continue').click();
  await expect(page.getByText('Completed', { exact: true }).first()).toBeVisible();

  await openHeld(page, workflowId, 'first.pdf');
  await answer(page, 'Replace the file').click();
  const dialog = page.getByRole('dialog', { name: /^Replace the file of/ });
  await dialog.getByRole('button', { name: 'Replace the file' }).click();
  await expect(dialog.getByRole('alert')).toBeVisible();
  const better = { name: 'second.pdf', mimeType: 'application/pdf', buffer: makePdf(['Better']) };
  await dialog.locator('input[type=file]').setInputFiles(better);
  await dialog.getByRole('button', { name: 'Replace the file' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'second.pdf' })).toBeVisible();
  await expect(page.getByText('run 2')).toBeVisible();
  await expect(page.getByRole('region', { name: 'On hold' })).toContainText(reason);

  await answer(page, 'Use another workflow').click();
  const other = page.getByRole('dialog', { name: /^Another workflow for/ });
  await other.getByLabel('Workflow').click();
  await page.getByRole('option', { name: sampleWorkflow }).first().click();
  await other.getByRole('button', { name: 'Use another workflow' }).click();
  const cameFrom = page.getByRole('link', { name: /^redirected from Hold/ });
  await expect(cameFrom).toBeVisible();
  await cameFrom.click();
  await expect(page.getByRole('status').filter({ hasText: 'Continued in another workflow' })).toBeVisible();

  await openHeld(page, workflowId, 'unwanted.pdf');
  await answer(page, 'Cancel').click();
  const sure = page.getByRole('alertdialog');
  await expect(sure).toContainText('the remaining steps do not run');
  await sure.getByRole('button', { name: 'Cancel' }).last().click();
  await expect(page.getByText('Canceled by operator').first()).toBeVisible();
  await expect(page.getByRole('region', { name: 'On hold' })).toHaveCount(0);
});
