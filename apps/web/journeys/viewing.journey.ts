import { readFileSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
import type { Session } from '@pdf2press/contract';
import { expect, type Page } from 'playwright/test';
import { ask, enter, patience, signIn, test } from './house.ts';

/** The sample of a new installation that has findings. */
async function openFaulty(page: Page): Promise<Session> {
  const { items } = await ask<{ items: { id: string }[] }>(page, 'GET', '/sessions?search=flyer-with-faults');
  const session = await ask<Session>(page, 'GET', `/sessions/${items[0]?.id}`);
  await page.goto(`/workflows/session/${session.id}`);
  await expect(page.locator('rect[data-severity]').first()).toBeVisible();
  return session;
}

const stageOf = (page: Page) => page.getByRole('group', { name: /^Page 1:/ });

test('marks go off and come back, the chosen one alone is an outline, a line is measured, the loupe shows more', async ({
  page,
  context,
}) => {
  await enter(page, context);
  await openFaulty(page);
  const marks = page.locator('rect[data-severity]');
  await page.keyboard.press('m');
  await expect(marks).toHaveCount(0);
  // Kept on this device.
  await page.reload();
  await expect(page.getByText('1 of 1')).toBeVisible();
  await expect(marks).toHaveCount(0);
  await page.getByRole('button', { name: 'Marks', exact: true }).click();
  await page.getByRole('menuitemradio', { name: 'The chosen finding alone' }).click();
  await page.keyboard.press('Escape');
  // The findings may come after the page, and before they are there none can be chosen.
  await expect(async () => {
    await page.keyboard.press('n');
    await expect(marks.first()).toHaveAttribute('data-chosen', 'true', { timeout: 2_000 });
  }).toPass();
  await expect(page.locator('rect[data-severity]:not([data-chosen])')).toHaveCount(0);
  // What lies inside of it keeps its colour.
  await expect(marks.first()).toHaveCSS('fill', 'rgba(0, 0, 0, 0)');
  await page.keyboard.press('m');
  await page.keyboard.press('m');
  await expect.poll(() => marks.count()).toBeGreaterThan(1);

  await page.keyboard.press('0');
  await page.keyboard.press('d');
  await expect(page.getByText('Drag over the page to measure')).toBeVisible();
  const stage = await stageOf(page).boundingBox();
  if (!stage) throw new Error('the stage has no box');
  const middle = { x: stage.x + stage.width / 2, y: stage.y + stage.height / 2 };
  await page.mouse.move(middle.x, middle.y);
  await page.mouse.down();
  await page.mouse.move(middle.x + 60, middle.y + 80);
  await page.mouse.up();
  const told = await page.getByText(/^[\d.]+ mm \([\d.]+ mm × [\d.]+ mm\)$/).textContent();
  const [length = 0, across = 0, down = 0] = (told?.match(/[\d.]+/g) ?? []).map(Number);
  expect(length).toBeCloseTo(Math.hypot(across, down), 1);
  expect(down / across).toBeCloseTo(4 / 3, 1);
  await page.keyboard.press('l');
  await page.mouse.move(middle.x, middle.y + 10);
  await expect(page.locator('[class*=loupe] img').first()).toBeVisible();
});

interface ManifestEntry {
  file: string;
}

test('the page is there before the app is, where the app then shows it', async ({ page, context }) => {
  await enter(page, context);
  const session = await openFaulty(page);
  await expect(stageOf(page).locator('img[class*=tile]').first()).toBeVisible();
  const manifest = JSON.parse(readFileSync(new URL('../dist/.vite/manifest.json', import.meta.url), 'utf8')) as Record<
    string,
    ManifestEntry
  >;
  const app = manifest['index.html']?.file ?? 'none';
  let goOn: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  await page.route(`**/${app}`, async (route) => {
    await held;
    await route.continue();
  });
  // The page is not complete before the app is there.
  await page.goto(`/workflows/session/${session.id}`, { waitUntil: 'commit' });
  const early = page.locator('#first-page');
  await expect(early.locator('img').first()).toBeVisible();
  expect(await page.locator('#root h1').count()).toBe(0);
  const before = await early.locator('div').boundingBox();
  goOn();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(early).toHaveCount(0);
  const after = await stageOf(page).locator('[class*=_page_]').first().boundingBox();
  for (const side of ['x', 'y', 'width', 'height'] as const)
    expect(before?.[side], side).toBeCloseTo(after?.[side] ?? Number.NaN, 0);
});

test('an ink is shown alone, each plate tells how much it covers', async ({ page, context }) => {
  await enter(page, context);
  await openFaulty(page);
  await page.getByRole('button', { name: 'Inks', exact: true }).click();
  const menu = page.getByRole('dialog', { name: 'Inks' });
  await menu.getByText('Separations').click();
  await expect(menu.getByText(/^\d+(\.\d)?%$/)).toHaveCount(4);
  await menu.getByRole('button', { name: 'Cyan alone' }).click();
  await expect(menu.getByRole('checkbox', { checked: true })).toHaveCount(1);
  await expect(stageOf(page).locator('canvas').first()).toBeVisible();
  await menu.getByRole('button', { name: 'Cyan alone' }).click();
  // All inks together are what the server composed for the press.
  await expect(stageOf(page).locator('canvas')).toHaveCount(0);
});

test('panels close and are as wide as they were made, the page fills the screen, at 976 px findings stand beside it', async ({
  page,
  context,
}) => {
  await enter(page, context);
  await openFaulty(page);
  const part = (name: string) => page.getByRole('region', { name, exact: true });
  const width = async (name: string) => (await part(name).boundingBox())?.width ?? 0;
  const before = await width('Details');
  await page.getByRole('separator', { name: 'Width of Details' }).focus();
  for (let press = 0; press < 3; press += 1) await page.keyboard.press('ArrowLeft');
  await expect.poll(() => width('Details')).toBeCloseTo(before + 48, 0);
  await page.getByRole('button', { name: 'Close Steps' }).click();
  await expect(part('Steps')).toHaveCount(0);
  await page.reload();
  await expect(part('Details')).toBeVisible();
  await expect(part('Steps')).toHaveCount(0);
  expect(await width('Details')).toBeCloseTo(before + 48, 0);
  await page.getByRole('button', { name: 'Open Steps' }).click();

  await page.keyboard.press('Shift+F');
  await expect.poll(async () => (await part('Page').boundingBox())?.y).toBeLessThan(20);
  await page.getByRole('button', { name: 'Leave full screen' }).click();
  await expect.poll(async () => (await part('Page').boundingBox())?.y).toBeGreaterThan(100);

  await page.setViewportSize({ width: 976, height: 800 });
  await expect(part('Page')).toBeVisible();
  await expect(page.getByText('Font not embedded').first()).toBeVisible();
  await page.getByRole('tab', { name: 'Steps' }).click();
  await expect(part('Details')).toContainText('Preflight');
});

test('the start page warns of nothing, and no two parts of the imposition form are called alike', async ({
  page,
  context,
}) => {
  await enter(page, context);
  const told: string[] = [];
  page.on('console', (message) => message.type() === 'warning' && told.push(message.text()));
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(told).toEqual([]);
  await page.goto('/impose/new');
  await expect(page.getByRole('region', { name: 'Drawing of the sheet' })).toBeVisible();
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().withRules(['landmark-unique']).analyze();
  expect(violations.flatMap(({ nodes }) => nodes.map(({ html }) => html))).toEqual([]);
});

test('a finding is fixed: the fix is tried on the file at once, and saved where it is wanted', async ({ page }) => {
  await signIn(page);
  await openFaulty(page);
  await page.getByRole('button', { name: /^Fix this: .*no bleed at the left edge/ }).click();
  const drawer = page.getByRole('dialog', { name: 'Fix this' });
  // Nobody pressed "Try it".
  await expect(drawer.getByRole('region', { name: 'What was fixed' })).toContainText('Applied', { timeout: patience });
  await expect(drawer.getByLabel('Name')).toHaveValue('Add bleed');
  await drawer.getByLabel('Name').fill(`Bleed ${Date.now()}`);
  await drawer.getByRole('button', { name: 'Save' }).click();
  await expect(drawer).toBeHidden();
  const { items } = await ask<{ items: { name: string }[] }>(page, 'GET', '/profiles/fix?search=Bleed');
  expect(items.some(({ name }) => name.startsWith('Bleed '))).toBe(true);
});
