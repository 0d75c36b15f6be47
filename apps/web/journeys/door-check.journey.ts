import { type Browser, expect, type Page } from 'playwright/test';
import { makePublished, stepOf } from './drafting.ts';
import { ask, enter, patience, test } from './house.ts';
import { isSound, themeFollows } from './looks.ts';
import { makePdf } from './make-pdf.ts';

const mark = Date.now().toString(36);

/** A customer's own browser, which knows nothing of the house. */
async function customerOf(browser: Browser, viewport: { width: number; height: number }): Promise<Page> {
  const context = await browser.newContext({ viewport });
  await themeFollows(context);
  return context.newPage();
}

/** Text in a font that is not embedded is an error; an empty text gives a page in which nothing is found. */
const pdf = (name: string, texts: readonly string[]) => ({ name, mimeType: 'application/pdf', buffer: makePdf(texts) });

/** An upload page whose only workflow checks files at the door. */
async function makePage(page: Page, name: string, doorCheck: string): Promise<string> {
  const { items } = await ask<{ items: { id: string }[] }>(
    page,
    'GET',
    '/profiles/preflight?search=Standard%20preflight',
  );
  const workflow = await makePublished(page, {
    name: `Cards ${name}`,
    steps: [stepOf('Inject', { doorCheck }), stepOf('Preflight', { profileId: items[0]?.id }), stepOf('Complete')],
  });
  const slug = `door-${name}-${mark}`;
  await ask(page, 'POST', '/organizations', {
    name: `Door ${name}`,
    uploadPage: { isPublic: true, slug, workflowIds: [workflow] },
  });
  return slug;
}

const choose = (page: Page, file: ReturnType<typeof pdf>) =>
  page.locator('input[type=file]').first().setInputFiles(file);

async function fillIn(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Name' }).fill('Ana Lima');
  await page.getByRole('textbox', { name: 'E-mail' }).fill('ana@lima.example');
}

const thanks = (page: Page) => page.getByRole('heading', { level: 1, name: 'Thank you' });

for (const { where, viewport } of [
  { where: 'desk', viewport: { width: 1440, height: 900 } },
  { where: 'phone', viewport: { width: 390, height: 844 } },
]) {
  test(`${where}: a customer sees what is wrong with a file, replaces it, and sends the good one`, {
    tag: where === 'phone' ? [] : '@night',
  }, async ({ page, context, browser }) => {
    await enter(page, context);
    const slug = await makePage(page, where, 'demand');
    const customer = await customerOf(browser, viewport);
    await customer.goto(`/upload/${slug}`);
    const name = `bad-${mark}.pdf`;
    await choose(customer, pdf(name, ['Card']));
    await expect(customer.getByText('This file cannot be taken like this.')).toBeVisible({ timeout: patience });
    const found = customer.getByRole('list', { name: `Found in ${name}` });
    await expect(found.getByText('Problem:').first()).toBeVisible();
    await expect(found.getByRole('img', { name: 'Page 1 with the place marked' }).first()).toBeVisible();
    // A picture that did not come has no width.
    const picture = found.locator('img').first();
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100);
    await expect(customer.getByRole('checkbox', { name: /^I know/ })).toHaveCount(0);
    await isSound(customer, `${where}-refused`);

    await fillIn(customer);
    await customer.getByRole('button', { name: 'Send 1 file' }).click();
    await expect(customer.getByText('Not all files can be sent.')).toBeVisible();
    const [chooser] = await Promise.all([
      customer.waitForEvent('filechooser'),
      customer.getByRole('button', { name: `Replace ${name}` }).click(),
    ]);
    await chooser.setFiles(pdf(`good-${mark}.pdf`, ['']));
    await expect(customer.getByText(name)).toHaveCount(0);
    // Sent before the verdict is there, it goes as soon as it is.
    await customer.getByRole('button', { name: /^Send/ }).click();
    await expect(thanks(customer)).toBeVisible({ timeout: patience });
    await customer.context().close();
  });
}

test('where errors may be sent, the customer says so, and the operator sees that', { tag: '@night' }, async ({
  page,
  context,
  browser,
}) => {
  await enter(page, context);
  const slug = await makePage(page, 'known', 'show');
  const customer = await customerOf(browser, { width: 390, height: 844 });
  await customer.goto(`/upload/${slug}`);
  const name = `known-${mark}.pdf`;
  await choose(customer, pdf(name, ['Card']));
  const known = customer.getByRole('checkbox', { name: `I know. Please take ${name} all the same.` });
  await expect(known).toBeVisible({ timeout: patience });
  await isSound(customer, 'known');
  await fillIn(customer);
  await customer.getByRole('button', { name: 'Send 1 file' }).click();
  await expect(customer.getByText('Not all files can be sent.')).toBeVisible();
  await known.check();
  await customer.getByRole('button', { name: 'Send 1 file' }).click();
  await expect(thanks(customer)).toBeVisible({ timeout: patience });
  const reference = (await customer.getByText(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/).textContent()) ?? '';
  await customer.context().close();

  await page.goto(`/workflows/sessions?search=${reference}`);
  await page.getByRole('link', { name }).first().click();
  await expect(page.getByText(/the sender saw \d+ errors? in this file and sent it all the same/)).toBeVisible();
});

test('a file that is no PDF gets its sentence, and what is not checked is sent as before', { tag: '@night' }, async ({
  page,
  context,
  browser,
}) => {
  await enter(page, context);
  const customer = await customerOf(browser, { width: 1440, height: 900 });
  await customer.goto(`/upload/${await makePage(page, 'letter', 'demand')}`);
  await choose(customer, { name: 'letter.pdf', mimeType: 'application/pdf', buffer: Buffer.from('Dear printer') });
  await expect(customer.getByText('The file is not a PDF.')).toBeVisible({ timeout: patience });

  await customer.goto(`/upload/${await makePage(page, 'off', 'off')}`);
  await choose(customer, pdf(`off-${mark}.pdf`, ['Card']));
  await expect(customer.getByText('1 page')).toBeVisible({ timeout: patience });
  await fillIn(customer);
  await customer.getByRole('button', { name: 'Send 1 file' }).click();
  await expect(thanks(customer)).toBeVisible({ timeout: patience });
  await customer.context().close();
});
