import { expect, type Page } from 'playwright/test';
import { centreOf, drag, newWorkflow, standsStill, step } from './drawing.ts';
import { signIn, test } from './house.ts';

const mark = Date.now().toString(36);
const all = (page: Page) => page.locator('.react-flow__node');
const chosen = (page: Page) => page.locator('.react-flow__node.selected');

/** Inject, two holds, Complete, and nothing open beside the canvas. */
async function twoHolds(page: Page): Promise<void> {
  await step(page, 'Inject').click();
  for (const count of [3, 4]) {
    await page.locator('section[aria-label=Steps]').getByRole('button', { name: 'Hold', exact: true }).click();
    await expect(all(page)).toHaveCount(count);
  }
  await page.getByRole('complementary').getByRole('button', { name: 'Close' }).click();
  await standsStill(page);
  await page.getByRole('button', { name: 'Fit the page' }).click();
  await standsStill(page);
}

/** Draws a box with Shift held around steps. */
async function boxAround(page: Page, names: readonly string[]): Promise<void> {
  const boxes = await Promise.all(names.map((name) => step(page, name).first().boundingBox()));
  const found = boxes.flatMap((box) => box ?? []);
  expect(found).toHaveLength(names.length);
  const room = 14;
  const from = { x: Math.min(...found.map(({ x }) => x)) - room, y: Math.min(...found.map(({ y }) => y)) - 2 * room };
  const to = {
    x: Math.max(...found.map(({ x, width }) => x + width)) + room,
    y: Math.max(...found.map(({ y, height }) => y + height)) + 2 * room,
  };
  await page.keyboard.down('Shift');
  await drag(page, from, to);
  await page.keyboard.up('Shift');
}

test('steps are chosen with a box, copied and pasted by keys', async ({ page }) => {
  await signIn(page, '/workflows');
  await newWorkflow(page, `Many ${mark}`);
  await twoHolds(page);

  await boxAround(page, ['Hold']);
  await expect(chosen(page)).not.toHaveCount(0);
  await page.keyboard.press('Control+a');
  await expect(chosen(page)).toHaveCount(4);

  // Of the copies a workflow takes the two holds alone.
  await page.keyboard.press('Control+c');
  await page.keyboard.press('Control+v');
  await expect(all(page)).toHaveCount(6);
  await expect(chosen(page)).toHaveCount(2);
});

test('a dragged step keeps to the grid of the others, a line shows it, and the whole drag is undone at once', async ({
  page,
}) => {
  await signIn(page, '/workflows');
  await newWorkflow(page, `Drags ${mark}`);
  await twoHolds(page);
  const place = async () => {
    const { x, y } = await centreOf(step(page, 'Complete'));
    return [Math.round(x), Math.round(y)];
  };
  const before = await place();
  const from = await centreOf(step(page, 'Complete'));
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x, from.y + 60, { steps: 10 });
  // Almost on the line of the others.
  await page.mouse.move(from.x, from.y + 4, { steps: 10 });
  await expect(page.locator('[data-axis]').first()).toBeAttached();
  await page.mouse.move(from.x, from.y + 120, { steps: 10 });
  await page.mouse.up();
  await expect.poll(place).not.toEqual(before);
  await expect(page.locator('[data-axis]')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(place).toEqual(before);
});
