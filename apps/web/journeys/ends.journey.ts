import { expect } from 'playwright/test';
import { makeDraft, stepOf } from './drafting.ts';
import { chooseIn, endsAs, publish, run, step } from './drawing.ts';
import { ask, patience, signIn, test } from './house.ts';

const mark = Date.now().toString(36);

test('how long files are kept is decided, and a file that is not wanted is canceled with a message', async ({
  page,
}) => {
  await signIn(page, '/workflows');
  const profile = { name: `Check ${mark}`, settings: { checks: [{ key: 'PageCount', settings: { max: 5 } }] } };
  const { id: profileId } = await ask<{ id: string }>(page, 'POST', '/profiles/preflight', profile);
  const rules = [{ fact: 'file.name', operator: 'contains', value: 'unwanted' }];
  const id = await makeDraft(page, {
    name: `Ends ${mark}`,
    steps: [
      stepOf('Inject'),
      stepOf('Retention'),
      stepOf('Preflight', { profileId }),
      stepOf('Condition', { when: { match: 'all', rules } }),
      stepOf('Complete'),
      stepOf('Cancel'),
    ],
    ways: [
      'inject done retention',
      'retention done preflight',
      'preflight done condition',
      'condition true cancel',
      'condition false complete',
    ],
  });
  await page.goto(`/workflows/edit/${id}`);
  await step(page, 'Retention').click();
  const keeping = page.getByRole('complementary', { name: 'Retention' });
  await keeping.getByRole('textbox', { name: 'Days for the original file' }).fill('7');
  await chooseIn(keeping, 'Counted from', 'The creation of the session');
  await keeping.getByRole('switch', { name: 'Legal hold' }).check({ force: true });
  // The canvas is whole again, and every step can be clicked.
  await keeping.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Fit the page' }).click();
  await step(page, 'Cancel').click();
  const canceling = page.getByRole('complementary', { name: 'Cancel' });
  await canceling.getByRole('textbox', { name: 'Reason' }).fill('{{file.name}} is not wanted');
  await chooseIn(canceling, 'Canceled by', 'User');
  await canceling.getByRole('textbox', { name: 'Subject' }).fill('Not printed: {{file.name}}');
  await expect(page.getByRole('button', { name: /^2 issues/ })).toBeVisible();
  const to = canceling.getByRole('combobox', { name: 'Message to' });
  await to.fill(`ana-${mark}@example.com`);
  await to.press('Enter');
  await canceling.getByRole('textbox', { name: 'Text' }).fill('Please ask us.');
  await expect(page.getByRole('button', { name: 'No issues' })).toBeVisible();
  await publish(page);

  await run(page, `unwanted-${mark}.pdf`);
  await endsAs(page, /Canceled/);
  await expect(page.getByText(`unwanted-${mark}.pdf is not wanted`).first()).toBeVisible();
  const rail = page.getByRole('region', { name: 'Steps' });
  await rail.getByRole('button', { name: /Retention/ }).click();
  for (const [setting, value] of [
    ['Days for the original file', '7'],
    ['Counted from', 'The creation of the session'],
    ['Legal hold', 'Yes'],
  ] as const)
    await expect(rail.getByRole('term').filter({ hasText: setting }).locator('+ dd')).toHaveText(value);
  const mails = async () =>
    (await ask<{ to: string; subject: string }[]>(page, 'GET', '/kept-mail')).filter(({ to: of }) => of.includes(mark));
  await expect.poll(mails, { timeout: patience }).toMatchObject([{ subject: `Not printed: unwanted-${mark}.pdf` }]);

  await page.goto(`/workflows/edit/${id}`);
  await run(page, `wanted-${mark}.pdf`);
  await endsAs(page, /Completed/);
});
