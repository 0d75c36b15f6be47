import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from 'playwright/test';
import { signIn, test } from './house.ts';

const publicPaths = ['/login', '/forgot-password', '/reset-password', '/no-such-page'];
const paths = [
  '/workflows/sessions',
  '/workflows',
  '/preflight',
  '/preflight/new',
  '/user',
  '/user/new',
  '/role',
  '/role/new',
  '/settings',
  '/settings?tab=security',
  '/notification',
  '/user/my-profile',
];
const widths = [390, 976, 1440];

async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze();
  return found.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`),
  );
}

for (const theme of ['light', 'dark'] as const) {
  test(`no page breaks WCAG 2.2 AA in the ${theme} theme at any width`, async ({ page }) => {
    test.setTimeout(300_000);
    await page.addInitScript((chosen) => localStorage.setItem('pdf2press-theme', JSON.stringify(chosen)), theme);
    const faults: string[] = [];
    const look = async (path: string) => {
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        faults.push(...(await violations(page)).map((fault) => `${path} at ${width}: ${fault}`));
      }
    };
    for (const path of publicPaths) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await look(path);
    }
    await signIn(page);
    for (const path of paths) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      await look(path);
    }
    await page.goto('/workflows/sessions');
    await page
      .getByRole('row')
      .or(page.getByRole('listitem'))
      .filter({ hasText: 'Completed' })
      .first()
      .getByRole('link')
      .click();
    await expect(page.getByText(/page/).first()).toBeVisible();
    await look('a session');
    expect(faults).toEqual([]);
  });
}

test('dialogs and form errors break nothing either', async ({ page }) => {
  await page.goto('/login');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByText('Value is required').first()).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await signIn(page);
  await page.getByRole('button', { name: 'New session' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Hand in/ })
    .click();
  await expect(page.getByText('No file was sent.')).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  expect(await violations(page)).toEqual([]);
});
