import type { Session } from '@pdf2press/contract';
import { expect, type Page } from 'playwright/test';
import { ask, patience, signIn, test, tokenOf } from './house.ts';
import { makePdf } from './make-pdf.ts';

const mark = Date.now().toString(36);
const pageCount = 3;

/** Hands a file to a new workflow made from a starter, and opens its session. */
async function openNew(page: Page, template: string, file: { name: string; buffer: Buffer }): Promise<void> {
  const workflow = { name: `${template} ${mark}`, template, isPublished: true };
  const { id: workflowId } = await ask<{ id: string }>(page, 'POST', '/workflows', workflow);
  const answer = await page.request.post('/api/sessions', {
    headers: { authorization: `Bearer ${await tokenOf(page)}` },
    multipart: { workflowId, file: { ...file, mimeType: 'application/pdf' } },
  });
  const { result } = (await answer.json()) as { result: { id: string } };
  await page.goto(`/workflows/session/${result.id}`);
}

const stateOf = (page: Page) => page.getByRole('heading', { level: 1 }).locator('..');

test('every version that a step made is shown whole, and compared whole', { tag: '@night' }, async ({ page }) => {
  await signIn(page);
  const buffer = makePdf(Array.from({ length: pageCount }, (_, at) => `Page ${at + 1} of ${mark}`));
  await openNew(page, 'business-cards-sra3', { name: `cards-${mark}.pdf`, buffer });
  await expect(stateOf(page)).toContainText('On hold', { timeout: patience });
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(stateOf(page)).toContainText('Completed', { timeout: patience });

  const versions = page.getByRole('radiogroup', { name: 'Version of the file' });
  await expect(versions.getByRole('radio')).toHaveCount(4);
  const button = (name: string) => page.getByRole('button', { name });
  for (const version of ['Original', 'After Fix']) {
    await versions.getByText(version, { exact: true }).click();
    for (let at = 1; at < pageCount; at += 1) {
      await expect(page.getByText(`${at} of ${pageCount}`)).toBeVisible();
      await button('Next page').click();
    }
    await expect(page.getByText(`${pageCount} of ${pageCount}`)).toBeVisible();
    for (let at = 1; at < pageCount; at += 1) await button('Previous page').click();
  }
  // More pages than cards fit on a sheet.
  await versions.getByText('Production', { exact: true }).click();
  await expect(page.getByText(/^1 of [2-9]$/)).toBeVisible();

  await versions.getByText('Compare', { exact: true }).click();
  await page.getByLabel('Version after').selectOption('After Fix');
  await button('Next page').click();
  await expect(page.getByRole('group', { name: 'After Fix, page 2' }).locator('img').first()).toBeVisible();
  await expect(page.getByText('This version has no such page.')).toHaveCount(0);
});

test('after a fix and a second preflight each finding says what became of it', { tag: '@night' }, async ({ page }) => {
  await signIn(page);
  const { items } = await ask<{ items: { id: string }[] }>(page, 'GET', '/sessions?search=flyer-with-faults');
  const sample = await ask<Session>(page, 'GET', `/sessions/${items[0]?.id}`);
  const original = sample.files.find(({ kind }) => kind === 'OriginalFile');
  const headers = { authorization: `Bearer ${await tokenOf(page)}` };
  const buffer = await (await page.request.get(original?.downloadUrl ?? '', { headers })).body();
  await openNew(page, 'check-fix-check', { name: `flyer-${mark}.pdf`, buffer });
  await expect(stateOf(page)).toContainText('On hold', { timeout: patience });
  const group = (rule: string) => page.getByRole('region', { name: rule, exact: true });
  await expect(group('Line too thin')).toContainText('Fixed');
  await expect(group('Font not embedded')).toContainText('Left');
  await expect(group('Extends beyond the cut')).toContainText('New');
  // What counts is what is left, and it is why the file is held.
  const held = page.getByRole('region', { name: 'On hold' });
  await expect(held).toContainText(/2 errors · \d+ warnings: .*not embedded/);
  await expect(stateOf(page)).toContainText('2 errors');
});
