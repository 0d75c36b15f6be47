import { expect, type Page } from 'playwright/test';
import { publish, standsStill, step } from './drawing.ts';
import { ask, signIn, test } from './house.ts';
import { axeFaults, themeFollows } from './looks.ts';
import { becomes, submit } from './submit.ts';

const mark = Date.now().toString(36);
const panel = (page: Page) => page.getByRole('complementary');
const rule = (page: Page, number: string) => panel(page).getByRole('group', { name: `Rule ${number}`, exact: true });

const edge = (text: string) => {
  const [from, outcome, to] = text.split(' ');
  return { id: text.replaceAll(' ', '-'), from, outcome, to };
};

/** A published workflow whose condition asks for one page at least, and a session that went through it. */
async function prepare(page: Page, name: string): Promise<{ id: string; first: string }> {
  const profile = { name: `Rules ${mark} ${Math.random()}`, settings: {} };
  const { id: profileId } = await ask<{ id: string }>(page, 'POST', '/profiles/preflight', profile);
  const made = await ask<{ id: string; draftRevision: number }>(page, 'POST', '/workflows', { name });
  const when = { match: 'all', rules: [{ fact: 'pdf.pageCount', operator: 'atLeast', value: 1 }] };
  const steps = [
    { id: 'inject', kind: 'Inject' },
    { id: 'preflight', kind: 'Preflight', settings: { profileId } },
    { id: 'condition', kind: 'Condition', settings: { when } },
    { id: 'hold', kind: 'Hold', settings: { reason: 'Too few pages' } },
    { id: 'complete', kind: 'Complete' },
  ].map((one, at) => ({ ...one, position: { x: at * 280, y: one.id === 'hold' ? 200 : 0 } }));
  const edges = [
    'inject done preflight',
    'preflight done condition',
    'condition true complete',
    'condition false hold',
    'hold continue complete',
  ].map(edge);
  const variables = [{ name: 'grade', type: 'String', default: 'plain' }];
  const body = { name, draft: { steps, edges, variables }, draftRevision: made.draftRevision };
  await ask(page, 'PUT', `/workflows/${made.id}`, body);
  await ask(page, 'POST', `/workflows/${made.id}/publish`);
  return { id: made.id, first: await run(page, made.id, `Leaflet ${mark}.pdf`, ['one']) };
}

/** Submits a file, and waits until its session has ended or is on hold. */
async function run(page: Page, workflowId: string, name: string, pages: string[]): Promise<string> {
  const id = await submit(page, workflowId, name, pages);
  await becomes(page, id, /^(?:OnHold|Completed)/);
  return id;
}

async function choose(page: Page, field: ReturnType<Page['getByRole']>, text: string): Promise<void> {
  await field.click();
  await field.fill(text);
  await page.getByRole('option', { name: text }).first().click();
}

test('a condition and a route are edited, tried on a session, published, and files leave by both exits', {
  tag: '@night',
}, async ({ page }) => {
  await signIn(page, '/workflows');
  const { id, first } = await prepare(page, `Rules ${mark}`);
  await page.goto(`/workflows/edit/${id}`);
  await step(page, 'Condition').click();

  // The rule is there as it was saved; a session of the past shows what it finds.
  await expect(rule(page, '1').getByRole('textbox', { name: 'Value' })).toHaveValue('1');
  await panel(page).getByRole('combobox', { name: 'Try on a session' }).click();
  await page.getByRole('option', { name: `Leaflet ${mark}.pdf` }).click();
  await expect(rule(page, '1')).toContainText('true');
  await expect(rule(page, '1')).toContainText('here: 1');
  await rule(page, '1').getByRole('textbox', { name: 'Value' }).fill('2');
  await expect(rule(page, '1')).toContainText('false');

  // A regular expression that cannot be read is told at its field, on the step, and keeps it from being published.
  await panel(page).getByRole('button', { name: 'Add a group' }).click();
  await choose(page, rule(page, '2.1').getByRole('combobox', { name: 'Look at' }), 'File name');
  await rule(page, '2.1').getByRole('combobox', { name: 'Comparison' }).click();
  await page.getByRole('option', { name: 'matches the regular expression' }).click();
  await rule(page, '2.1').getByRole('textbox', { name: 'Value' }).fill('(leaf');
  await expect(rule(page, '2.1')).toContainText('This regular expression cannot be read');
  await expect(page.getByRole('button', { name: '1 issue' })).toBeVisible();
  await page.getByRole('button', { name: '1 issue' }).click();
  await panel(page)
    .getByRole('button', { name: /regular expression cannot be read/ })
    .click();
  await expect(rule(page, '2.1').getByRole('textbox', { name: 'Value' })).toBeFocused();
  await rule(page, '2.1').getByRole('textbox', { name: 'Value' }).fill('^leaf.*pdf$');
  await expect(rule(page, '2.1')).toContainText('true');
  await expect(page.getByRole('button', { name: 'No issues' })).toBeVisible();

  // A route between: its rules have ports of their own, in their order.
  await page
    .getByRole('button', { name: /^Put a step on Condition → Complete/ })
    .first()
    .click();
  await page
    .getByRole('dialog', { name: 'Add a step' })
    .getByRole('option', { name: /^Route/ })
    .click();
  const entry = (number: number) => panel(page).getByRole('group', { name: `Entry ${number}`, exact: true });
  for (const [number, name] of [
    [1, 'Many'],
    [2, 'Some'],
  ] as const) {
    await panel(page).getByRole('button', { name: 'Add', exact: true }).click();
    await entry(number).getByLabel('Name').fill(name);
    await entry(number).getByRole('button', { name: 'Add a rule' }).click();
    await choose(page, entry(number).getByRole('combobox', { name: 'Look at' }), 'pdf.pageCount');
    await entry(number).getByRole('combobox', { name: 'Comparison' }).click();
    await page.getByRole('option', { name: 'is at least', exact: true }).click();
    await entry(number)
      .getByRole('textbox', { name: 'Value' })
      .fill(number === 1 ? '3' : '1');
  }
  await expect(entry(1)).toContainText('false');
  await expect(entry(2)).toContainText('true');
  await entry(2).getByRole('combobox', { name: 'Then' }).click();
  await page.getByRole('option', { name: 'Overwrite user variables' }).click();
  await expect(entry(2)).toContainText(/at least one/i);
  await entry(2).getByRole('combobox', { name: 'Give a variable a value' }).click();
  await page.getByRole('option', { name: 'grade' }).click();
  await entry(2).getByRole('button', { name: 'Insert a variable' }).click();
  await page.getByRole('combobox', { name: 'Search variables' }).fill('file.basename');
  const offered = page.getByRole('option', { name: /file\.baseName/ });
  await expect(offered).toContainText(`Leaflet ${mark}`);
  await offered.click();
  await expect(entry(2).getByRole('textbox', { name: 'grade' })).toHaveValue('{{file.baseName}}');

  // By its grip with the keys, and back: the order is the workflow's.
  await entry(1)
    .getByRole('button', { name: /^Move entry 1;/ })
    .press('ArrowDown');
  await expect(entry(1).getByLabel('Name')).toHaveValue('Some');
  await page.keyboard.press('ArrowUp');
  await expect(entry(1).getByLabel('Name')).toHaveValue('Many');

  for (const port of ['Many', 'Some', 'Otherwise']) {
    const connect = panel(page).getByRole('button', { name: `Connect Route, ${port}, to` });
    if ((await connect.count()) === 0) continue;
    await connect.click();
    await page
      .getByRole('dialog', { name: /^Connect Route/ })
      .getByRole('option', { name: /^Complete/ })
      .click();
  }
  await expect(page.getByRole('button', { name: 'No issues' })).toBeVisible();

  await publish(page);

  const short = await run(page, id, `Leaflet short ${mark}.pdf`, ['one']);
  const long = await run(page, id, `Leaflet long ${mark}.pdf`, ['one', 'two']);
  type Session = { status: string; variables: Record<string, string>; steps: { stepId: string; outcome: string }[] };
  const sessions = [short, long].map((each) => ask<Session>(page, 'GET', `/sessions/${each}`));
  const [held, done] = await Promise.all(sessions);
  expect(held?.status).toBe('OnHold');
  expect(held?.steps.find(({ stepId }) => stepId === 'condition')?.outcome).toBe('false');
  expect(done?.status).toMatch(/^Completed/);
  expect(done?.variables.grade).toBe(`Leaflet long ${mark}`);
  expect(first).not.toBe(short);

  // The log of the session shows the same table.
  await page.goto(`/workflows/session/${short}#step-condition`);
  await expect(page.getByRole('row', { name: /Number of pages/ })).toContainText('false', { timeout: 20_000 });

  // While it is on hold, its variables are given other values, and the log tells so.
  await page.getByRole('tab', { name: 'Variables' }).click();
  await page.getByRole('button', { name: 'Overwrite variables' }).click();
  await page.getByRole('textbox', { name: 'grade' }).fill('fine');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('definition').filter({ hasText: 'fine' })).toContainText('With the file');
  await page.getByRole('tab', { name: 'Log' }).click();
  await expect(page.getByText(/grade · plain → fine/)).toBeVisible();
});

test('axe finds nothing in the editors of rules, in both themes', { tag: '@night' }, async ({ page, context }) => {
  await themeFollows(context);
  await signIn(page, '/workflows');
  const { id } = await prepare(page, `Rules axe ${mark}`);
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await page.goto(`/workflows/edit/${id}`);
    await step(page, 'Condition').click();
    await panel(page).getByRole('combobox', { name: 'Try on a session' }).click();
    await page
      .getByRole('option', { name: `Leaflet ${mark}.pdf` })
      .first()
      .click();
    await expect(rule(page, '1')).toContainText('true');
    await panel(page).getByRole('button', { name: 'Add a group' }).click();
    await expect(rule(page, '2.1')).toContainText('Choose what the rule looks at');
    expect(await axeFaults(page), `rules, ${theme}`).toEqual([]);
    await rule(page, '2.1').getByRole('combobox', { name: 'Look at' }).click();
    expect(await axeFaults(page), `facts, ${theme}`).toEqual([]);
    await page.keyboard.press('Escape');
    // The canvas grows where the drawer closes with the list, also while the mouse is pressed: then the step is pressed again.
    await expect(async () => {
      await standsStill(page);
      await step(page, 'Hold').click();
      await panel(page).getByRole('textbox', { name: 'Reason' }).waitFor({ timeout: 10_000 });
    }).toPass();
    expect(await axeFaults(page), `texts, ${theme}`).toEqual([]);
  }
});
