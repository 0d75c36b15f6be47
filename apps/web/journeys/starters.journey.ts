import { type Browser, expect, type Page } from 'playwright/test';
import { chooseProfile, newWorkflow, picker, publish, run, standsStill, step } from './drawing.ts';
import { administrator, ask, patience, signIn, test } from './house.ts';
import { makePdf } from './make-pdf.ts';
import { drawn as isDrawn, linkFor, readerOf } from './proving.ts';

const mark = Date.now().toString(36);

interface Drawn {
  steps: { id: string; kind: string; settings: { profileId?: string } }[];
  edges: { from: string; outcome: string; to: string }[];
}

/** What a starter makes: its steps in order, each with the name of its profile. */
const starters = [
  { name: 'Check', steps: [['Preflight', 'Standard'], ['Hold']] },
  {
    name: 'Check, fix, check again',
    steps: [['Preflight', 'Standard'], ['Fix', 'Make press-ready'], ['Preflight', 'Standard'], ['Hold']],
  },
  {
    name: 'Business cards on SRA3',
    steps: [
      ['Preflight', 'Business card or flyer'],
      ['Fix', 'Add 3 mm bleed'],
      ['Preflight', 'Business card or flyer'],
      ['Hold'],
      ['Impose', 'Business cards on SRA3'],
    ],
  },
  { name: 'Booklet', steps: [['Preflight', 'Saddle-stitched booklet'], ['Hold'], ['Impose', 'Booklet']] },
  { name: 'Check and impose', steps: [['Preflight', 'Standard'], ['Hold'], ['Impose', 'Check and impose']] },
  {
    name: 'Check, proof, impose',
    steps: [['Preflight', 'Standard'], ['Hold'], ['Proof', 'Check, proof, impose'], ['Impose', 'Check, proof, impose']],
  },
  {
    name: 'Large format',
    steps: [
      ['Preflight', 'Large format'],
      ['Fix', 'Convert to CMYK (FOGRA39, coated)'],
      ['Preflight', 'Large format'],
      ['Hold'],
    ],
  },
] as const;

const openedId = (page: Page): string => /workflows\/edit\/([^?/]+)/.exec(page.url())?.[1] ?? '';

/** A workflow as lines `kind profile outcome → kind`, from the entry on; the ways that leave a step by their names. */
async function linesOf(page: Page, id: string): Promise<string[]> {
  const { draft } = await ask<{ draft: Drawn }>(page, 'GET', `/workflows/${id}`);
  const reached = draft.steps.filter(({ kind }) => kind === 'Inject');
  const lines: string[] = [];
  for (const at of reached) {
    const ways = draft.edges
      .filter(({ from }) => from === at.id)
      .sort((one, other) => one.outcome.localeCompare(other.outcome));
    for (const { outcome, to } of ways) {
      const next = draft.steps.find((one) => one.id === to);
      lines.push(`${at.kind} ${at.settings.profileId ?? ''} ${outcome} → ${next?.kind ?? ''}`);
      if (next && !reached.includes(next)) reached.push(next);
    }
  }
  expect(reached).toHaveLength(draft.steps.length);
  return lines;
}

const stateOf = (page: Page) => page.getByRole('heading', { level: 1 }).locator('..');

/** Waits until the session on the screen is held or finished; where it is held, it is told to continue. */
async function finish(page: Page): Promise<void> {
  await expect(stateOf(page)).toContainText(/Completed|On hold/, { timeout: patience });
  const isHeld = /On hold/.test((await stateOf(page).textContent()) ?? '');
  if (isHeld) await page.getByRole('button', { name: 'Continue' }).click();
}

/** Whoever made the workflow is asked for the approval, by mail. */
async function approve(page: Page, browser: Browser): Promise<void> {
  const reader = await readerOf(browser, { width: 1440, height: 900 });
  await reader.goto(await linkFor(page, administrator.email));
  await isDrawn(reader);
  await reader.getByRole('button', { name: 'Approve' }).click();
  const dialog = reader.getByRole('dialog', { name: /^Approve / });
  await dialog.getByRole('checkbox').check();
  await dialog.getByRole('button', { name: 'Approve for printing' }).click();
  await expect(dialog).toBeHidden();
  await reader.context().close();
}

/** Drawn at night; by day workflow-builder.journey.ts draws one with the same parts. */
const drawn = process.env.NIGHT ? starters : [];

for (const { name, steps } of drawn)
  test(`${name}: drawn by hand it is what the starter makes; published, and a file runs through`, async ({
    page,
    browser,
  }) => {
    await signIn(page, '/workflows');
    await newWorkflow(page, `${name} made ${mark}`, name);
    const made = await linesOf(page, openedId(page));

    await newWorkflow(page, `${name} drawn ${mark}`);
    // The palette adds behind the step that is selected, and selects what it added.
    await step(page, 'Inject').click();
    for (const [kind, profile] of steps) {
      await page.locator('section[aria-label=Steps]').getByRole('button', { name: kind, exact: true }).click();
      await expect(page.getByRole('complementary', { name: kind })).toBeVisible();
      if (profile) await chooseProfile(page, `${kind} profile`, profile);
      if (kind === 'Proof') {
        await step(page, 'Proof').getByRole('button', { name: 'Add a step after Proof, Declined' }).click();
        await picker(page)
          .getByRole('option', { name: /^Cancel/ })
          .click();
        await page.getByRole('button', { name: 'Fit the page' }).click();
        await standsStill(page);
        await step(page, 'Proof').click();
      }
    }
    await expect(page.getByRole('button', { name: 'No issues' })).toBeVisible();
    await publish(page);
    expect(await linesOf(page, openedId(page))).toEqual(made);
    await run(page, `${name} ${mark}.pdf`);
    await finish(page);
    if (steps.some(([kind]) => kind === 'Proof')) await approve(page, browser);
    await expect(stateOf(page)).toContainText(/Completed/, { timeout: patience });
    if (!steps.some(([kind]) => kind === 'Proof')) return;
    // The sheets were made of what was approved: nobody approved them.
    await page.getByRole('tab', { name: 'Proof' }).click();
    await expect(page.getByText(/^Changed after the approval by: Impose/)).toBeVisible();
  });

test('from nothing to a finished session in at most eight clicks', { tag: '@night' }, async ({ page }) => {
  await signIn(page, '/workflows');
  let clicks = 0;
  await page.exposeFunction('countClick', () => {
    clicks += 1;
  });
  await page.evaluate(() => {
    const { countClick } = window as unknown as { countClick: () => void };
    addEventListener('pointerdown', () => countClick(), true);
  });
  const workflow = `In a minute ${mark}`;
  await page.getByRole('button', { name: 'New workflow' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New workflow' });
  // The dialog begins in the name; what is typed before is not for it.
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await page.keyboard.type(workflow);
  await dialog.getByText('Check and impose', { exact: true }).click();
  await dialog.getByRole('button', { name: 'Create and publish' }).click();
  await expect(page.getByLabel('Name of the workflow')).toHaveValue(workflow);
  await page.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'New session' }).click();
  const drawer = page.getByRole('dialog', { name: 'New session' });
  const file = { name: `Soon ${mark}.pdf`, mimeType: 'application/pdf', buffer: makePdf(['']) };
  await drawer.locator('input[type=file]').setInputFiles(file);
  await drawer.getByRole('button', { name: /^Submit/ }).click();
  await expect(drawer).toBeHidden();
  const session = async () =>
    (await ask<{ items: { status: string }[] }>(page, 'GET', `/sessions?search=Soon ${mark}`)).items[0]?.status;
  await expect.poll(session, { timeout: patience }).toMatch(/^Completed/);
  expect(clicks).toBeGreaterThan(5);
  expect(clicks).toBeLessThanOrEqual(8);
});
