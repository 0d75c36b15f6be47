import { expect, type Locator, type Page } from 'playwright/test';
import {
  centreOf,
  chooseProfile,
  drag,
  emptyPlace,
  endsAs,
  newWorkflow,
  picker,
  publish,
  run,
  standsStill,
  step,
  tidyUp,
} from './drawing.ts';
import { ask, patience, signIn, test } from './house.ts';
import { tabTo } from './keyboard.ts';
import { axeFaults, themeFollows } from './looks.ts';

const mark = Date.now().toString(36);

const leaving = (node: Locator) => node.locator('.react-flow__handle.source');
const link = async (page: Page, from: string, to: string) => {
  await standsStill(page);
  await drag(page, await centreOf(leaving(step(page, from))), await centreOf(step(page, to)));
};

/** Profiles of kinds that a new installation has none of. */
async function makeProfiles(page: Page): Promise<{ fix: string; impose: string }> {
  const fix = {
    name: `Rich black ${mark} ${Math.random()}`,
    settings: { actions: [{ key: 'RichBlack', settings: {} }] },
  };
  const impose = { name: `Cards ${mark} ${Math.random()}`, settings: { type: 'StepNRepeat' } };
  await ask(page, 'POST', '/profiles/fix', fix);
  await ask(page, 'POST', '/profiles/impose', impose);
  return { fix: fix.name, impose: impose.name };
}

test('drawn with the mouse: check, fix, impose, hold; published, and a file runs through', async ({ page }) => {
  await signIn(page, '/workflows');
  const profiles = await makeProfiles(page);
  await newWorkflow(page, `Drawn ${mark}`);

  // In the middle of a connection.
  await page.getByRole('button', { name: /^Put a step on Inject/ }).click();
  await picker(page)
    .getByRole('option', { name: /^Preflight/ })
    .click();
  await expect(step(page, 'Preflight')).toBeVisible();
  await chooseProfile(page, 'Preflight profile');

  // From the palette onto the canvas, and connected by hand.
  await page.getByRole('button', { name: 'Disconnect from Complete (Checked)' }).click();
  const canvas = await page.locator('.react-flow__pane').boundingBox();
  if (!canvas) throw new Error('there is no canvas');
  const dropAt = (x: number, y: number) => ({ targetPosition: { x: canvas.width * x, y: canvas.height * y } });
  const pane = page.locator('.react-flow__pane');
  await page.locator('section[aria-label=Steps]').getByRole('button', { name: 'Fix' }).dragTo(pane, dropAt(0.4, 0.75));
  await chooseProfile(page, 'Fix profile', profiles.fix);
  await link(page, 'Preflight', 'Fix');
  await expect(step(page, 'Preflight')).toHaveAccessibleName(/leads to Fix/);

  // A connection that is not allowed shows the reason and is not drawn.
  await link(page, 'Fix', 'Preflight');
  await expect(page.getByRole('alert').filter({ hasText: "You can't connect to previous step" })).toBeVisible();
  await expect(step(page, 'Fix')).not.toHaveAccessibleName(/leads to/);

  // With a selected step the palette adds the new step after it.
  await step(page, 'Fix').click();
  await page.locator('section[aria-label=Steps]').getByRole('button', { name: 'Impose' }).click();
  await expect(step(page, 'Fix')).toHaveAccessibleName(/leads to Impose/);
  await chooseProfile(page, 'Impose profile', profiles.impose);

  // A connection released over empty canvas opens the list of step kinds.
  await tidyUp(page);
  await page.getByRole('complementary').getByRole('button', { name: 'Close' }).click();
  await standsStill(page);
  await page.getByRole('button', { name: 'Fit the page' }).click();
  const place = await emptyPlace(page, { x: 0.55, y: 0.2 });
  await drag(page, await centreOf(leaving(step(page, 'Impose'))), place);
  await picker(page).getByRole('option', { name: /^Hold/ }).click();
  await expect(step(page, 'Impose')).toHaveAccessibleName(/leads to Hold/);
  await page.getByLabel('Reason').fill('Is the paper there?');
  await link(page, 'Hold', 'Complete');
  await expect(step(page, 'Hold')).toHaveAccessibleName(/leads to Complete/);

  // Undo and redo, one action at a time.
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(step(page, 'Hold')).not.toHaveAccessibleName(/leads to/);
  await page.getByRole('button', { name: 'Redo' }).click();
  await expect(step(page, 'Hold')).toHaveAccessibleName(/leads to Complete/);
  await expect(page.getByRole('button', { name: 'No issues' })).toBeVisible();

  await publish(page);
  await run(page, `Drawn by hand ${mark}.pdf`);
  await expect(page.getByRole('region', { name: 'On hold' })).toContainText('Is the paper there?', {
    timeout: patience,
  });
  await page.getByRole('button', { name: 'Continue' }).click();
  await endsAs(page, /Completed/);
});

test('drawn by keys alone, published, and a file runs through', async ({ page }) => {
  await signIn(page, '/workflows');
  await newWorkflow(page, `By keys ${mark}`);
  await tabTo(page, step(page, 'Inject'));
  await page.keyboard.press('a');
  await expect(picker(page)).toBeVisible();
  await page.keyboard.type('preflight');
  await page.keyboard.press('Enter');
  await expect(step(page, 'Preflight')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('complementary').getByLabel('Name')).toBeFocused();
  await tabTo(page, page.getByRole('combobox', { name: 'Preflight profile' }));
  await page.keyboard.press('ArrowDown');
  // The list of profiles comes from the API: what is pressed before is not for it.
  await expect(page.getByRole('option').first()).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('combobox', { name: 'Preflight profile' })).not.toHaveValue('');
  await page.keyboard.press('Escape');
  await expect(step(page, 'Preflight')).toBeFocused();

  // Moved by the grid, undone; the way on, and back.
  const before = await step(page, 'Preflight').boundingBox();
  await page.keyboard.press('ArrowDown');
  await expect.poll(async () => (await step(page, 'Preflight').boundingBox())?.y).not.toBe(before?.y);
  await page.keyboard.press('Control+z');
  await expect.poll(async () => (await step(page, 'Preflight').boundingBox())?.y).toBe(before?.y);
  await page.keyboard.press('Alt+ArrowRight');
  await expect(step(page, 'Complete')).toBeFocused();
  await page.keyboard.press('Alt+ArrowLeft');
  await expect(step(page, 'Preflight')).toBeFocused();

  // A hold beside the way, connected by its name. What cannot be connected is there with the reason.
  await page.keyboard.press('a');
  await page.keyboard.type('hold');
  await page.keyboard.press('Enter');
  await expect(step(page, 'Preflight')).toHaveAccessibleName(/leads to Hold/);
  await expect(step(page, 'Hold')).toHaveAccessibleName(/leads to Complete/);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Delete');
  await expect(step(page, 'Hold')).toHaveCount(0);
  await tabTo(page, step(page, 'Preflight'));
  await page.keyboard.press('c');
  const targets = page.getByRole('dialog', { name: /^Connect Preflight/ });
  await expect(targets.getByRole('option', { name: /Inject/ })).toContainText("You can't connect to previous step");
  await page.keyboard.type('complete');
  await page.keyboard.press('Enter');
  await expect(step(page, 'Preflight')).toHaveAccessibleName(/leads to Complete/);
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();

  await publish(page);
  await run(page, `By keys ${mark}.pdf`);
  await endsAs(page, /Completed/);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('drawn in the list, published, and a file runs through', { tag: '@night' }, async ({ page }) => {
    await signIn(page, '/workflows');
    await newWorkflow(page, `In the list ${mark}`);
    const list = page.getByRole('list', { name: 'Steps of the workflow' });
    await expect(list.getByRole('listitem').filter({ hasText: 'Inject' }).first()).toBeVisible();
    await page.getByRole('button', { name: /^Put a step on Inject/ }).click();
    await picker(page)
      .getByRole('option', { name: /^Preflight/ })
      .click();
    await chooseProfile(page, 'Preflight profile');
    await page.getByRole('complementary', { name: 'Preflight' }).getByRole('button', { name: 'Close' }).click();
    await page
      .getByRole('button', { name: 'Add a step after Preflight, Checked' })
      .or(page.getByRole('button', { name: /^Put a step on Preflight/ }))
      .click();
    await picker(page).getByRole('option', { name: /^Hold/ }).click();
    await page.getByRole('complementary', { name: 'Hold' }).getByRole('button', { name: 'Close' }).click();

    // Up and down: the two change places in the workflow.
    await page.getByRole('button', { name: 'Move Hold up' }).click();
    await expect(list.getByRole('button', { name: /^Hold step 2 of 4/ })).toBeVisible();
    await page.getByRole('button', { name: 'Move Hold down' }).click();
    await page.getByRole('button', { name: 'Remove Hold' }).click();
    await page.getByRole('button', { name: /^Connect Preflight/ }).click();
    await page.getByRole('option', { name: /^Complete/ }).click();
    await publish(page);
    await run(page, `In the list ${mark}.pdf`);
    await endsAs(page, /Completed/);
  });
});

test('leaving with unsaved changes asks, they are kept on the device, and a conflicting save is reported', async ({
  page,
  context,
}) => {
  await signIn(page, '/workflows');
  await newWorkflow(page, `Two writers ${mark}`);
  const name = page.getByLabel('Name of the workflow');
  await name.fill(`Mine ${mark}`);
  await expect(page.getByText('Unsaved', { exact: true })).toBeVisible();
  // Typed back as it was: nothing is unsaved.
  await name.fill(`Two writers ${mark}`);
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await name.fill(`Mine ${mark}`);

  // Leaving asks.
  await page.getByRole('link', { name: 'Workflows' }).first().click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(name).toHaveValue(`Mine ${mark}`);

  // Another visitor saves the same workflow.
  const id = /edit\/([^?]+)/.exec(page.url())?.[1] ?? '';
  const stored = await ask<{ name: string; draft: object; draftRevision: number }>(page, 'GET', `/workflows/${id}`);
  await ask(page, 'PUT', `/workflows/${id}`, { ...stored, name: `Theirs ${mark}` });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const conflict = page.getByRole('dialog', { name: 'Somebody else saved this workflow' });
  await conflict.getByRole('button', { name: 'Take theirs' }).click();
  await expect(name).toHaveValue(`Theirs ${mark}`);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(name).toHaveValue(`Mine ${mark}`);

  // Closed without saving: it is offered again.
  await page.waitForTimeout(2500);
  const again = await context.newPage();
  await again.goto(`/workflows/edit/${id}`);
  await again.getByRole('button', { name: 'Take them over' }).click();
  await expect(again.getByLabel('Name of the workflow')).toHaveValue(`Mine ${mark}`);
  await again.close();
});

for (const theme of ['light', 'dark'] as const)
  test(`axe finds nothing on any state of the builder, ${theme}`, {
    tag: '@night',
  }, async ({ page, context }) => {
    await themeFollows(context);
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await signIn(page, '/workflows');
    await newWorkflow(page, `Axe ${theme} ${mark}`);
    const clean = async (state: string) => expect(await axeFaults(page), state).toEqual([]);
    await step(page, 'Inject').waitFor();
    await clean('the canvas');
    await page.getByRole('button', { name: /^Put a step on Inject/ }).click();
    await clean('the picker');
    await picker(page)
      .getByRole('option', { name: /^Preflight/ })
      .click();
    await clean('a step with an issue, and its form');
    await page.getByRole('button', { name: '1 issue' }).click();
    await clean('the issues');
    await page.getByRole('button', { name: 'Variables' }).click();
    await page.getByRole('button', { name: 'Add a variable' }).click();
    await clean('the variables');
    await page.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Versions' }).click();
    await clean('the versions');
    await page.getByText('List', { exact: true }).click();
    await clean('the list');
    await page.setViewportSize({ width: 390, height: 844 });
    await clean('the list on a phone');
  });
