import { expect } from 'playwright/test';
import { administrator, enter, rowWith, sampleWorkflow, signIn, test } from './house.ts';
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

test('the address sets the language; an unknown one is English', async ({ page }) => {
  await page.goto('/login?lang=fr');
  await expect(page.getByRole('button', { name: 'Se connecter' })).toBeVisible();
  await page.goto('/login?lang=it-IT');
  await expect(page.getByRole('button', { name: 'Accedi' })).toBeVisible();
  await page.goto('/login?lang=xx');
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
});

test('the network is lost and restored: old data stay with a notice, and then changes are shown', async ({
  page,
  context,
  playwright,
  baseURL,
}) => {
  const connected = page.waitForResponse(
    (response) => new URL(response.url()).pathname === '/api/sessions/live' && response.ok(),
  );
  await signIn(page);
  await connected;
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByText('Live updates paused')).toBeVisible();
  await page.getByRole('button', { name: 'Failed' }).click();
  await expect(page.getByText("Network Error: Can't get response from server.").first()).toBeVisible();
  await page.getByRole('button', { name: /^All/ }).click();

  // Meanwhile another program uploads a file.
  const other = await playwright.request.newContext({ ...(baseURL ? { baseURL } : {}) });
  const login = await other.post('/api/TokenAuth/login', { data: administrator });
  const { result } = (await login.json()) as { result: { authToken: string } };
  const headers = { authorization: `Bearer ${result.authToken}` };
  const workflows = (await (await other.get('/api/workflows?pageSize=100', { headers })).json()) as {
    result: { items: { id: string; name: string }[] };
  };
  const sample = workflows.result.items.find((workflow) => sampleWorkflow.test(workflow.name));
  const name = `meanwhile-${Date.now().toString(36)}.pdf`;
  const sent = await other.post('/api/sessions', {
    headers,
    multipart: {
      workflowId: sample?.id ?? '',
      file: { name, mimeType: 'application/pdf', buffer: makePdf([name]) },
    },
  });
  expect(sent.ok()).toBe(true);
  await other.dispose();

  await context.setOffline(false);
  await expect(page.getByText('Live updates paused')).toBeHidden();
  await rowWith(page, name, 'Completed');
});

test('unknown paths show the not-found page, signed in or not', async ({ page }) => {
  await page.goto('/no-such-page');
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  await page.goto('/pages/misc/not-found/access.denied');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});

test('at the top the groups of the navigation are menus four pixels below their names', async ({ page, context }) => {
  await enter(page, context);
  await page.goto('/preflight');
  await page.evaluate(() => localStorage.setItem('pdf2press-layout', '"horizontal"'));
  await page.reload();
  const profiles = page.getByRole('navigation').getByRole('button', { name: 'Profiles' });
  await expect(profiles).toHaveAttribute('data-lit', 'true');
  await profiles.press('Enter');
  const menu = page.getByRole('menu');
  await expect(menu.getByRole('menuitem', { name: 'Preflight' })).toHaveAttribute('aria-current', 'page');
  const edgeOf = async (one: typeof menu, edge: 'top' | 'bottom') =>
    one.evaluate((element, side) => element.getBoundingClientRect()[side], edge);
  await expect.poll(async () => (await edgeOf(menu, 'top')) - (await edgeOf(profiles, 'bottom'))).toBeCloseTo(4, 0);
  await menu.getByRole('menuitem', { name: 'Imposition' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Imposition' })).toBeVisible();
  await page.evaluate(() => localStorage.removeItem('pdf2press-layout'));
});

test('after scrolling 200 px there is a button back to the top', async ({ page, context }) => {
  await enter(page, context);
  await page.goto('/preflight/new');
  const toTop = page.getByRole('button', { name: 'Back to the top' });
  const scrollTo = (y: number) => page.evaluate((top) => window.scrollTo(0, top), y);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  // Until its form is drawn, the page is too short to be scrolled so far.
  await expect
    .poll(async () => {
      await scrollTo(201);
      return page.evaluate(() => window.scrollY);
    })
    .toBe(201);
  await expect(toTop).toBeVisible();
  await scrollTo(200);
  await expect(toTop).toHaveCount(0);
  await scrollTo(900);
  await toTop.click();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
});

test('a toast stays at the top right for five seconds, also after clicks and navigation', async ({ page, context }) => {
  await enter(page, context);
  await page.clock.install();
  await page.goto('/settings');
  const save = page.getByRole('button', { name: 'Save' });
  await expect(save).toBeEnabled();
  await page.clock.pauseAt(Date.now() + 60_000);
  await save.click();
  const toast = page.getByRole('status').filter({ hasText: 'Saved.' });
  // The clock is controlled by the test.
  await expect(async () => {
    await page.clock.runFor(20);
    await expect(toast).toBeVisible({ timeout: 500 });
  }).toPass();
  const box = await toast.boundingBox();
  expect(box && box.y < 100 && box.x + box.width > 1440 - 60).toBe(true);
  // The sign of what kind of toast it is: white on a disc of its colour.
  const disc = toast.locator('[class*=icon]').first();
  expect(await disc.evaluate((sign) => getComputedStyle(sign).backgroundColor)).toBe('rgb(21, 122, 60)');
  await toast.click();
  await page.getByRole('link', { name: 'Notifications' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Notifications' })).toBeVisible();
  // It stays while the pointer is over it; its five seconds start here.
  await page.mouse.move(400, 700);
  await page.clock.runFor(4_900);
  await expect(toast).toBeVisible();
  await page.clock.runFor(600);
  await expect(toast).toHaveCount(0);
});

test('a feature that is not in the plan is shown with a notice and cannot be saved', async ({ page, context }) => {
  await enter(page, context);
  await page.route('**/api/subscriber/getFeatures*', (route) =>
    route.fulfill({ json: { success: true, result: [{ featureKey: 'ActionStep' }], errors: [] } }),
  );
  await page.goto('/impose/new');
  const notice = 'This feature is not included in your current plan, changes may not be saved.';
  await expect(page.getByRole('status').filter({ hasText: notice })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Save' })).toHaveAccessibleDescription(notice);
  await expect(page.getByLabel('Name', { exact: false }).first()).toBeDisabled();
  await expect(page.getByRole('link', { name: 'Imposition' }).getByLabel('Not in your plan')).toBeVisible();
});
