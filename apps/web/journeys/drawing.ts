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

/** Moves the mouse with its button held from one place to another. */
export async function drag(page: Page, from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
}

/** Makes a workflow in the dialog of the list, and waits for the builder. */
export async function newWorkflow(page: Page, name: string, starter = 'Empty'): Promise<void> {
  await page.goto('/workflows');
  await page.getByRole('button', { name: 'New workflow' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New workflow' });
  await dialog.getByLabel('Name').fill(name);
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
  const arrived = async () =>
    (await ask<{ items: { id: string }[] }>(page, 'GET', `/sessions?search=${encodeURIComponent(file)}`)).items[0]?.id;
  await expect.poll(arrived, { timeout: patience }).toBeTruthy();
  await page.goto(`/workflows/session/${await arrived()}`);
}

export const endsAs = (page: Page, status: RegExp) =>
  expect(page.getByRole('heading', { level: 1 }).locator('..')).toContainText(status, { timeout: patience });
