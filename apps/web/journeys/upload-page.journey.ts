import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { appendFile, writeFile } from 'node:fs/promises';
import { type ClientRequest, request } from 'node:http';
import { type Browser, expect, type Page } from 'playwright/test';
import { makePublished, stepOf } from './drafting.ts';
import { ask, enter, patience, test, tokenOf } from './house.ts';
import { isSound, themeFollows } from './looks.ts';
import { makePdf } from './make-pdf.ts';

const mark = Date.now().toString(36);

/** A customer's own browser, which knows nothing of the house. */
async function customerOf(browser: Browser, viewport: { width: number; height: number }): Promise<Page> {
  const context = await browser.newContext({ viewport });
  await themeFollows(context);
  return context.newPage();
}

const pdf = (name: string, texts: readonly string[], padding = 0) => ({
  name,
  mimeType: 'application/pdf',
  buffer: Buffer.concat([makePdf(texts), randomBytes(padding)]),
});

const fileBytes = process.env.NIGHT ? 300e6 : 6e6;

/** A file on the disk, as a browser reads what people choose. */
async function largePdf(name: string, path: string, bytes = fileBytes): Promise<string> {
  await writeFile(path, makePdf([name]));
  for (let at = 0; at < bytes; at += 1e6) await appendFile(path, randomBytes(1e6));
  return path;
}

const variables = [
  { name: 'Quantity', type: 'Number', isRequired: true, isPublic: true },
  { name: 'Paper', type: 'Select', options: ['Matt 300 g', 'Gloss 300 g'], default: 'Matt 300 g', isPublic: true },
  { name: 'Margin', type: 'Number', default: 12 },
];

async function makePage(page: Page, name: string): Promise<{ id: string; slug: string }> {
  const steps = [stepOf('Inject'), stepOf('Complete')];
  const ways = ['inject done complete'];
  const cards = await makePublished(page, { name: `Business cards ${name}`, steps, ways, variables });
  const posters = await makePublished(page, { name: `Posters ${name}`, steps, ways });
  const slug = `${name}-${mark}`;
  const { id } = await ask<{ id: string }>(page, 'POST', '/organizations', {
    name: `Print house ${name}`,
    color: '#a4508b',
    uploadPage: { isPublic: true, slug, workflowIds: [cards, posters], defaults: { Quantity: 250 } },
  });
  return { id, slug };
}

const choose = (page: Page, files: Parameters<ReturnType<Page['locator']>['setInputFiles']>[0]) =>
  page.locator('input[type=file]').setInputFiles(files);
const line = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Files' }).getByRole('listitem').filter({ hasText: name });

test('a customer sends files with what they are for, and the operator finds them by the reference', async ({
  page,
  context,
  browser,
}) => {
  await enter(page, context);
  const { slug } = await makePage(page, 'desk');
  const customer = await customerOf(browser, { width: 1440, height: 900 });
  await customer.goto(`/upload/${slug}`);
  await expect(customer.getByRole('heading', { level: 1, name: 'Send files to Print house desk' })).toBeVisible();
  await isSound(customer, 'empty');

  // What is missing is told where it is missing.
  await customer.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(customer.getByRole('textbox', { name: 'Name' })).toHaveAttribute('aria-invalid', 'true');
  await expect(customer.getByText('Please choose what the files are for.')).toBeVisible();
  await isSound(customer, 'missing');

  await choose(customer, [
    pdf(`card-${mark}.pdf`, ['Front', 'Back']),
    { name: 'notes.docx', mimeType: 'application/msword', buffer: Buffer.from('no') },
  ]);
  // The browser itself draws the page and tells its size.
  await expect(line(customer, `card-${mark}.pdf`)).toContainText('2 pages · 148 mm × 210 mm', { timeout: patience });
  await expect(line(customer, `card-${mark}.pdf`).locator('img')).toBeVisible();
  await expect(line(customer, 'notes.docx').getByRole('alert')).toContainText('PDF');
  await customer.getByRole('radio', { name: 'Business cards desk' }).check();
  await expect(customer.getByRole('textbox', { name: 'Quantity' })).toHaveValue('250');
  await expect(customer.getByText('Margin')).toHaveCount(0);
  await customer.getByRole('textbox', { name: 'Quantity' }).fill('500');
  await customer.getByRole('textbox', { name: 'Name' }).fill('Ana Lima');
  await customer.getByRole('textbox', { name: 'E-mail' }).fill('ana@lima.example');
  await customer.getByRole('textbox', { name: 'Message' }).fill('By Friday, please.');
  await isSound(customer, 'filled');
  await customer.getByRole('button', { name: 'Send 1 file' }).click();
  await expect(customer.getByText('Not all files can be sent.')).toBeVisible();
  await customer.getByRole('button', { name: 'Remove notes.docx' }).click();
  await customer.getByRole('button', { name: 'Send 1 file' }).click();

  await expect(customer.getByRole('heading', { level: 1, name: 'Thank you' })).toBeVisible({ timeout: patience });
  const reference = (await customer.getByText(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/).textContent()) ?? '';
  await isSound(customer, 'receipt');
  // The receipt outlasts a reload.
  await customer.reload();
  await expect(customer.getByText(reference)).toBeVisible();
  await customer.getByRole('button', { name: 'Send more files' }).click();
  await expect(customer.getByRole('button', { name: 'Send', exact: true })).toBeVisible();
  await customer.context().close();

  await page.goto(`/workflows/sessions?search=${reference}`);
  await page
    .getByRole('link', { name: `card-${mark}.pdf` })
    .first()
    .click();
  await expect(page.getByRole('heading', { level: 1, name: `card-${mark}.pdf` })).toBeVisible();
  await page.getByRole('tab', { name: 'Variables' }).click();
  for (const text of ['500', 'Matt 300 g', 'ana@lima.example', 'By Friday, please.'])
    await expect(page.getByRole('tabpanel').getByText(text)).toBeVisible();
});

const where = {
  phone: { size: { width: 390, height: 844 }, details: {} },
  desktop: { size: { width: 1440, height: 900 }, details: { tag: '@night' } },
};
for (const [device, { size, details }] of Object.entries(where))
  test(
    `on a ${device}, a file of ${fileBytes / 1e6} MB is cut off by a reload, goes on, and is sent when it has arrived`,
    details,
    async ({ page, context, browser }) => {
      test.setTimeout(20 * 60_000);
      await enter(page, context);
      const { slug } = await makePage(page, device);
      const customer = await customerOf(browser, size);
      await customer.addInitScript(() => {
        const { wakeLock } = navigator;
        const request = wakeLock.request.bind(wakeLock);
        wakeLock.request = (kind) => {
          document.documentElement.dataset.awake = kind;
          return request(kind);
        };
      });
      await customer.goto(`/upload/${slug}`);
      const throttle = await customer.context().newCDPSession(customer);
      await throttle.send('Network.enable');
      const speed = (uploadThroughput: number) =>
        throttle.send('Network.emulateNetworkConditions', {
          offline: false,
          latency: 0,
          downloadThroughput: -1,
          uploadThroughput,
        });
      await speed(fileBytes / 15);
      const name = `long-${device}-${mark}.pdf`;
      const file = await largePdf(name, test.info().outputPath(name));
      await choose(customer, file);
      const bar = customer.getByRole('progressbar', { name });
      await expect
        .poll(async () => Number(await bar.getAttribute('aria-valuenow')), { intervals: [100], timeout: patience })
        .toBeGreaterThan(5);
      await expect(customer.locator('html'), 'the phone is asked to stay awake').toHaveAttribute(
        'data-awake',
        'screen',
      );
      await customer.getByRole('button', { name: `Pause: ${name}` }).click();
      await expect(customer.getByText(/^Paused at \d+/)).toBeVisible();
      await isSound(customer, `${device}-paused`);

      // The reloaded page no longer has the file; the server keeps the uploaded part.
      customer.on('dialog', (dialog) => void dialog.accept());
      await customer.reload();
      await expect(line(customer, name)).toContainText('Choose the same file again to continue');
      await customer.getByRole('radio', { name: `Posters ${device}` }).check();
      await customer.getByRole('textbox', { name: 'Name' }).fill(`Ben Okoye ${device}`);
      await customer.getByRole('textbox', { name: 'E-mail' }).fill('ben@okoye.example');
      const begun = customer.waitForRequest((request) => request.method() === 'PATCH');
      await choose(customer, file);
      await customer.getByRole('button', { name: 'Send when uploaded' }).click();
      await expect(customer.getByText(/sent as soon as they are uploaded/)).toBeVisible();
      await speed(-1);
      expect(Number((await (await begun).allHeaders())['upload-offset'])).toBeGreaterThan(0);
      await expect(customer.getByRole('heading', { level: 1, name: 'Thank you' })).toBeVisible({ timeout: patience });
      await isSound(customer, `${device}-receipt`);
      await customer.context().close();
      const { items } = await ask<{ items: { fileName: string }[] }>(
        page,
        'GET',
        `/sessions?search=${encodeURIComponent(`Ben Okoye ${device}`)}`,
      );
      expect(items.map(({ fileName }) => fileName)).toContain(name);
    },
  );

for (const [device, { size }] of Object.entries(where))
  test(`on a ${device}, a service that asks for much is gone through step by step, by keyboard @night`, async ({
    page,
    context,
    browser,
  }) => {
    test.setTimeout(patience * 2);
    await enter(page, context);
    const many = Array.from({ length: 7 }, (_, no) => ({
      ...{ name: `Question${no + 1}`, type: 'String', isPublic: true, isRequired: no === 6 },
    }));
    const workflow = await makePublished(page, {
      name: `Books ${device}`,
      steps: [stepOf('Inject'), stepOf('Complete')],
      ways: ['inject done complete'],
      variables: many,
    });
    const slug = `steps-${device}-${mark}`;
    await ask(page, 'POST', '/organizations', {
      name: `Steps ${device}`,
      uploadPage: { isPublic: true, slug, workflowIds: [workflow] },
    });
    const customer = await customerOf(browser, size);
    await customer.goto(`/upload/${slug}`);
    const head = (name: string) => customer.getByRole('heading', { level: 2, name });
    const press = (name: string) => customer.getByRole('button', { name, exact: true }).press('Enter');
    await expect(head('Step 1 of 3: Files')).toBeVisible();
    await expect(customer.getByRole('textbox', { name: 'Name' })).toBeHidden();
    await press('Next');
    await expect(customer.getByText('Please add a file.')).toBeVisible();
    await isSound(customer, `${device}-files`);

    // What a reload has interrupted is removed at the server, too.
    const throttle = await customer.context().newCDPSession(customer);
    await throttle.send('Network.enable');
    const speed = (uploadThroughput: number) =>
      throttle.send('Network.emulateNetworkConditions', {
        ...{ offline: false, latency: 0, downloadThroughput: -1, uploadThroughput },
      });
    await speed(2e6);
    const lost = `lost-${device}-${mark}.pdf`;
    await choose(customer, pdf(lost, ['Lost'], 20e6));
    await customer.waitForRequest((asked) => asked.method() === 'PATCH' && asked.headers()['upload-offset'] !== '0');
    await customer.getByRole('button', { name: `Pause: ${lost}` }).click();
    customer.on('dialog', (dialog) => void dialog.accept());
    await customer.reload();
    await expect(line(customer, lost)).toContainText('Choose the same file again to continue');
    await speed(-1);
    const removed = customer.waitForResponse((answer) => answer.request().method() === 'DELETE');
    await customer.getByRole('button', { name: `Remove ${lost}` }).click();
    expect((await removed).status()).toBe(204);
    await customer.reload();
    await expect(head('Step 1 of 3: Files')).toBeVisible();
    await expect(line(customer, lost)).toHaveCount(0);

    const name = `book-${device}-${mark}.pdf`;
    await choose(customer, pdf(name, ['Book']));
    await arrives(customer, name);
    await press('Next');
    await expect(head('Step 2 of 3: Details')).toBeFocused();
    await press('Next');
    await expect(customer.getByRole('textbox', { name: 'Question7' })).toHaveAttribute('aria-invalid', 'true');
    await customer.getByRole('textbox', { name: 'Question1' }).fill('Hard cover');
    await customer.getByRole('textbox', { name: 'Question7' }).fill('By rail');
    await isSound(customer, `${device}-details`);
    await customer.getByRole('textbox', { name: 'Question7' }).press('Enter');
    await expect(head('Step 3 of 3: Send')).toBeFocused();
    await isSound(customer, `${device}-send`);
    // Going back loses nothing.
    await press('2 Details');
    await expect(customer.getByRole('textbox', { name: 'Question1' })).toHaveValue('Hard cover');
    await press('Back');
    await expect(line(customer, name)).toBeVisible();
    await press('Next');
    await press('Next');
    await press('Send 1 file');
    await expect(customer.getByRole('textbox', { name: 'Name' })).toHaveAttribute('aria-invalid', 'true');
    await customer.getByRole('textbox', { name: 'Name' }).fill('Dora Steps');
    await customer.getByRole('textbox', { name: 'E-mail' }).fill('dora@steps.example');
    await press('Send 1 file');
    await expect(customer.getByRole('heading', { level: 1, name: 'Thank you' })).toBeVisible({ timeout: patience });
    await customer.context().close();
    const { items } = await ask<{ items: { fileName: string }[] }>(page, 'GET', `/sessions?search=${name}`);
    expect(items.map(({ fileName }) => fileName)).toEqual([name]);
  });

/** The line of a file goes on by itself until it has arrived. */
const arrives = (page: Page, name: string) =>
  expect(line(page, name).getByLabel('Uploaded')).toBeVisible({ timeout: patience });
const shareOf = (page: Page, name: string) =>
  page.getByRole('progressbar', { name }).getAttribute('aria-valuenow').then(Number);

/** More than one piece of 8 MiB: what has been taken of the file before the cut is kept. */
const cutBytes = process.env.NIGHT ? 300e6 : 20e6;
const piece = 8 * 1024 ** 2;

for (const [device, { size, details }] of Object.entries(where))
  test(
    `on a ${device}, a file of ${cutBytes / 1e6} MB waits while the network is gone, goes on by itself where it was, and is sent`,
    details,
    async ({ page, context, browser }) => {
      test.setTimeout(20 * 60_000);
      await enter(page, context);
      const { slug } = await makePage(page, `cut-${device}`);
      const customer = await customerOf(browser, size);
      await customer.goto(`/upload/${slug}`);
      const throttle = await customer.context().newCDPSession(customer);
      await throttle.send('Network.enable');
      const speed = (uploadThroughput: number) =>
        throttle.send('Network.emulateNetworkConditions', {
          ...{ offline: false, latency: 0, downloadThroughput: -1, uploadThroughput },
        });
      const name = `cut-${device}-${mark}.pdf`;
      await speed(cutBytes / 10);
      await choose(customer, await largePdf(name, test.info().outputPath(name), cutBytes));
      const begun = (least: number) =>
        customer.waitForRequest(
          (asked) => asked.method() === 'PATCH' && Number(asked.headers()['upload-offset']) >= least,
          { timeout: patience },
        );
      await begun(piece);
      await customer.context().setOffline(true);
      await expect(line(customer, name)).toContainText(/No network at \d+.*goes on by itself/);
      const share = await shareOf(customer, name);
      expect(share).toBeGreaterThan(0);
      await isSound(customer, `${device}-offline`);
      await customer.getByRole('radio', { name: `Posters cut-${device}` }).check();
      await customer.getByRole('textbox', { name: 'Name' }).fill(`Cara Cut ${device}`);
      await customer.getByRole('textbox', { name: 'E-mail' }).fill('cara@cut.example');
      await customer.getByRole('button', { name: 'Send when uploaded' }).click();
      const resumed = customer.waitForRequest((asked) => asked.method() === 'PATCH');
      await customer.context().setOffline(false);
      // What was taken before is not sent again.
      expect(Number((await resumed).headers()['upload-offset'])).toBeGreaterThanOrEqual(piece);
      await speed(-1);
      await expect(customer.getByRole('heading', { level: 1, name: 'Thank you' })).toBeVisible({ timeout: patience });
      await customer.context().close();
      const { items } = await ask<{ items: { id: string; fileName: string }[] }>(
        page,
        'GET',
        `/sessions?search=${encodeURIComponent(`Cara Cut ${device}`)}`,
      );
      expect(items.map(({ fileName }) => fileName)).toEqual([name]);
      // Every byte came once and in its place.
      const { files } = await ask<{ files: { kind: string; sha256: string }[] }>(
        page,
        'GET',
        `/sessions/${items[0]?.id}`,
      );
      const hash = createHash('sha256');
      for await (const part of createReadStream(test.info().outputPath(name))) hash.update(part as Buffer);
      expect(files.find(({ kind }) => kind === 'OriginalFile')?.sha256).toBe(hash.digest('hex'));
    },
  );

test('where three files are uploaded from the same address, the next waits for its turn and then goes on', async ({
  page,
  context,
  browser,
  baseURL,
}) => {
  test.setTimeout(patience * 2);
  await enter(page, context);
  const { slug } = await makePage(page, 'turns');
  // Others in the same office, on slow lines: a byte every second.
  const api = `${baseURL}/api`;
  const size = 100_000;
  const tus = { 'tus-resumable': '1.0.0' };
  const slow: { sent: ClientRequest; timer: NodeJS.Timeout }[] = [];
  const others = await customerOf(browser, { width: 1440, height: 900 });
  await others.goto(`/upload/${slug}`);
  await choose(others, pdf(`other-${mark}.pdf`, ['Other']));
  const begun = await others.waitForResponse((answer) => /\/upload-visits\/[^/]+\/files$/.test(answer.url()));
  const visit = new URL(begun.url()).pathname.split('/').at(-2) ?? '';
  await arrives(others, `other-${mark}.pdf`);
  try {
    for (let no = 0; no < 3; no += 1) {
      const answer = await page.request.post(`/api/upload-visits/${visit}/files`, {
        headers: { ...tus, 'upload-length': String(size), 'upload-metadata': `filename ${btoa(`slow-${no}.pdf`)}` },
      });
      expect(answer.status()).toBe(201);
      const headers = { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' };
      const sent = request(`${new URL(api).origin}${answer.headers().location}`, {
        method: 'PATCH',
        headers: { ...headers, 'content-length': size },
      });
      sent.on('error', () => undefined);
      sent.write('x');
      slow.push({ sent, timer: setInterval(() => sent.write('x'), 1_000) });
    }
    const customer = await customerOf(browser, { width: 390, height: 844 });
    await customer.goto(`/upload/${slug}`);
    const name = `turn-${mark}.pdf`;
    await choose(customer, pdf(name, ['Turn']));
    await expect(line(customer, name)).toContainText(/Waits at 0\s?%: goes on by itself as soon as there is room/);
    await isSound(customer, 'held');
    const [first] = slow;
    clearInterval(first?.timer);
    first?.sent.destroy();
    await arrives(customer, name);
    await customer.context().close();
  } finally {
    for (const { sent, timer } of slow) {
      clearInterval(timer);
      sent.destroy();
    }
    await others.context().close();
  }
});

test('a private page is one that is not there, until its code is given', async ({ page, context, browser }) => {
  await enter(page, context);
  const { id, slug } = await makePage(page, 'private');
  const headers = { authorization: `Bearer ${await tokenOf(page)}` };
  const made = await page.request.post(`/api/organizations/${id}/upload-code`, { headers });
  const { code } = ((await made.json()) as { result: { code: string } }).result;
  const customer = await customerOf(browser, { width: 1440, height: 900 });
  await customer.goto('/upload/nobody-has-this');
  await expect(customer.getByRole('heading', { level: 1, name: 'This page is not open' })).toBeVisible();
  const unknown = await customer.getByRole('main').textContent();
  await customer.goto(`/upload/${slug}`);
  await expect(customer.getByRole('heading', { level: 1, name: 'This page is not open' })).toBeVisible();
  expect(await customer.getByRole('main').textContent()).toBe(unknown);
  await customer.getByRole('textbox', { name: 'Code' }).fill('wrong');
  await customer.getByRole('button', { name: 'Open the page' }).click();
  await expect(customer.getByText('No page opens with this address and this code.')).toBeVisible();
  await isSound(customer, 'private');
  await customer.getByRole('textbox', { name: 'Code' }).fill(code);
  await customer.getByRole('button', { name: 'Open the page' }).click();
  await expect(customer.getByRole('heading', { level: 1, name: 'Send files to Print house private' })).toBeVisible();

  // The link of the house holds the code, which the page takes out of the address.
  await customer.goto('about:blank');
  await customer.goto(`/upload/${slug}#code=${code}`);
  await expect(customer.getByRole('heading', { level: 1, name: 'Send files to Print house private' })).toBeVisible();
  expect(customer.url()).not.toContain(code);
  await customer.context().close();
});
