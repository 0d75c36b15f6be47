import { expect, type Page } from 'playwright/test';
import { ask, handIn, patience, signIn, test } from './house.ts';
import { makePdf } from './make-pdf.ts';

const mark = Date.now().toString(36);
const [faulty, clean] = [`faulty-${mark}.pdf`, `clean-${mark}.pdf`];
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

test('what was sent from here appears by itself; list, session and step tell its errors in the same words', async ({
  page,
}) => {
  await signIn(page);
  await handIn(page, [
    { name: faulty, buffer: makePdf([`Text ${mark}`]) },
    { name: clean, buffer: makePdf(['']) },
  ]);
  // No "new sessions" to press.
  await expect(rowOf(page, faulty)).toContainText(/\d+ errors?/, { timeout: patience });
  await expect(rowOf(page, clean)).toContainText('No findings', { timeout: patience });
  const told =
    (await rowOf(page, faulty)
      .getByText(/^\d+ errors?/)
      .textContent()) ?? '';

  await page.getByRole('columnheader', { name: 'Findings' }).getByRole('button').click();
  await expect(page).toHaveURL(/sort=findings/);
  await page
    .locator('button', { hasText: /^Findings$/ })
    .first()
    .click();
  await page.getByRole('checkbox', { name: 'With errors' }).click();
  await expect(page).toHaveURL(/resultLevel=Error/);
  await page.keyboard.press('Escape');
  await expect(rowOf(page, clean)).toHaveCount(0);

  await rowOf(page, faulty).getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1 }).locator('..')).toContainText(told);
  await expect(page.getByRole('region', { name: 'Steps' })).toContainText(told);
  // Tab, chips, log and API count alike.
  const { findings } = await ask<{ findings: Record<string, number> }>(
    page,
    'GET',
    `/sessions/${new URL(page.url()).pathname.split('/').at(-1)}`,
  );
  const all = Object.values(findings).reduce((sum, count) => sum + count, 0);
  await expect(page.getByRole('tab', { name: new RegExp(`^Findings ?${all}$`) })).toBeVisible();
  await page.getByRole('tab', { name: 'Log' }).click();
  await expect(page.getByRole('log')).toContainText(new RegExp(` ${all} findings?`));
});

test('the language of the menu is the person’s: frame and findings at once, and what the API answers', async ({
  page,
}) => {
  await signIn(page, `/workflows/sessions?search=${mark}`);
  await rowOf(page, faulty).getByRole('link').click();
  await expect(page.getByText('Font not embedded').first()).toBeVisible();
  const choose = async (menu: string, language: string) => {
    await page.getByRole('button', { name: menu, exact: true }).click();
    await page.getByRole('menuitemradio', { name: language }).click();
  };
  await choose('Language', 'Français');
  try {
    await expect(page.getByText('Police non incorporée').first()).toBeVisible();
    expect(await ask<{ locale: string }>(page, 'GET', '/me')).toMatchObject({ locale: 'fr' });
    // Another browser has it, too.
    await page.evaluate(() => localStorage.removeItem('pdf2press-language'));
    await page.reload();
    await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  } finally {
    await choose('Langue', 'English');
  }
  await expect(page.getByText('Font not embedded').first()).toBeVisible();
});
