import { type Browser, expect, type Page } from 'playwright/test';
import { enter, test } from './house.ts';
import { isSound, themeFollows } from './looks.ts';
import { addressIn, approversOf, drawn, linkFor, makeProvingWorkflow, readerOf, title } from './proving.ts';
import { becomes, submit } from './submit.ts';

/* Two gatekeepers at the same moment, and a decline that is taken back while the house is waited for. */

const mark = Date.now().toString(36);
const addressOf = addressIn(mark);
const sizes = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

async function openAs(page: Page, browser: Browser, who: string, on: keyof typeof sizes): Promise<Page> {
  const reader = await readerOf(browser, sizes[on]);
  await reader.goto(await linkFor(page, addressOf(who)));
  return reader;
}

test('while one gatekeeper decides the other sees it and waits; who declined can take it back', {
  tag: '@night',
}, async ({ page, context, browser }) => {
  await themeFollows(context);
  await enter(page, context);
  const gate = approversOf(['Gail', 'Gus'], addressOf).map((approver) => ({ ...approver, isGatekeeper: true }));
  const show = { separations: true, inkLimit: 240, safetyMargin: 14.17 };
  const workflowId = await makeProvingWorkflow(page, '', { approvers: gate, onDecline: 'Hold', show });
  const name = `gate-${mark}.pdf`;
  const id = await submit(page, workflowId, name);
  await becomes(page, id, /^OnHold$/);
  const gail = await openAs(page, browser, 'Gail', 'desk');
  await expect(title(gail, name)).toBeVisible();
  await gail.getByRole('button', { name: 'Decline' }).click();
  await expect(gail.getByRole('dialog')).toBeVisible();

  const gus = await openAs(page, browser, 'Gus', 'phone');
  await expect(gus.getByText('Gail is deciding at this moment')).toBeVisible();
  await expect(gus.getByRole('button', { name: 'Approve' })).toBeDisabled();
  await drawn(gus);
  await isSound(gus, 'gate-held');
  // As soon as the other has closed the dialog, the next look at the proof says so.
  await gail.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await expect(gail.getByRole('dialog')).toBeHidden();
  await gus.reload();
  await expect(gus.getByRole('button', { name: 'Approve' })).toBeEnabled();
  await expect(gus.getByText('is deciding at this moment')).toHaveCount(0);

  await gail.getByRole('button', { name: 'Decline' }).click();
  const dialog = gail.getByRole('dialog');
  await dialog.getByLabel('What should change').fill('The street has another number');
  await dialog.getByRole('button', { name: 'Decline' }).click();
  await expect(gail.getByText(/^Declined by Gail/)).toBeVisible();
  await isSound(gail, 'gate-declined');
  await gail.getByRole('button', { name: 'Change my answer' }).click();
  await gail.getByRole('button', { name: 'Approve' }).click();
  await dialog.getByRole('button', { name: 'Approve for printing' }).click();
  await expect(gail.getByText(/^Approved by Gail.*Others are still asked/)).toBeVisible();

  // The map of coverage begins with the limit of the profile, and the line of safety can be shown.
  await gail.getByRole('button', { name: 'Inks' }).click();
  await gail.getByText('Total ink coverage', { exact: true }).click();
  await expect(gail.getByLabel('Limit of total ink coverage')).toHaveValue('240 %');
  await gail.keyboard.press('Escape');
  await gail.getByRole('button', { name: 'Boxes' }).click();
  await gail.getByRole('menuitemcheckbox', { name: /Safety line/ }).click();
  await expect(gail.locator('[data-box="safety"]')).toBeVisible();
  await gail.keyboard.press('Escape');
  await isSound(gail, 'gate-safety');

  await gus.getByRole('button', { name: 'Approve' }).click();
  await gus.getByRole('dialog').getByRole('button', { name: 'Approve for printing' }).click();
  await becomes(page, id, /^Completed/);
  await Promise.all([gail, gus].map((reader) => reader.context().close()));
});
