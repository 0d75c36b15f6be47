import { expect } from 'playwright/test';
import { enter, patience, test } from './house.ts';
import { isSound } from './looks.ts';
import { makePdf } from './make-pdf.ts';
import { drawn, linkFor, makeProvingWorkflow, readerOf } from './proving.ts';
import { becomes, submit } from './submit.ts';

const mark = Date.now().toString(36);

/** A file of three pages of which the second is kilometres wide: it has too many pixels at any resolution. */
function withHugePage(): Buffer {
  let seen = 0;
  const text = makePdf(['Cover', 'Inside', 'Back'])
    .toString('latin1')
    .replace(/\/TrimBox\[[^\]]*\]/g, (trim) => {
      seen += 1;
      return seen === 2 ? '/UserUnit 1500'.padEnd(trim.length) : trim;
    });
  return Buffer.from(text, 'latin1');
}

test('a page that cannot be rendered is crossed out with a sentence, the others are read and decided on', {
  tag: '@night',
}, async ({ page, context, browser }) => {
  test.setTimeout(6 * patience);
  await enter(page, context);
  const email = `ulla-${mark}@customer.test`;
  const workflowId = await makeProvingWorkflow(page, email, { isReasonRequired: false }, []);
  const name = `huge-${mark}.pdf`;
  const id = await submit(page, workflowId, name, [], withHugePage());
  await becomes(page, id, /^OnHold$/);

  const reader = await readerOf(browser, { width: 1440, height: 900 });
  await reader.goto(await linkFor(page, email));
  await drawn(reader);
  await reader.getByRole('button', { name: 'Next page' }).click();
  const notice = reader.getByRole('status').filter({ hasText: 'This page cannot be shown.' });
  await expect(notice).toBeVisible({ timeout: patience });
  await expect(reader.getByText('The page is being rendered')).toHaveCount(0);
  await expect(reader.getByRole('button', { name: 'Page 2, cannot be shown' })).toBeVisible();
  await isSound(reader, 'undrawable');
  await reader.setViewportSize({ width: 390, height: 844 });
  await isSound(reader, 'undrawable-phone');
  await reader.setViewportSize({ width: 1440, height: 900 });

  // Compared with the file as it came, and with the difference asked for, it says the same.
  await reader.getByText('Compare', { exact: true }).click();
  await expect(notice).toHaveCount(2);
  await isSound(reader, 'undrawable-compared');
  await reader.getByText('Difference', { exact: true }).click();
  await expect(notice).toHaveCount(0);
  await expect(reader.getByText('This page cannot be shown.')).toBeVisible();
  await reader.getByText('As it will print', { exact: true }).click();
  await reader.getByRole('button', { name: 'Next page' }).click();
  await expect(notice).toHaveCount(0);
  await drawn(reader);

  // The decision and its certificate are made all the same.
  await reader.getByRole('button', { name: 'Decline' }).first().click();
  await reader.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
  await expect(reader.getByText(/^Declined by/)).toBeVisible();
  const [certificate] = await Promise.all([
    reader.waitForEvent('download', { timeout: 2 * patience }),
    reader.getByRole('button', { name: /certificate/i }).click(),
  ]);
  expect(certificate.suggestedFilename()).toContain('certificate');
  await reader.context().close();

  // The house sees the same in the session.
  await page.goto(`/workflows/session/${id}`);
  await page.getByRole('button', { name: 'Page 2, cannot be shown' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'This page cannot be shown.' })).toBeVisible();
});
