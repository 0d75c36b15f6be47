import { expect } from 'playwright/test';
import { administrator, handIn, rowWith, test } from './house.ts';
import { axeFaults, everywhere, stillPicture, themeFollows } from './looks.ts';
import { makePdf } from './make-pdf.ts';
import { comparePicture, whyNotComparable } from './pictures.ts';

/** The link that the first start printed. A product that has an administrator prints none. */
const link = process.env.SETUP_LINK;

test('the first start: the printed link creates the administrator, who submits a file and reads its findings', async ({
  page,
  context,
}, info) => {
  test.skip(!link, 'this product has its administrator already: there is no link');
  await themeFollows(context);
  await page.goto('/login');
  await expect(page).toHaveURL(/\/setup$/);
  await expect(page.getByText('link', { exact: false }).first()).toBeVisible();

  const { pathname, hash } = new URL(link ?? '');
  await page.goto('about:blank');
  await page.goto(`${pathname}${hash}`);
  // The token of the link is not in the browser history.
  await expect(page).not.toHaveURL(/token/);
  await expect(page.getByLabel('First name')).toBeVisible();
  // This page exists only once: its screenshot is taken here, those of other screens later.
  const why = await whyNotComparable(page);
  for (const { theme, width } of everywhere) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    expect(await axeFaults(page)).toEqual([]);
    if (why) continue;
    const picture = await stillPicture(page);
    expect(await comparePicture(`setup-${theme}-${width}`, picture, info.outputPath('pictures'))).toBeNull();
  }
  await page.getByRole('button', { name: 'Create the administrator' }).click();
  await expect(page.getByText('Value is required').first()).toBeVisible();
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('E-mail').fill('not an address');
  await page.getByLabel('New password').fill('short');
  await page.getByLabel('Repeat').fill('other');
  await page.getByRole('button', { name: 'Create the administrator' }).click();
  await expect(page.getByText('Value is not a valid email address')).toBeVisible();
  await page.getByLabel('E-mail').fill(administrator.email);
  await page.getByLabel('New password').fill(administrator.password);
  await page.getByLabel('Repeat').fill(administrator.password);
  await page.getByRole('button', { name: 'Create the administrator' }).click();
  // What to do first is told, and nothing is counted that nobody sent.
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'First steps' })).toBeVisible();

  // The link cannot be used again.
  await page.goto('about:blank');
  await page.goto(`${pathname}${hash}`);
  await expect(page).not.toHaveURL(/setup/);

  await page.goto('/workflows/sessions');
  // Its name is in the reference screenshots.
  const name = 'First file.pdf';
  await handIn(page, [{ name, buffer: makePdf(['The first file']) }]);
  await rowWith(page, name, 'Completed');
  await page.getByRole('link', { name }).first().click();
  await expect(page.getByRole('button', { name: /Helvetica/ }).first()).toBeVisible();
});
