import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'playwright/test';
import { standsOut } from './clipping.ts';
import { ask, enter, patience, signIn, test } from './house.ts';
import { axeFaults, isSound, themeFollows } from './looks.ts';
import { drawn, linkFor, makeProvingWorkflow, readerOf, title } from './proving.ts';
import { becomes, submit } from './submit.ts';

const mark = Date.now().toString(36);

test('a customer opens the link of a mail, looks at page and findings, accepts them and approves', async ({
  page,
  context,
  browser,
}) => {
  await enter(page, context);
  const email = `carla-${mark}@customer.test`;
  const workflowId = await makeProvingWorkflow(page, email, {
    approvalPolicy: 'ConfirmIfWarnOrError',
    details: [
      { label: { en: 'Order', fr: 'Commande' }, value: '{{file.baseName}}' },
      { label: { en: 'Quantity' }, value: '{{order.quantity}}' },
    ],
  });
  const name = `brochure-${mark}.pdf`;
  const id = await submit(page, workflowId, name, ['Cover', 'Inside']);
  await becomes(page, id, /^OnHold$/);

  const reader = await readerOf(browser, { width: 1440, height: 900 });
  await reader.goto(await linkFor(page, email));
  await expect(title(reader, name)).toBeVisible();
  const about = reader.getByRole('complementary', { name: 'About the proof' });
  await expect(about.getByRole('button', { name: /^Problem/ })).toBeVisible();
  await drawn(reader);
  // What the job is: what is known of the file, and what the house says of it; a line without a value is left out.
  const job = about.locator('dl');
  await expect(job).toContainText('Pages2');
  await expect(job).toContainText(/Finished size\d.* mm × \d.* mm/);
  await expect(job).toContainText('Bleed');
  await expect(job).toContainText(`Orderbrochure-${mark}`);
  await expect(job).not.toContainText('Quantity');
  await isSound(reader, 'open');

  // How to mend it, in the program that the reader has; the browser remembers which.
  await about.getByRole('button', { name: 'How to mend it' }).click();
  await about.getByText('Word', { exact: true }).click();
  await expect(about.getByRole('status')).toContainText('Insert > Blank Page');
  await about.getByText('InDesign', { exact: true }).click();
  await expect(about.getByRole('status').locator('b').first()).toHaveText('Window > Pages');
  await isSound(reader, 'mending');
  await reader.goto(`${new URL(reader.url()).pathname}?lang=fr`);
  await expect(reader.locator('dl')).toContainText(`Commandebrochure-${mark}`);
  await reader.getByRole('button', { name: 'Comment corriger' }).click();
  await expect(reader.getByRole('status').filter({ hasText: 'Fenêtre > Pages' })).toBeVisible();
  await reader.goto(`${new URL(reader.url()).pathname}?lang=en`);
  await drawn(reader);

  await reader.getByRole('button', { name: 'Approve' }).click();
  const dialog = reader.getByRole('dialog', { name: `Approve ${name}` });
  await expect(dialog).toContainText('1 problem');
  await dialog.getByRole('button', { name: 'Approve for printing' }).click();
  await expect(dialog.getByText('Please tick this box to approve.')).toBeVisible();
  await isSound(reader, 'approving');
  await dialog.getByRole('checkbox').check();
  await dialog.getByRole('button', { name: 'Approve for printing' }).click();
  await expect(dialog).toBeHidden();
  await expect(reader.getByText(/^Approved by Carla Rossi/)).toBeVisible();
  await expect(reader.getByRole('button', { name: 'Approve' })).toHaveCount(0);
  await isSound(reader, 'approved');
  await becomes(page, id, /^Completed/);

  const [proof] = await ask<{ records: { record: { decision: string; name: string } }[] }[]>(
    page,
    'GET',
    `/sessions/${id}/proofs`,
  );
  expect(proof?.records.map(({ record }) => [record.decision, record.name])).toEqual([['Approved', 'Carla Rossi']]);
  // The house sees which pages were looked at, through which link it was decided, and what stood beside the pages.
  await page.goto(`/workflows/session/${id}`);
  await page.getByRole('tab', { name: 'Proof' }).click();
  const seen = page.getByRole('region', { name: 'Version 1' });
  await expect(seen).toContainText('Looked at pages 1 of 2');
  await expect(seen).toContainText(`Through link 1, which was sent to ${email}`);
  await expect(seen).toContainText(`Order: brochure-${mark}`);

  // What the customer keeps is verified without the installation, with its public key only.
  const [download] = await Promise.all([
    reader.waitForEvent('download', { timeout: patience }),
    reader.getByRole('button', { name: 'Certificate of the decision (PDF)' }).click(),
  ]);
  const certificate = test.info().outputPath('certificate.pdf');
  await download.saveAs(certificate);
  const key = test.info().outputPath('key.pem');
  writeFileSync(key, await (await page.request.get('/api/certificate-key.pem')).body());
  const command = fileURLToPath(new URL('../../cli/bin/pdf2press.js', import.meta.url));
  const told = spawnSync(process.execPath, [command, 'verify', certificate, '--key', key], { encoding: 'utf8' });
  expect(told.stdout, told.stderr).toContain('Approved · Carla Rossi');
  expect(told.status).toBe(0);
  await reader.context().close();
});

test('on a phone, a customer reads the findings on the sheet and declines with a reason', { tag: '@night' }, async ({
  page,
  context,
  browser,
}) => {
  await enter(page, context);
  const email = `paul-${mark}@customer.test`;
  const workflowId = await makeProvingWorkflow(page, email, { reasons: ['Wrong text', 'Wrong colours'] });
  const name = `leaflet-${mark}.pdf`;
  const id = await submit(page, workflowId, name, ['Front', 'Back']);
  await becomes(page, id, /^OnHold$/);

  const reader = await readerOf(browser, { width: 390, height: 844 });
  await reader.goto(await linkFor(page, email));
  await expect(title(reader, name)).toBeVisible();
  await drawn(reader);
  await isSound(reader, 'phone');
  await reader.getByRole('button', { name: /Show more$/ }).click();
  await expect(reader.getByRole('button', { name: /^Problem/ })).toBeVisible();
  await isSound(reader, 'phone-sheet');

  await reader.getByRole('button', { name: 'Decline' }).click();
  const dialog = reader.getByRole('dialog', { name: `What should change in ${name}?` });
  await dialog.getByRole('button', { name: 'Decline' }).click();
  await expect(dialog.getByText('Please choose a reason or describe what should change.')).toBeVisible();
  await isSound(reader, 'phone-declining');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  // What a field lacks is said when it is left.
  await reader.getByRole('button', { name: 'Decline' }).click();
  await dialog.getByRole('textbox', { name: 'Your name' }).fill('');
  await expect(dialog.getByText('Please fill in this field.')).toHaveCount(0);
  await reader.keyboard.press('Tab');
  await expect(dialog.getByText('Please fill in this field.')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Your name' }).fill('Carla Rossi');
  await expect(dialog.getByText('Please fill in this field.')).toHaveCount(0);
  await dialog.getByText('Wrong text').click();
  await dialog.getByLabel('What should change').fill('The street has another number');
  await dialog.getByRole('button', { name: 'Decline' }).click();
  await expect(reader.getByText(/^Declined by Carla Rossi/)).toBeVisible();
  await isSound(reader, 'phone-declined');
  await becomes(page, id, /^Cancel/);

  const [proof] = await ask<{ records: { record: object }[] }[]>(page, 'GET', `/sessions/${id}/proofs`);
  expect(proof?.records.map(({ record }) => record)).toEqual([
    expect.objectContaining({
      decision: 'Declined',
      reason: 'Wrong text',
      comment: 'The street has another number',
    }),
  ]);
  await reader.context().close();
});

test('a customer loads a copy of low resolution with a watermark, on a desktop and on a phone, and the house sees it', {
  tag: '@night',
}, async ({ page, context, browser }) => {
  await enter(page, context);
  const email = `lou-${mark}@customer.test`;
  const watermark = 'For {{recipient.name}} only';
  const workflowId = await makeProvingWorkflow(page, email, { allowDownload: 'lowResolution', watermark });
  const name = `copied-${mark}.pdf`;
  const id = await submit(page, workflowId, name, ['Front', 'Back']);
  await becomes(page, id, /^OnHold$/);
  const link = await linkFor(page, email);
  for (const [device, viewport] of Object.entries({
    desktop: { width: 1440, height: 900 },
    phone: { width: 390, height: 844 },
  })) {
    const reader = await readerOf(browser, viewport);
    await reader.goto(link);
    await drawn(reader);
    await isSound(reader, `copy-${device}`);
    const [download] = await Promise.all([
      reader.waitForEvent('download', { timeout: patience }),
      reader.getByRole('button', { name: 'Download a copy of low resolution' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`copied-${mark}-proof-1.pdf`);
    const copy = test.info().outputPath(`copy-${device}.pdf`);
    await download.saveAs(copy);
    const bytes = readFileSync(copy).toString('latin1');
    expect(bytes.match(/\/DCTDecode/g)).toHaveLength(2);
    await reader.context().close();
  }
  await page.goto(`/workflows/session/${id}`);
  await page.getByRole('tab', { name: 'Log' }).click();
  const line = page.getByRole('log').getByRole('listitem').filter({ hasText: 'File downloaded' });
  await expect(line).toHaveCount(1);
  await expect(line).toContainText(`copied-${mark}-proof-1.pdf · Carla Rossi`);
});

test('a customer marks what should change, the house answers and ticks it off, on a desktop and on a phone', async ({
  page,
  context,
  browser,
}) => {
  await themeFollows(context);
  await enter(page, context);
  const email = `nora-${mark}@customer.test`;
  const workflowId = await makeProvingWorkflow(page, email);
  const name = `poster-${mark}.pdf`;
  const id = await submit(page, workflowId, name, ['Front', 'Back']);
  await becomes(page, id, /^OnHold$/);

  const reader = await readerOf(browser, { width: 1440, height: 900 });
  await reader.goto(await linkFor(page, email));
  await drawn(reader);
  await reader.getByRole('button', { name: 'Write a note on the page' }).click();
  const stage = reader.getByRole('group', { name: /^Page 1/ });
  const box = await stage.boundingBox();
  if (!box) throw new Error('no stage');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await reader.mouse.move(x - 60, y - 40);
  await reader.mouse.down();
  await reader.mouse.move(x + 60, y + 30, { steps: 4 });
  await reader.mouse.up();
  const about = reader.getByRole('complementary', { name: 'About the proof' });
  await expect(about.getByText('Page 1, at the place you marked')).toBeVisible();
  await about.getByLabel('What should change').fill('The street has another number');
  const letter = { mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 the address') };
  const choose = about.locator('input[type=file]');
  await choose.setInputFiles([
    { name: 'page.pdf', mimeType: 'application/pdf', buffer: Buffer.from('<html>') },
    { ...letter, name: 'address.pdf' },
  ]);
  await isSound(reader, 'writing-a-note');
  await about.getByRole('button', { name: 'Save the note' }).click();
  // What is no PDF is refused; without it the same note is sent, and written once.
  await expect(about.getByText('Only files of these types can be attached')).toBeVisible();
  await about.getByRole('button', { name: 'Do not attach page.pdf' }).click();
  await about.getByRole('button', { name: 'Save the note' }).click();
  await expect(about.getByRole('listitem').filter({ hasText: 'another number' })).toHaveCount(1);
  const [attached] = await Promise.all([
    reader.waitForEvent('download'),
    about.getByRole('button', { name: 'Download address.pdf' }).click(),
  ]);
  expect(readFileSync(await attached.path(), 'utf8')).toBe('%PDF-1.7 the address');
  await expect(about.getByText('The street has another number')).toBeVisible();
  await reader.getByRole('button', { name: 'Note 1' }).click();
  await isSound(reader, 'noted');

  // An arrow to what is meant.
  await reader.getByRole('button', { name: 'Write a note on the page' }).click();
  await reader.getByText('Arrow', { exact: true }).click({ force: true });
  await expect(reader.getByText('Draw an arrow to what you mean.')).toBeVisible();
  await isSound(reader, 'marking');
  await reader.mouse.move(x - 90, y + 80);
  await reader.mouse.down();
  await reader.mouse.move(x, y + 40, { steps: 4 });
  await reader.mouse.up();
  await about.getByLabel('What should change').fill('This colour is too pale');
  await about.getByRole('button', { name: 'Save the note' }).click();
  await expect(about.getByRole('listitem').filter({ hasText: 'too pale' })).toContainText('Page 1 · Arrow');
  await reader.screenshot({ path: test.info().outputPath('arrow.png') });

  // By keyboard alone: the crosshair is moved, and a box is drawn from where it was to where it is.
  await reader.locator('body').press('n');
  await reader.keyboard.press('x');
  const crosshair = reader.getByRole('application', { name: /^Crosshair/ });
  await expect(crosshair).toBeFocused();
  await isSound(reader, 'crosshair');
  await reader.keyboard.press('Enter');
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown', 'Control+ArrowDown']) await reader.keyboard.press(key);
  await reader.keyboard.press('Enter');
  await expect(about.getByText('Page 1, at the place you marked')).toBeVisible();
  await about.getByLabel('What should change').fill('Here, too');
  await about.getByRole('button', { name: 'Save the note' }).click();
  const byKeys = about.getByRole('listitem').filter({ hasText: 'Here, too' });
  await byKeys.getByRole('button', { name: 'Take back' }).click();
  await expect(byKeys).toHaveCount(0);

  // The house reads it in the session, answers and ticks it off.
  await page.goto(`/workflows/session/${id}`);
  await page.getByRole('tab', { name: 'Proof' }).click();
  const notes = page.getByRole('region', { name: 'Notes', exact: true });
  await expect(notes).toContainText('The street has another number', { timeout: patience });
  // What the house writes for itself stays there: the customer's page, read below, has none of it.
  await notes.getByRole('button', { name: 'Private note about note 1' }).click();
  await notes.getByRole('textbox', { name: 'Private note about note 1' }).fill('They moved in May');
  await notes.getByRole('button', { name: 'Save for the print shop' }).click();
  await expect(notes.getByRole('list', { name: 'Private note about note 1' })).toContainText('They moved in May');
  const own = page.getByRole('region', { name: 'Private notes' });
  await own.getByRole('button', { name: 'Private note about the proof' }).click();
  await own.getByRole('textbox', { name: 'Private note about the proof' }).fill('Ask the boss first');
  await own.getByRole('button', { name: 'Save for the print shop' }).click();
  await expect(own.getByRole('list', { name: 'Private note about the proof' })).toContainText('Ask the boss first');
  await isSound(page, 'private-notes');
  await notes.getByRole('button', { name: 'Answer' }).first().click();
  await notes.getByLabel('Your answer to note 1').fill('Number 12?');
  await notes.locator('input[type=file]').setInputFiles({ ...letter, name: 'mended.pdf' });
  await notes.getByRole('button', { name: 'Send the answer' }).click();
  await expect(notes).toContainText('Number 12?');
  await expect(notes.getByRole('button', { name: 'Download mended.pdf' })).toBeVisible();
  await expect(notes.getByRole('button', { name: 'Download address.pdf' })).toBeVisible();
  // What the house takes on is red on the customer's page, until it is ticked off.
  await notes.getByRole('button', { name: 'Take on' }).first().click();
  await expect(notes.getByText('· To do')).toBeVisible();
  await reader.reload();
  await expect(reader.locator('button[data-todo]')).toHaveText('1', { timeout: patience });
  await isSound(reader, 'taken-on');
  await notes.getByRole('button', { name: 'Tick off' }).first().click();
  await expect(notes.getByText(/· Done/)).toBeVisible();
  await page.screenshot({ path: test.info().outputPath('session-notes.png') });
  for (const [button, ends, begins] of [
    ['File with notes (PDF)', '.pdf', '%PDF-'],
    ['Table (CSV)', '.csv', '\ufeffno,'],
  ] as const) {
    const [saved] = await Promise.all([
      page.waitForEvent('download', { timeout: patience }),
      notes.getByRole('button', { name: button }).click(),
    ]);
    expect(saved.suggestedFilename()).toMatch(new RegExp(`${ends}$`));
    const bytes = readFileSync(await saved.path());
    expect(bytes.toString('utf8').startsWith(begins)).toBe(true);
  }

  // On a phone: the answer is there, a point is marked with a finger, and taken back.
  await reader.setViewportSize({ width: 390, height: 844 });
  await reader.reload();
  await drawn(reader);
  await reader.getByRole('button', { name: 'Note 1' }).click();
  await expect(about).toContainText('Number 12?');
  await expect(about.getByRole('button', { name: 'Download mended.pdf' })).toBeVisible();
  await expect(reader.getByText('They moved in May')).toHaveCount(0);
  await expect(reader.getByText('Ask the boss first')).toHaveCount(0);
  // The customer replies to the house's answer, and the house to that.
  await about.getByRole('button', { name: /^Reply to / }).click();
  await about.getByLabel(/^Your reply to /).fill('Yes, 12a');
  await about.getByRole('button', { name: 'Send the answer' }).click();
  await expect(about.getByText(/\(print shop\)/)).toBeVisible();
  await expect(about.getByRole('listitem').filter({ hasText: 'Yes, 12a' }).last()).toContainText(' to ');
  await isSound(reader, 'phone-notes');
  await page.reload();
  await page.getByRole('tab', { name: 'Proof' }).click();
  await notes.getByRole('button', { name: /^Reply to / }).click();
  await notes.getByLabel(/^Your reply to /).fill('Thank you');
  await notes.getByRole('button', { name: 'Send the answer' }).click();
  await expect(notes.getByText('Thank you')).toBeVisible();
  await reader.getByRole('button', { name: 'Write a note on the page' }).click();
  const small = await stage.boundingBox();
  if (!small) throw new Error('no stage');
  await reader.mouse.click(small.x + small.width / 2, small.y + small.height / 3);
  await about.getByLabel('What should change').fill('Larger');
  await about.getByRole('button', { name: 'Save the note' }).click();
  await expect(reader.getByRole('button', { name: 'Note 4' })).toBeVisible();
  const second = about.getByRole('listitem').filter({ hasText: 'Larger' });
  await second.getByRole('button', { name: 'Take back' }).click();
  await expect(reader.getByRole('button', { name: 'Note 4' })).toHaveCount(0);
  await reader.context().close();
});

test('the house sees who was asked and what they did, sends a new link, asks one more, gives more time, and decides on behalf', {
  tag: '@night',
}, async ({ page, context }) => {
  await themeFollows(context);
  await enter(page, context);
  const email = `olga-${mark}@customer.test`;
  const workflowId = await makeProvingWorkflow(page, email, { approvalPolicy: 'ConfirmIfError', deadlineHours: 24 });
  const id = await submit(page, workflowId, `poster-${mark}.pdf`, ['Left', 'Right']);
  await becomes(page, id, /^OnHold$/);
  const first = await linkFor(page, email);
  await page.goto(`/workflows/session/${id}`);
  await page.getByRole('tab', { name: 'Proof' }).click();
  const proof = page.getByRole('region', { name: 'Version 1' });
  await expect(proof).toContainText('Waits for an answer');
  await expect(proof).toContainText(email);
  await expect(proof).toContainText('Not opened yet');
  await expect(proof).toContainText('Message with the link · sent');

  await proof.getByRole('button', { name: 'Send a new link' }).click();
  await expect(proof.getByText(/^Message with the link/)).toHaveCount(2);
  await expect.poll(() => linkFor(page, email), { timeout: patience }).not.toBe(first);

  await proof.getByRole('button', { name: 'Ask one more person' }).click();
  const more = page.getByRole('dialog', { name: 'Ask one more person' });
  await more.getByLabel('E-mail').fill(`second-${email}`);
  await more.getByRole('button', { name: 'Ask one more person' }).click();
  await expect(proof).toContainText(`second-${email}`);
  await isSound(page, 'tab');

  const dueAt = async () => (await ask<{ dueAt: string }[]>(page, 'GET', `/sessions/${id}/proofs`))[0]?.dueAt ?? '';
  const before = Date.parse(await dueAt());
  await proof.getByRole('button', { name: 'Give more time' }).click();
  const time = page.getByRole('dialog', { name: 'Give more time' });
  await time.getByLabel('Hours from now').fill('72');
  await time.getByRole('button', { name: 'Give more time' }).click();
  await expect(time).toBeHidden();
  expect(Date.parse(await dueAt())).toBeGreaterThan(before + 47 * 3_600_000);

  await proof.getByRole('button', { name: 'Withdraw the link' }).last().click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw the link' }).click();
  await expect(proof).toContainText('Link withdrawn');

  await proof.getByRole('button', { name: 'Decide on their behalf' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Decide on behalf of Carla Rossi' });
  await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(dialog.getByText('Please fill in this field.')).toBeVisible();
  await isSound(page, 'deciding');
  await dialog.getByRole('checkbox').check();
  await dialog.getByLabel('Why they do not decide themselves').fill('Said so on the telephone');
  await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(proof).toContainText('Said so on the telephone');
  await expect(proof.locator('code')).toHaveText(/^[0-9a-f]{64}$/);
  await isSound(page, 'tab-decided');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('tab', { name: 'Details' }).click();
  await expect(proof).toContainText('Said so on the telephone');
  expect(await axeFaults(page)).toEqual([]);
  expect(await standsOut(page)).toEqual([]);
  await becomes(page, id, /^Completed/);
});

test('signing out in another tab leaves an open proof where it is', { tag: '@night' }, async ({ page, context }) => {
  await signIn(page);
  const email = `ida-${mark}@customer.test`;
  const workflowId = await makeProvingWorkflow(page, email);
  const name = `card-${mark}.pdf`;
  await submit(page, workflowId, name);
  const proof = await context.newPage();
  await proof.goto(await linkFor(page, email));
  await expect(title(proof, name)).toBeVisible();
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL((url) => url.pathname === '/login');
  await proof.getByRole('button', { name: 'Decline' }).click();
  await expect(proof.getByRole('dialog', { name: `What should change in ${name}?` })).toBeVisible();
});

test('answers in the words of the house, a typed signature, and a link that is good for one decision', {
  tag: '@night',
}, async ({ page, context, browser }) => {
  await enter(page, context);
  const email = `sofia-${mark}@customer.test`;
  const labels = { Approved: { en: 'Print it' }, Declined: { en: 'Change something' } };
  const settings = { labels, isSignatureRequired: true, isSingleUse: true };
  const workflowId = await makeProvingWorkflow(page, email, settings);
  const name = `signed-${mark}.pdf`;
  const id = await submit(page, workflowId, name, ['Signed']);
  await becomes(page, id, /^OnHold$/);

  const reader = await readerOf(browser, { width: 390, height: 844 });
  await reader.goto(await linkFor(page, email));
  await expect(title(reader, name)).toBeVisible();
  await drawn(reader);
  await isSound(reader, 'own-words');
  await reader.getByRole('button', { name: 'Change something' }).click();
  await reader
    .getByRole('dialog', { name: `Change something: ${name}` })
    .getByLabel('Close')
    .click();
  await reader.getByRole('button', { name: 'Print it' }).click();
  const dialog = reader.getByRole('dialog', { name: `Print it: ${name}` });
  await dialog.getByRole('textbox', { name: 'Your signature' }).fill('Karla Rossi');
  await dialog.getByRole('button', { name: 'Print it' }).click();
  await expect(dialog.getByText('Please type your name just as in the field for your name.')).toBeVisible();
  await isSound(reader, 'signing');
  await dialog.getByRole('textbox', { name: 'Your signature' }).fill('carla rossi');
  await dialog.getByRole('button', { name: 'Print it' }).click();
  await expect(reader.getByText(/^“Print it”: Carla Rossi, /)).toBeVisible();
  await expect(reader.getByText('This link was good for one decision.')).toBeVisible();
  await expect(reader.locator('img[class*=tile]')).toHaveCount(0);
  await isSound(reader, 'used');
  await reader.reload();
  await expect(reader.getByText(/^“Print it”: Carla Rossi, /)).toBeVisible();
  await becomes(page, id, /^Completed/);
  await page.goto(`/workflows/session/${id}`);
  await page.getByRole('tab', { name: /^Proof/ }).click();
  await expect(page.getByText('Signed by typing the name: carla rossi')).toBeVisible();
  await reader.context().close();
});
