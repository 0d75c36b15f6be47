import { expect, type Locator, type Page } from 'playwright/test';
import { ask, patience } from './house.ts';
import { makePdf } from './make-pdf.ts';

/** A step on the canvas, by its name. */
export const step = (page: Page, name: string) => page.getByRole('group', { name: new RegExp(`^${name}, step \\d`) });

/** The list of kinds that opens where a step is to be added. */
export const picker = (page: Page) => page.getByRole('dialog', { name: 'Add a step' });

export async function centreOf(target: Locator): Promise<{ x: number; y: number }> {
  const box = await target.boundingBox();
  if (!box) throw new Error(`${target} is nowhere on the page`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/**
 * Waits until nothing on the canvas moves any more: whatever opens or closes beside it changes its size, and steps that
 * are tidied travel. A place on it can be measured only then.
 */
export async function standsStill(page: Page): Promise<void> {
  const look = () =>
    page.evaluate(async () => {
      const places = () =>
        [...document.querySelectorAll('.react-flow, .react-flow__node')]
          .map((element) => {
            const { x, y, width, height } = element.getBoundingClientRect();
            return [x, y, width, height].map(Math.round).join(' ');
          })
          .join('\n');
      const before = places();
      for (let frames = 0; frames < 5; frames += 1) await new Promise((done) => requestAnimationFrame(done));
      return before === places();
    });
  await expect.poll(look, { message: 'the canvas comes to no rest' }).toBe(true);
}

/** Lays the workflow out, and waits until it lies so: what does it is loaded with the first use. */
export async function tidyUp(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Tidy up' }).click();
  await expect(page.getByRole('status').filter({ hasText: /steps? arranged$/ })).toBeAttached();
  await standsStill(page);
}

/** Where on the page nothing of the workflow stands, near the place that is named by its shares of the canvas. */
export async function emptyPlace(page: Page, share: { x: number; y: number }): Promise<{ x: number; y: number }> {
  await standsStill(page);
  const place = await page.locator('.react-flow__pane').evaluate((pane, { x, y }) => {
    const box = pane.getBoundingClientRect();
    const wanted = { x: box.x + box.width * x, y: box.y + box.height * y };
    const ways = [0, 1, -1, 2, -2, 3, -3].flatMap((down) => [0, 1, -1, 2, -2, 3, -3].map((right) => ({ down, right })));
    return ways
      .map(({ down, right }) => ({ x: wanted.x + right * 50, y: wanted.y + down * 50 }))
      .find((at) => document.elementFromPoint(at.x, at.y) === pane);
  }, share);
  if (!place) throw new Error('there is no empty place on the canvas');
  return place;
}

/** Moves the mouse with its button held from one place to another. */
export async function drag(page: Page, from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
}

/** Makes a workflow in the dialog of the list, of the whole house or `of` an organization, and waits for the builder. */
export async function newWorkflow(page: Page, name: string, starter = 'Empty', of?: string): Promise<void> {
  await page.goto('/workflows');
  await page.getByRole('button', { name: 'New workflow' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New workflow' });
  await dialog.getByLabel('Name').fill(name);
  if (of !== undefined) await chooseIn(dialog, 'Organization', of);
  await dialog.getByText(starter, { exact: true }).click();
  await dialog.getByRole('button', { name: 'Create the workflow' }).click();
  await expect(page.getByLabel('Name of the workflow')).toHaveValue(name);
}

/** Chooses a profile in the form of a step; the first one if no name is given. */
export async function chooseProfile(page: Page, label: string, name?: string): Promise<void> {
  const field = page.getByRole('combobox', { name: label });
  await field.click();
  await (name ? page.getByRole('option', { name }) : page.getByRole('option')).first().click();
  await expect(field).not.toHaveValue('');
}

/** Chooses an option of a field in a form. */
export async function chooseIn(form: Locator, label: string, option: string): Promise<void> {
  await form.getByRole('combobox', { name: label, exact: true }).click();
  await form.page().getByRole('option', { name: option, exact: true }).click();
}

export async function publish(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Publish' }).click();
  const dialog = page.getByRole('dialog', { name: /^Publish version/ });
  await dialog.getByRole('button', { name: 'Publish' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
}

/** Uploads a file to the workflow that is open, and opens its session. */
export async function run(page: Page, file: string): Promise<void> {
  await page.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'New session' }).click();
  const drawer = page.getByRole('dialog', { name: 'New session' });
  await drawer
    .locator('input[type=file]')
    .setInputFiles({ name: file, mimeType: 'application/pdf', buffer: makePdf([file]) });
  await drawer.getByRole('button', { name: /^Submit/ }).click();
  await expect(drawer).toBeHidden();
  // The page stays until the file has arrived: leaving it would end the upload.
  // A search finds names that contain the text, too: "wanted.pdf" also finds "unwanted.pdf".
  const arrived = async () => {
    const path = `/sessions?search=${encodeURIComponent(file)}`;
    const { items } = await ask<{ items: { id: string; fileName: string }[] }>(page, 'GET', path);
    return items.find(({ fileName }) => fileName === file)?.id;
  };
  await expect.poll(arrived, { timeout: patience }).toBeTruthy();
  await page.goto(`/workflows/session/${await arrived()}`);
}

export const endsAs = (page: Page, status: RegExp) =>
  expect(page.getByRole('heading', { level: 1 }).locator('..')).toContainText(status, { timeout: patience });
