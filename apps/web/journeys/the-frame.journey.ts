import { expect } from 'playwright/test';
import { administrator, rowWith, sampleWorkflow, signIn, test } from './house.ts';
import { makePdf } from './make-pdf.ts';

test('below 976 px the navigation is an overlay, and the chosen layout comes back above', async ({ page }) => {
  await signIn(page);
  await page.evaluate(() => localStorage.setItem('pdf2press-layout', '"horizontal"'));
  await page.reload();
  await expect(page.locator('[data-frame]')).toHaveAttribute('data-frame', 'horizontal');
  await page.setViewportSize({ width: 975, height: 900 });
  await expect(page.locator('[data-frame]')).toHaveAttribute('data-frame', 'overlay');
  await page.getByRole('button', { name: 'Open the navigation' }).click();
  await expect(page.getByRole('dialog').getByRole('link', { name: 'Workflows' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Open the navigation' })).toBeFocused();
  expect(await page.evaluate(() => localStorage.getItem('pdf2press-layout'))).toBe('"horizontal"');
  for (const width of [976, 977]) {
    await page.setViewportSize({ width, height: 900 });
    await expect(page.locator('[data-frame]')).toHaveAttribute('data-frame', 'horizontal');
  }
});

test('preferences survive a reload under keys with the app’s title', async ({ page }) => {
  await signIn(page);
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Appearance' }).click();
  const drawer = page.getByRole('dialog', { name: 'Appearance' });
  await drawer.getByText('Dark', { exact: true }).click();
  await drawer.getByText('Compact', { exact: true }).click();
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await expect(page.locator('html')).toHaveAttribute('data-density', 'compact');
  const keys = await page.evaluate(() => Object.keys(localStorage));
  expect(keys.filter((key) => !key.startsWith('pdf2press-'))).toEqual([]);
});

test('the address chooses the language, and what nobody knows is English', async ({ page }) => {
  await page.goto('/login?lang=fr');
  await expect(page.getByRole('button', { name: 'Se connecter' })).toBeVisible();
  await page.goto('/login?lang=it-IT');
  await expect(page.getByRole('button', { name: 'Accedi' })).toBeVisible();
  await page.goto('/login?lang=xx');
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
});

test('the network goes and comes back: old data stay with a word, and what happened meanwhile is there', async ({
  page,
  context,
  playwright,
  baseURL,
}) => {
  await signIn(page);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByText('Live paused')).toBeVisible();
  await page.getByRole('button', { name: 'Failed' }).click();
  await expect(page.getByText("Network Error: Can't get response from server.").first()).toBeVisible();
  await page.getByRole('button', { name: /^All/ }).click();

  // Meanwhile another program hands a file in.
  const other = await playwright.request.newContext({ ...(baseURL ? { baseURL } : {}) });
  const login = await other.post('/api/TokenAuth/login', { data: administrator });
  const { result } = (await login.json()) as { result: { authToken: string } };
  const headers = { authorization: `Bearer ${result.authToken}` };
  const workflows = (await (await other.get('/api/workflows', { headers })).json()) as {
    result: { items: { id: string; name: string }[] };
  };
  const sample = workflows.result.items.find((workflow) => sampleWorkflow.test(workflow.name));
  const name = `meanwhile-${Date.now().toString(36)}.pdf`;
  await other.post('/api/sessions', {
    headers,
    multipart: {
      workflowId: sample?.id ?? '',
      file: { name, mimeType: 'application/pdf', buffer: makePdf([name]) },
    },
  });
  await other.dispose();

  await context.setOffline(false);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await rowWith(page, name, 'Completed');
});

test('unknown paths say so, signed in or not', async ({ page }) => {
  await page.goto('/no-such-page');
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  await page.goto('/pages/misc/not-found/access.denied');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});
