import { readFile } from 'node:fs/promises';
import { decodedMail, startMailServer, type TestMailServer } from '@pdf2press/mail/testing';
import { expect } from 'playwright/test';
import { makePublished, stepOf } from './drafting.ts';
import { ask, enter, handIn, patience, test } from './house.ts';
import { isSound, looksWell, themeFollows } from './looks.ts';
import { makePdf } from './make-pdf.ts';
import { drawn, makeProvingWorkflow, readerOf, title } from './proving.ts';
import { becomes, submit } from './submit.ts';
import { foundIn, writeThrough, writeThroughTestServer } from './written.ts';

/* What a mail server of the house takes is opened, and its links are followed: of a proof, and of a delivered file. */

const mark = Date.now().toString(36);

let mails: TestMailServer;
test.beforeAll(async () => {
  mails = await startMailServer(decodedMail);
});
test.afterAll(() => mails.stop());

test('a mail is opened: its link leads to the proof, and after the approval the file comes by a link that loads it', async ({
  page,
  context,
  browser,
}) => {
  test.setTimeout(patience * 3);
  await enter(page, context);
  await themeFollows(context);
  const before = await writeThroughTestServer(page, mails);
  try {
    const customer = `carla-${mark}@customer.test`;
    const proving = await makeProvingWorkflow(page, customer);
    const name = `poster-${mark}.pdf`;
    const id = await submit(page, proving, name, ['Poster']);
    await becomes(page, id, /^OnHold$/);
    const reader = await readerOf(browser, { width: 390, height: 844 });
    await reader.goto(await foundIn(mails, customer, /\/client-proofing\/[\w-]+\/[\w-]+/));
    await expect(title(reader, name)).toBeVisible();
    await drawn(reader);
    await reader.getByRole('button', { name: 'Approve' }).click();
    const dialog = reader.getByRole('dialog', { name: `Approve ${name}` });
    await dialog.getByRole('button', { name: 'Approve for printing' }).click();
    await expect(reader.getByText(/^Approved by Carla Rossi/)).toBeVisible();
    await becomes(page, id, /^Completed/);

    const press = `press-${mark}@house.test`;
    const target = await ask<{ id: string }>(page, 'POST', '/profiles/delivery', {
      name: `Press by mail ${mark}`,
      settings: { kind: 'email', to: press, subject: 'Job {{file.name}}', attachUpToMb: 0 },
    });
    const workflow = `Mails ${mark}`;
    await makePublished(page, {
      name: workflow,
      steps: [stepOf('Inject'), stepOf('Complete', { deliveries: [{ targetId: target.id }] })],
    });
    await page.goto('/workflows/sessions');
    const buffer = makePdf(['By mail']);
    await handIn(page, [{ name: `by-mail-${mark}.pdf`, buffer }], workflow);
    await reader.goto(await foundIn(mails, press, /\/delivered\/[\w-]+/));
    await expect(title(reader, `by-mail-${mark}.pdf`)).toBeVisible();
    await looksWell(reader);
    const [download] = await Promise.all([
      reader.waitForEvent('download'),
      reader.getByRole('link', { name: 'Fetch the file' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`by-mail-${mark}.pdf`);
    expect(await readFile(await download.path())).toEqual(buffer);
    await reader.context().close();
  } finally {
    // Other journeys read what is kept while there is no server.
    await writeThrough(page, before);
  }
});

test('a proof that asks for a code: the link alone shows nothing, the code of a second mail opens it in this browser only', {
  tag: '@night',
}, async ({ page, context, browser }) => {
  test.setTimeout(patience * 3);
  await enter(page, context);
  const before = await writeThroughTestServer(page, mails);
  try {
    const customer = `cora-${mark}@customer.test`;
    const proving = await makeProvingWorkflow(page, customer, { linkProtection: 'code' });
    const name = `secret-${mark}.pdf`;
    const id = await submit(page, proving, name, ['Secret']);
    await becomes(page, id, /^OnHold$/);
    const link = await foundIn(mails, customer, /\/client-proofing\/[\w-]+\/[\w-]+/);
    const reader = await readerOf(browser, { width: 390, height: 844 });
    await reader.goto(link);
    await expect(title(reader, 'This proof is opened with a code')).toBeVisible();
    await expect(reader.getByText('c…@customer.test')).toBeVisible();
    await expect(reader.getByText(name)).toHaveCount(0);
    await isSound(reader, 'guarded');
    await reader.getByRole('button', { name: 'Send me the code' }).click();
    const code = await foundIn(mails, customer, /^\d{6}\r?$/m);
    const field = reader.getByRole('textbox', { name: 'Code' });
    await reader.getByRole('button', { name: 'Open the proof' }).click();
    await expect(reader.getByText('Please enter the six digits.')).toBeVisible();
    await field.fill(code.startsWith('1') ? '222222' : '111111');
    await reader.getByRole('button', { name: 'Open the proof' }).click();
    await expect(reader.getByText('This code is not valid, or no longer valid.')).toBeVisible();
    await isSound(reader, 'wrong-code');
    await field.fill(code.trim());
    await reader.keyboard.press('Enter');
    await expect(title(reader, name)).toBeVisible();
    await drawn(reader);
    // The browser keeps it for this link.
    await reader.reload();
    await expect(title(reader, name)).toBeVisible();
    const other = await readerOf(browser, { width: 1440, height: 900 });
    await other.goto(link);
    await expect(title(other, 'This proof is opened with a code')).toBeVisible();
    await isSound(other, 'guarded-wide');
    await other.context().close();

    await reader.getByRole('button', { name: 'Approve' }).click();
    const dialog = reader.getByRole('dialog', { name: `Approve ${name}` });
    await dialog.getByRole('button', { name: 'Approve for printing' }).click();
    await expect(reader.getByText(/^Approved by Carla Rossi/)).toBeVisible();
    await becomes(page, id, /^Completed/);
    await reader.context().close();
  } finally {
    await writeThrough(page, before);
  }
});
