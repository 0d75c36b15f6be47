import { expect } from 'playwright/test';
import { makeHoldingWorkflow, openHeld } from './holding.ts';
import { administrator, ask, enter, signIn, test } from './house.ts';

const mark = `desk-${Date.now().toString(36)}`;
const password = 'Paper-and-1nk!';

test('a colleague is added without a mail server, given a session and mentioned: the bell counts it live and leads there', async ({
  page,
  context,
  browser,
}) => {
  await enter(page, context);
  // The list of sessions shows them only while it is short.
  await page.goto('/dashboard');
  const steps = page.getByRole('region', { name: 'First steps' });
  await steps.getByRole('link', { name: 'Add a colleague' }).click();
  await page.getByRole('textbox', { name: /^First name/ }).fill('Ben');
  await page.getByRole('textbox', { name: /^E-mail/ }).fill(`${mark}@example.com`);
  await page.getByRole('button', { name: 'Save' }).click();
  const once = page.getByRole('dialog', { name: /^Link for Ben/ });
  const link = (await once.locator('pre').textContent()) ?? '';
  expect(link).toContain('#token=');
  await once.getByRole('button', { name: 'Close' }).last().click();
  await expect(page).toHaveURL(/\/user$/);

  const other = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US' });
  const ben = await other.newPage();
  await ben.goto(new URL(link).pathname + new URL(link).hash);
  await ben.getByLabel('New password', { exact: true }).fill(password);
  await ben.getByLabel('Repeat the password').fill(password);
  await ben
    .getByRole('button', { name: /password/i })
    .last()
    .click();
  await signIn(ben, '/workflows/sessions', { email: `${mark}@example.com`, password });
  await expect(ben.getByRole('link', { name: 'Notifications' }).first()).toBeVisible();

  const workflowId = await makeHoldingWorkflow(page);
  await openHeld(page, workflowId, `${mark}.pdf`);
  await page.getByRole('tab', { name: 'Comments' }).click();
  await page.getByRole('combobox', { name: 'Assigned to' }).click();
  await page.getByRole('option', { name: 'Ben', exact: true }).click();
  await expect(page.getByText('Assigned to Ben').first()).toBeVisible();
  const comment = page.getByRole('textbox', { name: 'Comment', exact: true });
  await comment.fill('Is the black right, ');
  await comment.press('End');
  await comment.pressSequentially('@Be');
  await page.getByRole('option', { name: 'Ben' }).click();
  await expect(comment).toHaveValue(/@Ben $/);
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByRole('list', { name: 'Comments' })).toContainText('Is the black right, @Ben');

  // Without a reload: the count at the bell, and the view.
  const bell = ben.getByRole('banner').getByRole('link', { name: /unread/ });
  await expect(bell).toBeVisible();
  await expect(ben.getByRole('button', { name: /^Waiting for me/ })).toContainText('1');
  await bell.click();
  await ben.getByRole('link', { name: /mentions you in a comment/ }).click();
  await expect(ben.getByRole('list', { name: 'Comments' })).toContainText('Is the black right');
  await other.close();

  // A view is shared with everybody, and its period stays relative.
  await page.goto('/workflows/sessions');
  await page
    .getByRole('button', { name: /^Created/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Last 7 days' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Save this view' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(mark);
  await dialog.getByLabel('Who sees it').selectOption('everybody');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('button', { name: mark, exact: true })).toBeVisible();
  const views = await ask<{ name: string; question: string; sharedWith: string }[]>(page, 'GET', '/session-views');
  expect(views).toContainEqual(
    expect.objectContaining({ name: mark, question: 'period=last7Days', sharedWith: 'everybody' }),
  );
  expect(administrator.email).not.toBe(`${mark}@example.com`);
});

test('forms are short: sections fold and are led to, permissions are searched and chosen by what people do', {
  tag: '@night',
}, async ({ page, context }) => {
  await enter(page, context);
  await page.goto('/impose/new');
  const marks = page.getByRole('button', { name: 'Marks', exact: true });
  await expect(marks.last()).toHaveAttribute('aria-expanded', 'false');
  await page.getByRole('navigation', { name: 'Sections of the form' }).getByRole('button', { name: 'Marks' }).click();
  await expect(marks.last()).toHaveAttribute('aria-expanded', 'true');
  await page.getByRole('button', { name: 'Cards on SRA3' }).click();
  await expect(page.getByRole('combobox', { name: 'Layout' })).toHaveValue(/Step/i);

  await page.goto('/role/new');
  await page.getByRole('button', { name: 'Submit and download' }).click();
  await page.getByLabel('Search permissions').fill('download');
  await expect(page.getByRole('checkbox', { name: 'Download files' }).last()).toBeChecked();
  // Beside the permissions stands what people with them see, and how another role differs.
  const sight = page.getByRole('region', { name: 'What this role sees' });
  await expect(sight.getByRole('listitem').filter({ hasText: /^Sessions$/ })).toBeVisible();
  await expect(sight.getByText(/^Not: .*Settings/)).toBeVisible();
  await page.getByRole('combobox', { name: 'With the role' }).selectOption('Viewer');
  const comparison = page.getByRole('region', { name: 'Compare' });
  await expect(comparison.getByText('Only “Role”')).toBeVisible();
  await expect(
    comparison.getByRole('listitem').filter({ hasText: 'Sessions: Submit files, Download files' }),
  ).toBeVisible();
  await page.getByLabel('Search permissions').fill('');
  await page.getByRole('button', { name: 'View only' }).click();
  await expect(comparison.getByText('Both have the same permissions.')).toBeVisible();
  await expect(sight.getByRole('listitem').filter({ hasText: 'Settings' })).toBeVisible();
});
