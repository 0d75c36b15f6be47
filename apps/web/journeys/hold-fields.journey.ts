import { expect, type Page } from 'playwright/test';
import { makeDraft, stepOf } from './drafting.ts';
import { chooseIn, endsAs, publish, run, step } from './drawing.ts';
import { administrator, ask, patience, signIn, test } from './house.ts';
import { axeFaults, themeFollows } from './looks.ts';
import { becomes, submit } from './submit.ts';
import { inDatabase } from './time-passes.ts';

const mark = Date.now().toString(36);

/** A workflow with a hold whose settings are still to be filled in; opened, with the form of the hold. */
async function openHold(page: Page): Promise<{ id: string; form: ReturnType<Page['getByRole']> }> {
  const id = await makeDraft(page, {
    name: `Waits ${mark}`,
    steps: [stepOf('Inject'), stepOf('Hold'), stepOf('Complete')],
    ways: ['inject done hold', 'hold continue complete'],
    variables: [
      { name: 'paper', type: 'Select', options: ['Matt', 'Gloss'] },
      { name: 'copies', type: 'Number', default: '250' },
      { name: 'ticket', type: 'String' },
    ],
  });
  await page.goto(`/workflows/edit/${id}`);
  await step(page, 'Hold').click();
  return { id, form: page.getByRole('complementary', { name: 'Hold' }) };
}

const onHold = (page: Page) => page.getByRole('region', { name: 'On hold' });

test('a hold waits for a person, shows and asks, is released by a variable, reminds, and ends by its time', {
  tag: '@night',
}, async ({ page }) => {
  await themeFollows(page.context());
  await signIn(page, '/workflows');
  const { firstName, lastName, email } = await ask<Record<string, string>>(page, 'GET', '/me');
  const me = `${firstName} ${lastName}`.trim() || `${email}`;
  const { id, form } = await openHold(page);
  await form.getByRole('textbox', { name: 'Reason' }).fill('Which paper for {{file.name}}?');
  await chooseIn(form, 'Waits for', me);
  const variables = form.getByRole('group', { name: 'Variables' });
  for (const [at, name, use] of [
    [1, 'copies', 'Show'],
    [2, 'paper', 'Must have a value'],
  ] as const) {
    await variables.getByRole('button', { name: 'Add' }).click();
    const entry = variables.getByRole('group', { name: `Entry ${at}` });
    await chooseIn(entry, 'Variable', name);
    await chooseIn(entry, 'Use', use);
  }
  await chooseIn(form, 'Continue when this variable has a value', 'ticket');
  await form.getByRole('textbox', { name: 'Hours (0: no time limit)' }).fill('8');
  await chooseIn(form, 'When the time is over', 'Cancel');
  await form.getByRole('textbox', { name: 'Remind after hours (0: never)' }).fill('4');
  await expect(page.getByRole('button', { name: 'No issues' })).toBeVisible();
  expect(await axeFaults(page)).toEqual([]);
  await publish(page);

  await run(page, `asked-${mark}.pdf`);
  await expect(onHold(page)).toContainText(`Which paper for asked-${mark}.pdf?`, { timeout: patience });
  await expect(onHold(page)).toContainText(`for ${me}`);
  await expect(onHold(page).getByRole('region', { name: 'Values' })).toContainText('250');
  expect(await axeFaults(page)).toEqual([]);
  const asked = page.url();

  // It is found under "Waiting for me", and does not continue without what it must have.
  await page.goto('/workflows/sessions');
  await page.getByRole('button', { name: 'Waiting for me' }).click();
  await expect(page.getByRole('row').filter({ hasText: `asked-${mark}.pdf` })).toBeVisible();
  await page.goto(asked);
  await onHold(page).getByRole('button', { name: 'Continue' }).click();
  await expect(onHold(page).getByRole('alert').or(onHold(page).getByText('required'))).toBeVisible();
  await onHold(page).getByRole('combobox', { name: 'paper' }).click();
  await page.getByRole('option', { name: 'Gloss' }).click();
  await onHold(page).getByRole('button', { name: 'Continue' }).click();
  await endsAs(page, /Completed/);

  // Released by a program that sets what it must have and what it waits for; reminded of, then over its time.
  const [released, late] = [await submit(page, id, `set-${mark}.pdf`), await submit(page, id, `late-${mark}.pdf`)];
  await becomes(page, released, /OnHold/);
  await becomes(page, late, /OnHold/);
  const { version } = await ask<{ version: number }>(page, 'GET', `/sessions/${released}`);
  await ask(page, 'PUT', `/sessions/${released}/variables`, {
    variables: { ticket: 'T-1', paper: 'Matt' },
    version,
  });
  await becomes(page, released, /^Completed/);

  await inDatabase(`update waits set remind_at = now() where session_id = $1`, [late]);
  const reminders = async () =>
    (await ask<{ to: string; subject: string; text: string }[]>(page, 'GET', '/kept-mail')).filter(
      ({ to, subject, text }) => to === administrator.email && `${subject} ${text}`.includes(`late-${mark}.pdf`),
    ).length;
  await expect.poll(reminders, { timeout: patience }).toBe(1);
  await inDatabase(`update waits set due_at = now() where session_id = $1`, [late]);
  await becomes(page, late, /^CanceledByOperator/);
});
