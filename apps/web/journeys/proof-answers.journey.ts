import { readFile } from 'node:fs/promises';
import { type Browser, expect, type Page } from 'playwright/test';
import { clippedTexts } from './clipping.ts';
import { ask, enter, test } from './house.ts';
import { tabTo } from './keyboard.ts';
import { axeFaults, isSound, themeFollows } from './looks.ts';
import { makePdf } from './make-pdf.ts';
import { addressIn, approversOf, drawn, linkFor, makeProvingWorkflow, readerOf, title } from './proving.ts';
import { becomes, submit } from './submit.ts';
import { inDatabase } from './time-passes.ts';

const mark = Date.now().toString(36);
const desk = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };
/** In both themes, on a desk and on a phone. */
async function isSoundOnBoth(reader: Page, state: string): Promise<void> {
  await isSound(reader, state);
  await reader.setViewportSize(phone);
  await isSound(reader, `${state}-phone`);
  await reader.setViewportSize(desk);
}
const about = (reader: Page) => reader.getByRole('complementary', { name: 'About the proof' });

const addressOf = addressIn(mark);
const approvers = (names: readonly string[]) => approversOf(names, addressOf);

/** Opens the proof in the browser of somebody who was asked. */
async function openAs(page: Page, browser: Browser, name: string): Promise<Page> {
  const reader = await readerOf(browser, desk);
  await reader.goto(await linkFor(page, addressOf(name)));
  return reader;
}

/** Decides in the dialog that asks once more. */
async function decide(reader: Page, decision: 'Approve' | 'Decline'): Promise<void> {
  await reader.getByRole('button', { name: decision }).click();
  const dialog = reader.getByRole('dialog');
  if (decision === 'Decline') await dialog.getByLabel('What should change').fill('The street has another number');
  await dialog.getByRole('button', { name: decision === 'Approve' ? 'Approve for printing' : 'Decline' }).click();
  await expect(dialog).toBeHidden();
}

test('a corrected file: what is fixed and what is left is said, and the keyboard alone approves it', {
  tag: '@night',
}, async ({ page, context, browser }) => {
  await enter(page, context);
  const email = addressOf('Kim');
  const settings = { approvalPolicy: 'ConfirmIfError' };
  const checks = [{ key: 'PageCount', settings: { max: 1 } }, { key: 'Fonts' }];
  const workflowId = await makeProvingWorkflow(page, email, settings, checks);
  const name = `menu-${mark}.pdf`;
  const id = await submit(page, workflowId, name, ['Starters', 'Desserts']);
  await becomes(page, id, /^OnHold$/);

  const reader = await readerOf(browser, desk);
  const first = await linkFor(page, email);
  await reader.goto(first);
  await drawn(reader);
  await expect(about(reader).getByRole('button', { name: /^Problem/ })).toHaveCount(2);
  await expect(about(reader).getByText('Compared with')).toHaveCount(0);
  await reader.getByRole('button', { name: 'Decline' }).click();
  const dialog = reader.getByRole('dialog');
  await dialog.getByText('Send a new file').click();
  await dialog.locator('input[type=file]').setInputFiles({
    name: `menu-${mark}-2.pdf`,
    mimeType: 'application/pdf',
    buffer: makePdf(['Starters']),
  });
  await dialog.getByRole('button', { name: 'Send the file' }).click();
  await expect(reader.getByText(/^Thank you, your file has arrived/)).toBeVisible();

  // The first link leads to nothing more; the second one says what became of the findings.
  const second = await linkFor(page, email, first);
  await reader.goto(first);
  await expect(reader.getByRole('heading', { name: 'There is a newer version' })).toBeVisible();
  await isSoundOnBoth(reader, 'superseded');
  await reader.goto(second);
  await drawn(reader);
  await expect(about(reader).getByText('Compared with version 1: 1 fixed, 0 new, 1 left.')).toBeVisible();
  await expect(about(reader).getByRole('button', { name: /^Problem/ })).toHaveCount(1);
  await expect(about(reader).getByRole('listitem').filter({ hasText: 'Fixed' })).toContainText('at most 1');
  await isSoundOnBoth(reader, 'compared');

  // What changed is shown in the pages, too, one change after the other.
  await reader.getByText('Since version 1').click();
  await reader.getByText('Difference', { exact: true }).click();
  await expect(reader.getByText(/No pixel differs/)).toBeVisible();
  await reader.getByRole('button', { name: 'Next change' }).click();
  await expect(reader.getByText('This version has no such page.')).toBeVisible();
  await isSound(reader, 'the version before');
  await reader.getByText('As it will print').click();

  await tabTo(reader, reader.getByRole('button', { name: 'Approve' }));
  await reader.keyboard.press('Enter');
  await expect(dialog).toBeVisible();
  await tabTo(reader, dialog.getByRole('checkbox'));
  await reader.keyboard.press('Space');
  await tabTo(reader, dialog.getByRole('button', { name: 'Approve for printing' }));
  await reader.keyboard.press('Enter');
  await expect(reader.getByText(/^Approved by Carla Rossi/)).toBeVisible();
  await becomes(page, id, /^Completed/);
  await reader.context().close();
});

test('on a phone, a customer sends a corrected file, and approves the version that is made of it', {
  tag: '@night',
}, async ({ page, context, browser }) => {
  await enter(page, context);
  const email = addressOf('Pia');
  const checks = [{ key: 'PageCount', settings: { max: 1 } }];
  const workflowId = await makeProvingWorkflow(page, email, { approvalPolicy: 'ConfirmIfError' }, checks);
  const id = await submit(page, workflowId, `pocket-${mark}.pdf`, ['Starters', 'Desserts']);
  await becomes(page, id, /^OnHold$/);
  const reader = await readerOf(browser, phone);
  const first = await linkFor(page, email);
  await reader.goto(first);
  await drawn(reader);
  await reader.getByRole('button', { name: 'Decline' }).click();
  const dialog = reader.getByRole('dialog');
  await dialog.getByText('Send a new file').click();
  await dialog.locator('input[type=file]').setInputFiles({
    name: `pocket-${mark}-2.pdf`,
    mimeType: 'application/pdf',
    buffer: makePdf(['Starters']),
  });
  await isSound(reader, 'sending-phone');
  await dialog.getByRole('button', { name: 'Send the file' }).click();
  await expect(reader.getByText(/^Thank you, your file has arrived/)).toBeVisible();

  await reader.goto(await linkFor(page, email, first));
  await drawn(reader);
  await expect(reader.getByText('Version 2')).toBeVisible();
  await isSound(reader, 'version-2-phone');
  await reader.getByRole('button', { name: 'Approve' }).click();
  await dialog.getByRole('button', { name: 'Approve for printing' }).click();
  await expect(reader.getByText(/^Approved by/)).toBeVisible();
  await isSound(reader, 'approved-version-2-phone');
  await becomes(page, id, /^Completed/);
  await reader.context().close();
});

test('two sign one after the other: the second is asked when the first has approved', { tag: '@night' }, async ({
  page,
  context,
  browser,
}) => {
  await enter(page, context);
  const settings = { mode: 'Sequence', approvers: approvers(['Sara', 'Theo']) };
  const workflowId = await makeProvingWorkflow(page, '', settings);
  const name = `label-${mark}.pdf`;
  const id = await submit(page, workflowId, name);
  await becomes(page, id, /^OnHold$/);

  const sara = await openAs(page, browser, 'Sara');
  await expect(title(sara, name)).toBeVisible();
  await about(sara).getByRole('tab', { name: 'Who decides' }).click();
  await expect(about(sara).getByRole('listitem').filter({ hasText: 'Theo' })).toContainText('Is asked later');
  const mails = await ask<{ to: string }[]>(page, 'GET', '/kept-mail');
  expect(mails.filter(({ to }) => to === addressOf('Theo'))).toEqual([]);
  await decide(sara, 'Approve');
  await expect(sara.getByText(/^Approved by Sara.*Others are still asked/)).toBeVisible();
  await isSound(sara, 'answered');
  await becomes(page, id, /^OnHold$/);

  const theo = await openAs(page, browser, 'Theo');
  await about(theo).getByRole('tab', { name: 'Who decides' }).click();
  await expect(about(theo).getByRole('listitem').filter({ hasText: 'Sara' })).toContainText('Approved');
  await decide(theo, 'Approve');
  await expect(theo.getByText(/^Approved by Theo.*The file goes to print/)).toBeVisible();
  await becomes(page, id, /^Completed/);
  await Promise.all([sara, theo].map((reader) => reader.context().close()));
});

test('a gatekeeper is marked in the profile, asked first, and the others when the gatekeeper has approved', {
  tag: '@night',
}, async ({ page, context, browser }) => {
  await themeFollows(context);
  await enter(page, context);
  const profileName = `Gate ${mark}`;
  await page.goto('/proofing/new');
  await page.getByRole('textbox', { name: 'Name', exact: true }).first().fill(profileName);
  const people = page.getByRole('region', { name: 'Who is asked' });
  await people.getByRole('button', { name: 'Add' }).click();
  const gatekeeper = people.getByRole('switch', { name: 'Gatekeeper' });
  await gatekeeper.focus();
  await page.keyboard.press('Space');
  await expect(gatekeeper).toBeChecked();
  // An entry that is new is not blamed for being empty; a save says it, and typing ends it.
  await expect(people.getByText('Value is required')).toHaveCount(0);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(people.getByText('Value is required')).toBeVisible();
  await people.getByLabel('Address').fill(addressOf('Gail'));
  await expect(people.getByText('Value is required')).toHaveCount(0);
  await isSound(page, 'gatekeeper-form');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: profileName }).click();
  await expect(page.getByRole('switch', { name: 'Gatekeeper' })).toBeChecked();

  const [gail, ...others] = approvers(['Gail', 'Hal', 'Iris']);
  const settings = { mode: 'All', approvers: [...others, { ...gail, isGatekeeper: true }] };
  const workflowId = await makeProvingWorkflow(page, '', settings);
  const name = `banner-${mark}.pdf`;
  const id = await submit(page, workflowId, name);
  await becomes(page, id, /^OnHold$/);
  await page.goto(`/workflows/session/${id}`);
  await page.getByRole('tab', { name: 'Proof' }).click();
  const person = (who: string) =>
    page
      .getByRole('region', { name: 'Version 1' })
      .getByRole('listitem')
      .filter({ hasText: addressOf(who) });
  await expect(person('Gail')).toContainText('Gatekeeper');
  await expect(person('Hal')).toContainText('Is asked when all gatekeepers have approved');
  await isSound(page, 'gatekeeper-first');

  const asGail = await openAs(page, browser, 'Gail');
  const mails = await ask<{ to: string }[]>(page, 'GET', '/kept-mail');
  expect(mails.filter(({ to }) => [addressOf('Hal'), addressOf('Iris')].includes(to))).toEqual([]);
  await decide(asGail, 'Approve');
  await expect(asGail.getByText(/^Approved by Gail.*Others are still asked/)).toBeVisible();
  await becomes(page, id, /^OnHold$/);
  const [asHal, asIris] = [await openAs(page, browser, 'Hal'), await openAs(page, browser, 'Iris')];
  await decide(asHal, 'Approve');
  await decide(asIris, 'Approve');
  await becomes(page, id, /^Completed/);
  await Promise.all([asGail, asHal, asIris].map((reader) => reader.context().close()));
});

test('two of three are enough: one may decline, and the second approval decides', { tag: '@night' }, async ({
  page,
  context,
  browser,
}) => {
  await enter(page, context);
  const settings = { mode: 'Quorum', quorum: 2, approvers: approvers(['Una', 'Vera', 'Wim']) };
  const workflowId = await makeProvingWorkflow(page, '', settings);
  const name = `ticket-${mark}.pdf`;
  const id = await submit(page, workflowId, name);
  await becomes(page, id, /^OnHold$/);

  const una = await openAs(page, browser, 'Una');
  await decide(una, 'Approve');
  await expect(una.getByText(/^Approved by Una.*Others are still asked/)).toBeVisible();
  await expect(una.getByRole('button', { name: 'Decline' })).toHaveCount(0);
  await isSound(una, 'answered');

  // Where a banner moves the pages down, the picture that stands in for the first one covers none of the controls.
  const waiting = await readerOf(browser, phone);
  const pictures = (address: URL) => /\/thumbnails\/\d+$|\.webp$/.test(address.pathname) && address.search !== '';
  await waiting.route(pictures, () => undefined);
  await waiting.goto(una.url());
  await expect(waiting.getByText(/^Approved by Una.*Others are still asked/)).toBeVisible();
  await expect(waiting.locator('#first-page')).toBeVisible();
  const zoom = waiting.getByRole('button', { name: /^\d+%$/ });
  await expect(zoom).toBeVisible();
  const covered = await waiting.evaluate(() => {
    const picture = document.getElementById('first-page');
    if (!picture) throw new Error('no picture');
    // It lets every press through; to be found, it must not.
    picture.style.pointerEvents = 'auto';
    const over = picture.getBoundingClientRect();
    const buttons = [...document.querySelectorAll('section button')].map((button) => button.getBoundingClientRect());
    const below = buttons.filter(({ top, bottom, width }) => width > 0 && bottom > over.top && top < over.bottom);
    const seen = below.map(({ x, y, width, height }) => document.elementFromPoint(x + width / 2, y + height - 3)?.id);
    return { below: below.length, covered: seen.filter((id) => id === 'first-page').length };
  });
  expect(covered.below).toBeGreaterThan(0);
  expect(covered.covered).toBe(0);
  await waiting.screenshot({ path: test.info().outputPath('stand-in-phone.png') });
  await waiting.context().close();

  // As long as others are asked, the own answer can be changed, more than once.
  await una.getByRole('button', { name: 'Change my answer' }).click();
  await decide(una, 'Decline');
  await expect(una.getByText(/^Declined by Una.*Others are still asked/)).toBeVisible();
  await una.reload();
  await una.getByRole('button', { name: 'Change my answer' }).click();
  await decide(una, 'Approve');
  await expect(una.getByText(/^Approved by Una.*Others are still asked/)).toBeVisible();
  const vera = await openAs(page, browser, 'Vera');
  await decide(vera, 'Decline');
  await expect(vera.getByText(/^Declined by Vera.*Others are still asked/)).toBeVisible();
  await isSound(vera, 'outvoted');
  await becomes(page, id, /^OnHold$/);
  const wim = await openAs(page, browser, 'Wim');
  await about(wim).getByRole('tab', { name: 'Who decides' }).click();
  await expect(about(wim).getByRole('listitem').filter({ hasText: 'Vera' })).toContainText('Declined');
  await decide(wim, 'Approve');
  await becomes(page, id, /^Completed/);
  await vera.reload();
  await expect(vera.getByText(/^Approved by Wim/)).toBeVisible();
  await expect(vera.getByRole('button', { name: 'Change my answer' })).toHaveCount(0);
  await page.goto(`/workflows/session/${id}`);
  await page.getByRole('tab', { name: 'Proof' }).click();
  await expect(page.getByText(/^Replaces record \d/)).toHaveCount(2);
  await Promise.all([una, vera, wim].map((reader) => reader.context().close()));
});

test('without JavaScript a page says what is asked, then what was decided, and its receipt is made and loaded by a form alone', async ({
  page,
  context,
  browser,
}) => {
  await enter(page, context);
  const email = addressOf('Zoe');
  const name = `flag-${mark}.pdf`;
  const id = await submit(page, await makeProvingWorkflow(page, email), name);
  await becomes(page, id, /^OnHold$/);
  const link = await linkFor(page, email);
  const plain = await browser.newContext({ javaScriptEnabled: false, viewport: phone });
  const unscripted = await plain.newPage();
  await unscripted.goto(link);
  await expect(unscripted).toHaveURL(new RegExp(`/api${link}/plain$`));
  await expect(unscripted.getByRole('heading', { name: `Proof of “${name}”` })).toBeVisible();
  await expect(unscripted.getByText('answer “Approve” or “Decline”')).toBeVisible();
  await expect(unscripted.getByText('answer the message that brought you here')).toBeVisible();
  await expect(unscripted.getByRole('button')).toHaveCount(0);

  const reader = await readerOf(browser, desk);
  await reader.goto(link);
  await drawn(reader);
  await decide(reader, 'Approve');
  await becomes(page, id, /^Completed/);
  await unscripted.goto(link);
  await expect(unscripted.getByText(/^“Approve”: Carla Rossi, /)).toBeVisible();
  await expect(unscripted.getByText(new RegExp(`^https?://.*${link}/certificate\\.pdf$`))).toBeVisible();
  await unscripted.getByRole('button', { name: 'Have the receipt made' }).click();
  // The page looks again by itself until it is made.
  const made = unscripted.getByRole('link', { name: 'Download the receipt' });
  await expect(made).toBeVisible({ timeout: 90_000 });
  const loading = unscripted.waitForEvent('download');
  await made.click();
  const loaded = await (await loading).path();
  expect((await readFile(loaded)).subarray(0, 5).toString()).toBe('%PDF-');

  // The same page, where scripts can look at it.
  await reader.goto(`/api${link}/plain`);
  for (const theme of ['light', 'dark'] as const)
    for (const viewport of [desk, phone]) {
      await reader.setViewportSize(viewport);
      await reader.emulateMedia({ colorScheme: theme });
      await reader.screenshot({ path: test.info().outputPath(`plain-${theme}-${viewport.width}.png`), fullPage: true });
      expect(await axeFaults(reader, theme === 'light')).toEqual([]);
      expect(await clippedTexts(reader)).toEqual([]);
    }
  await Promise.all([plain.close(), reader.context().close()]);
});

test('without a connection the page says so, and keeps what is being written', {
  tag: '@night',
}, async ({ page, context, browser }) => {
  await enter(page, context);
  const workflowId = await makeProvingWorkflow(page, addressOf('Yara'));
  const id = await submit(page, workflowId, `flag-${mark}.pdf`);
  await becomes(page, id, /^OnHold$/);
  const reader = await readerOf(browser, desk);
  await reader.goto(await linkFor(page, addressOf('Yara')));
  await drawn(reader);
  await about(reader)
    .getByRole('tab', { name: /^Notes/ })
    .click();
  await about(reader).getByRole('button', { name: 'Write a note' }).click();
  await about(reader).getByLabel('What should change').fill('Half a sentence');
  await reader.context().setOffline(true);
  await expect(reader.getByText(/^You are offline at the moment/)).toBeVisible({ timeout: 90_000 });
  await isSound(reader, 'offline');
  await reader.context().setOffline(false);
  await expect(reader.getByText(/^You are offline at the moment/)).toBeHidden({ timeout: 90_000 });
  await expect(about(reader).getByLabel('What should change')).toHaveValue('Half a sentence');
  await about(reader).getByRole('button', { name: 'Save the note' }).click();
  await expect(about(reader).getByRole('listitem').filter({ hasText: 'Half a sentence' })).toHaveCount(1);
  await reader.context().close();
});

test('pages that are not made yet: the page says so, and shows them by itself as soon as they are there', {
  tag: '@night',
}, async ({ page, context, browser }) => {
  await enter(page, context);
  const workflowId = await makeProvingWorkflow(page, addressOf('Wim'));
  const name = `early-${mark}.pdf`;
  const id = await submit(page, workflowId, name);
  await becomes(page, id, /^OnHold$/);
  const link = await linkFor(page, addressOf('Wim'));
  for (const [device, viewport] of Object.entries({ desktop: desk, phone })) {
    const reader = await readerOf(browser, viewport);
    // As the server answers until a worker has looked at the file.
    const errors = [{ code: 'page.notReady', message: 'The page is being made.', params: {} }];
    const pages = /\/api\/client-proofing\/[^/]+\/[^/]+\/pages(\?|$)/;
    await reader.route(pages, (route) =>
      route.fulfill({ status: 202, json: { success: false, result: null, errors } }),
    );
    await reader.goto(link);
    await expect(title(reader, name)).toBeVisible();
    await expect(reader.getByRole('heading', { level: 2, name: 'Your pages are being made' })).toBeVisible();
    await isSound(reader, `not-ready-${device}`);
    let loads = 0;
    reader.on('load', () => (loads += 1));
    await reader.unroute(pages);
    await drawn(reader);
    await expect(reader.getByText('Your pages are being made')).toHaveCount(0);
    expect(loads).toBe(0);
    await reader.context().close();
  }
});

test('a link that has expired, one whose order was deleted, and one that never was', { tag: '@night' }, async ({
  page,
  context,
  browser,
}) => {
  await enter(page, context);
  const workflowId = await makeProvingWorkflow(page, addressOf('Xenia'));
  const name = `stamp-${mark}.pdf`;
  const id = await submit(page, workflowId, name);
  await becomes(page, id, /^OnHold$/);
  const reader = await openAs(page, browser, 'Xenia');
  await expect(title(reader, name)).toBeVisible();

  const expiresIn = (interval: string) =>
    inDatabase('update proof_recipients set link_expires_at = now() + $2::interval where session_id = $1', [
      id,
      interval,
    ]);
  await expiresIn('-1 minute');
  await reader.reload();
  await expect(reader.getByRole('heading', { name: 'This link has expired' })).toBeVisible();
  await isSoundOnBoth(reader, 'expired');

  await expiresIn('1 day');
  await reader.reload();
  await expect(title(reader, name)).toBeVisible();
  await ask(page, 'DELETE', `/sessions/${id}`);
  await reader.reload();
  await expect(reader.getByText('The proof is unavailable when the order was deleted.')).toBeVisible();
  await isSoundOnBoth(reader, 'deleted');

  await reader.goto('/client-proofing/nothing/nowhere');
  await expect(reader.getByRole('heading', { name: 'This link leads to no proof' })).toBeVisible();
  await isSoundOnBoth(reader, 'unknown');
  await reader.context().close();
});
