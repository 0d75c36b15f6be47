import { createServer } from 'node:http';
import { expect, type Locator, type Page } from 'playwright/test';
import { makePublished, stepOf } from './drafting.ts';
import { ask, confirmChanges, handIn, patience, signIn, test } from './house.ts';
import { axeFaults, looksWell, themeFollows } from './looks.ts';
import { makePdf } from './make-pdf.ts';

const mark = Date.now().toString(36);
const receiverPort = Number(process.env.RECEIVER_PORT ?? 0);
const customer = `carla-${mark}@example.com`;
const fileName = `told-${mark}.pdf`;

interface KeptMail {
  to: string;
  subject: string;
  text: string;
}

/** The list closes when its field leaves the window: the field is in the middle, so that nothing scrolls for an option. */
async function chooseEvent(page: Page, field: Locator, event: string) {
  await field.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  await field.press('ArrowDown');
  await page.getByRole('option', { name: event }).click();
  await page.keyboard.press('Escape');
}

const phoneToo = (page: Page) => async () => expect(await axeFaults(page, false)).toEqual([]);

test('a channel of a chat service is added by the address of its hook, which is not shown again, and tried', {
  tag: '@night',
}, async ({ page, context }) => {
  const written: string[] = [];
  const service = createServer((request, response) => {
    request.on('data', (part: Buffer) => written.push(`${request.url} ${part.toString()}`));
    request.on('end', () => response.writeHead(written.length > 1 ? 403 : 200).end('invalid_token'));
  });
  await new Promise<void>((resolve) => service.listen(receiverPort, '127.0.0.1', resolve));
  await themeFollows(context);
  await signIn(page, '/communication');
  await page.getByRole('link', { name: 'New profile' }).first().click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(`Channels ${mark}`);
  const card = page.getByRole('region', { name: 'Channels' });
  await card.getByRole('button', { name: /^Add/ }).first().click();
  await card.getByLabel('Name of the channel').fill('Press room');
  await card.getByLabel('Address of the hook').fill(`http://127.0.0.1:${receiverPort}/services/very-secret`);
  await card.getByRole('button', { name: 'Keep' }).click();
  await expect(card.getByLabel('Address of the hook')).toHaveValue('');
  await chooseEvent(page, card.getByRole('combobox', { name: 'Events' }), 'Proof approved');
  await looksWell(page, phoneToo(page));
  await card.getByRole('button', { name: 'Test Press room' }).click();
  await expect(page.getByText('A test was written into Press room.')).toBeVisible();
  expect(written).toEqual([expect.stringMatching(/^\/services\/very-secret \{"text":"We have your file/)]);
  await card.getByRole('button', { name: 'Test Press room' }).click();
  await expect(page.getByText('The chat service refused the message (403): invalid_token')).toBeVisible();

  // A program that is called, signed with a secret that is not shown again either.
  await card.getByRole('button', { name: /^Add/ }).last().click();
  await card.getByRole('textbox', { name: 'Name', exact: true }).fill('Orders');
  await card.getByRole('textbox', { name: 'Address', exact: true }).fill(`http://127.0.0.1:${receiverPort}/orders`);
  await card.getByLabel('Secret that signs the calls').fill('very-secret, and ours');
  await card.getByRole('button', { name: 'Keep' }).click();
  await expect(card.getByLabel('Secret that signs the calls')).toHaveValue('');
  await chooseEvent(page, card.getByRole('combobox', { name: 'Events' }).last(), 'Proof declined');
  await looksWell(page, phoneToo(page));
  await card.getByRole('button', { name: 'Test Orders' }).click();
  await expect(page.getByText('refuses the call with status 403')).toBeVisible();
  expect(written.at(-1)).toMatch(/^\/orders \{"isTest":true,"event":"Received"/);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('link', { name: `Channels ${mark}` })).toBeVisible();
  expect(await page.content()).not.toContain('very-secret');
  await new Promise((resolve) => service.close(resolve));
});

test('a profile is written, seen as it will be sent, tried, given to a workflow, and writes about its sessions', {
  tag: '@night',
}, async ({ page, context }) => {
  test.setTimeout(patience * 2);
  const profile = `To customers ${mark}`;
  await themeFollows(context);
  await signIn(page, '/communication');
  await page.getByRole('link', { name: 'New profile' }).first().click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(profile);
  await page.getByLabel('Name of the sender').fill('Lima Press');

  // What is gathered, and until when.
  const digest = page.getByRole('group', { name: 'Digest' });
  const gather = async (when: string) => {
    await digest.getByRole('combobox', { name: 'Gather messages' }).click();
    await page.getByRole('option', { name: when }).click();
  };
  await expect(digest.getByText('On hold', { exact: true })).toBeVisible();
  await gather('Every few hours');
  await expect(digest.getByLabel('Hours', { exact: true })).toHaveValue('4');
  await gather('Once a day');
  await expect(digest.getByLabel('Time of day')).toHaveValue('08:00');
  await page.screenshot({ path: test.info().outputPath('digest.png'), fullPage: true });
  await gather('Do not gather');
  await expect(digest.getByLabel('Time of day')).toHaveCount(0);

  // The standard text is seen before anything is changed.
  const preview = page.getByRole('region', { name: /^Preview/ });
  await expect(preview.locator('[data-message-subject]')).toContainText('We have your file');
  const shown = preview.locator('iframe').contentFrame();
  await expect(shown.getByText('has arrived and is being processed')).toBeVisible();

  await page.getByRole('button', { name: /^Completed \{\{/ }).click();
  await expect(preview).toContainText('Preview: Completed');
  await page.getByRole('combobox', { name: 'To', exact: true }).fill(customer);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Write your own text' }).click();
  await page.getByLabel('Subject').fill('Printed: {{file.nam}}');
  await page
    .getByLabel('HTML instead of the text')
    .fill('<p>Dear <b>{{recipient.email}}</b></p><script>alert(1)</script>');

  // A name that nobody knows is told where it stands, and keeps the profile from being saved.
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('alert').first()).toContainText('Completed: Subject');
  await page.getByLabel('Subject').fill('Printed: {{file.originalName}}');
  await expect(preview.locator('[data-message-subject]')).toContainText('Printed: ');
  await expect(shown.getByText('Dear ana@example.com')).toBeVisible();
  await preview.locator('label').filter({ hasText: 'Dark' }).click();
  await preview.locator('label').filter({ hasText: 'Desktop' }).click();
  await looksWell(page, phoneToo(page));
  await preview
    .locator('label')
    .filter({ hasText: /^Text$/ })
    .click();
  await expect(preview.locator('pre')).toContainText('has been processed');

  await preview.getByRole('button', { name: 'Send a test to me' }).click();
  await expect(page.getByText(/A test is on its way to/)).toBeVisible();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('link', { name: profile })).toBeVisible();
  await looksWell(page, phoneToo(page));
  await expect
    .poll(
      async () =>
        (await ask<KeptMail[]>(page, 'GET', '/kept-mail')).filter(({ subject }) => subject.startsWith('Printed: '))
          .length,
      {
        timeout: patience,
      },
    )
    .toBe(1);

  const workflow = await makePublished(page, {
    name: `Told ${mark}`,
    steps: [stepOf('Inject'), stepOf('Complete')],
    ways: ['inject done complete'],
  });
  await page.goto(`/workflows/edit/${workflow}`);
  await page.getByRole('button', { name: 'Messages' }).click();
  await page.getByRole('combobox', { name: 'Communication profile' }).click();
  await page.getByRole('option', { name: profile }).click();
  await looksWell(page, phoneToo(page));
  await page.getByRole('button', { name: 'Publish' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Publish/ })
    .click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByText('Version 2', { exact: true })).toBeVisible();

  await page.goto('/workflows/sessions');
  await handIn(page, [{ name: fileName, buffer: makePdf(['Told']) }], `Told ${mark}`);
  await page.getByRole('link', { name: fileName }).first().click();
  await page.getByRole('tab', { name: 'Messages' }).click();
  const message = page.getByRole('button', { name: new RegExp(`Printed: ${fileName}`) });
  await expect(message).toContainText(customer, { timeout: patience });
  await expect(message).toContainText('Kept', { timeout: patience });
  await message.click();
  await expect(page.getByRole('tabpanel', { name: 'Messages' })).toContainText('has been processed');
  await looksWell(page, phoneToo(page));

  await page.goto('/communication');
  await expect(page.getByRole('row').filter({ hasText: profile })).toContainText(`Told ${mark}`);
});

test('mails about accounts have the words of the profile that the settings name, which lead to their link', {
  tag: '@night',
}, async ({ page, context, browser }) => {
  test.setTimeout(patience * 2);
  const profile = `Accounts ${mark}`;
  await themeFollows(context);
  await signIn(page, '/communication');
  const before = await ask<object>(page, 'GET', '/SystemSettings');
  const me = await ask<{ email: string }>(page, 'GET', '/me');
  await page.getByRole('link', { name: 'New profile' }).first().click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(profile);
  const card = page.getByRole('region', { name: 'Mails about accounts' });
  await card.getByRole('button', { name: /^New password/ }).click();
  const preview = page.getByRole('region', { name: /^Preview: New password/ });
  await expect(preview.locator('[data-message-subject]')).toContainText('Choose a new password');
  await expect(preview.getByRole('combobox', { name: 'Session' })).toHaveCount(0);
  await card.getByRole('button', { name: 'Write your own text' }).click();
  await card.getByLabel('Subject').fill('Your new password');
  await card.getByLabel('Text of the link').fill('');
  await card.getByRole('textbox', { name: 'Text', exact: true }).fill('Dear {{user.name}}, come in.');
  // Without its link the message would be of no use.
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('alert').first()).toContainText('New password: Text');
  await expect(card.getByText('Without its link this message is of no use')).toBeVisible();
  await page.screenshot({ path: test.info().outputPath('accounts.png'), fullPage: true });
  await looksWell(page, phoneToo(page));
  await card.getByRole('textbox', { name: 'Text', exact: true }).fill('Dear {{user.name}}, come in: {{link.url}}');
  await expect(preview.locator('[data-message-subject]')).toContainText('Your new password');
  await expect(preview.locator('iframe').contentFrame().getByText('/reset-password#token=…')).toBeVisible();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('link', { name: profile })).toBeVisible();
  try {
    await page.goto('/settings?tab=mail');
    await page.getByRole('combobox', { name: 'Communication profile' }).click();
    await page.getByRole('option', { name: profile }).click();
    await looksWell(page, phoneToo(page));
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('dialog', { name: '1 change' })).toContainText(profile);
    await confirmChanges(page);
    await expect(page.getByText('Saved.')).toBeVisible();
    const stranger = await (await browser.newContext()).newPage();
    await stranger.goto('/forgot-password');
    await stranger.getByLabel('E-mail').fill(me.email);
    await stranger.getByRole('button', { name: 'Send the link' }).click();
    await expect(stranger.getByRole('status')).toContainText('a link is on its way');
    await stranger.context().close();
    const written = async () =>
      (await ask<KeptMail[]>(page, 'GET', '/kept-mail')).find(({ subject }) => subject === 'Your new password')?.text;
    await expect.poll(written, { timeout: patience }).toMatch(/^Dear .+, come in: http\S+\/reset-password#token=/);
  } finally {
    await ask(page, 'PUT', '/SystemSettings', before);
  }
});
