import { expect } from 'playwright/test';
import { makePublished, stepOf } from './drafting.ts';
import { ask, confirmChanges, enter, patience, test, tokenOf } from './house.ts';
import { looksWellEverywhere, themeFollows } from './looks.ts';

const mark = Date.now().toString(36);
const name = `Breaks ${mark}`;

test('many failures of a workflow ring the bell by themselves, lead to the sessions, and end when these are gone', {
  tag: '@night',
}, async ({ page, context }) => {
  await themeFollows(context);
  await enter(page, context);
  await page.goto('/notification');
  const { items } = await ask<{ items: { id: string }[] }>(page, 'GET', '/profiles/preflight');
  const workflowId = await makePublished(page, {
    name,
    steps: [stepOf('Inject'), stepOf('Preflight', { profileId: items[0]?.id ?? '' }), stepOf('Complete')],
  });
  const ids: string[] = [];
  for (let no = 0; no < 5; no += 1) {
    const answer = await page.request.post('/api/sessions', {
      headers: { authorization: `Bearer ${await tokenOf(page)}` },
      multipart: {
        workflowId,
        file: {
          name: `${no} ${mark}.pdf`,
          mimeType: 'application/pdf',
          buffer: Buffer.from(`%PDF-1.4 no ${no} ${mark}`),
        },
      },
    });
    ids.push(((await answer.json()) as { result: { id: string } }).result.id);
  }

  // Nobody reloads: the page follows the bell.
  const notice = page.locator('[data-notice="files.failing"]').filter({ hasText: name });
  await expect(notice).toContainText(`5 files of the workflow “${name}” failed within two hours.`, {
    timeout: patience,
  });
  await expect(notice).toContainText('Put it right, then restart them together.');
  // Of each of the five people are told, too: three are shown, the others on demand.
  await page
    .getByRole('button', { name: /^Show \d+ more/ })
    .first()
    .click();
  await looksWellEverywhere(page);

  await notice.getByRole('link').click();
  await expect(page).toHaveURL(new RegExp(`workflowId=${workflowId}&status=Failed`));
  await expect(page.getByRole('row').filter({ hasText: mark })).toHaveCount(5);

  await page.goto('/notification');
  await page.getByRole('button', { name: 'What you are told of' }).click();
  await looksWellEverywhere(page);
  const kind = page.getByRole('switch', { name: 'Many files of a workflow fail' });
  await kind.click();
  await expect(notice).toHaveCount(0);
  await kind.click();
  await expect(notice).toBeVisible();

  const byMail = page.getByRole('checkbox', { name: '“Many files of a workflow fail” by e-mail, too' });
  await byMail.click();
  await expect(byMail).toBeChecked();
  await page.reload();
  await page.getByRole('button', { name: 'What you are told of' }).click();
  await expect(byMail).toBeChecked();

  for (const id of ids) await ask(page, 'DELETE', `/sessions/${id}`);
  await expect(notice).toContainText('Over', { timeout: patience });
});

test('a web address for notifications is kept with a secret that nobody reads, and its test says what is wrong', async ({
  page,
  context,
}) => {
  await themeFollows(context);
  await enter(page, context);
  await page.goto('/settings?tab=notices');
  await page.getByLabel('Web address').fill('https://127.0.0.1/hook');
  await page.getByLabel('Secret that signs each call').fill('very secret');
  await page.getByRole('button', { name: 'Send a test' }).click();
  await expect(page.getByRole('alert').filter({ hasText: '“127.0.0.1” does not answer.' })).toBeVisible();
  await page.getByRole('switch', { name: 'A limit of the plan is reached' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await confirmChanges(page);
  await expect(page.getByText('Saved').first()).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Web address')).toHaveValue('https://127.0.0.1/hook');
  await expect(page.getByLabel('Secret that signs each call')).toHaveValue('');
  await expect(page.getByRole('switch', { name: 'A limit of the plan is reached' })).not.toBeChecked();
  await looksWellEverywhere(page);
  await page.getByLabel('Web address').fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  await confirmChanges(page);
  await expect(page.getByText('Saved').first()).toBeVisible();
});
