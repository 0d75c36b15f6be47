import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, type Page } from 'playwright/test';
import { makePublished, stepOf } from './drafting.ts';
import { ask, patience, sampleWorkflow, test } from './house.ts';
import { makePdf } from './make-pdf.ts';

const refusal = 'You do not have a valid token to access this page.';

interface Made {
  id: string;
  token: string;
}
const makeToken = (page: Page, origins: readonly string[], permissions: readonly string[] = ['sessions.view']) =>
  ask<Made>(page, 'POST', '/embed-tokens', { name: 'Journey', origins, permissions });

/** Another website: its page embeds the address in its query and records the messages of the frame. */
async function openSite(): Promise<{ origin: string; showing: (address: string) => string; close: () => void }> {
  const server = http.createServer((request, response) => {
    const shown = new URL(request.url ?? '', 'http://site').searchParams.get('shown') ?? '';
    response.setHeader('content-type', 'text/html').end(`<!doctype html><title>Shop</title>
      <script>window.heard = []; addEventListener('message', (event) => heard.push({ from: event.origin, ...event.data }));</script>
      <iframe title="Orders" src="${shown.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}" style="width: 900px; height: 600px"></iframe>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    showing: (address) => `${origin}/?shown=${encodeURIComponent(address)}`,
    close: () => server.close(),
  };
}

test('an embedded page shows only its content, and its token is in no address, history or storage', async ({
  page,
}) => {
  const { token } = await makeToken(page, ['https://shop.example']);
  // What the token does not permit is not asked for.
  const refused: string[] = [];
  page.on('response', (response) => response.status() === 403 && refused.push(response.url()));
  await page.goto(`/workflows/sessions?embed=true&lang=fr&token=${token}&expiredDate=2030-01-01`);
  await expect(page.getByRole('heading', { name: 'Sessions' })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Navigation' })).toHaveCount(0);
  await expect(page.getByRole('banner')).toHaveCount(0);
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  const kept = () =>
    page.evaluate(() =>
      JSON.stringify([location.href, { ...localStorage }, { ...sessionStorage }, history.state, document.cookie]),
    );
  expect(await kept()).not.toContain(token);
  // Links inside the frame keep the embedded mode.
  await page.getByRole('row').nth(1).getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Sessions');
  await expect(page.getByRole('banner')).toHaveCount(0);
  // The history has the address without the token.
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Sessions' })).toBeVisible();
  expect(await kept()).not.toContain(token);
  expect(refused).toEqual([]);
  // Actions that the token does not permit are not shown.
  await page.goto(`/role?embed=true&token=${token}`);
  await expect(page.getByText('roles.view')).toBeVisible();
});

test('the page is shown on the sites that its token names and on no other, and is closed when the token is revoked', async ({
  page,
  browser,
  baseURL,
}) => {
  const [shop, other] = [await openSite(), await openSite()];
  const { id, token } = await makeToken(page, [shop.origin]);
  const address = `${baseURL}/workflows/sessions?embed=true&token=${token}`;
  // A browser context of their own, because requests to these sites are expected.
  const context = await browser.newContext();
  const outside = await context.newPage();
  const heard = () =>
    outside.evaluate(() => (window as unknown as { heard: { from: string; kind: string; path: string }[] }).heard);

  await outside.goto(shop.showing(address));
  const inside = outside.frameLocator('iframe');
  await expect(inside.getByRole('heading', { name: 'Sessions' })).toBeVisible();
  await expect
    .poll(async () => (await heard()).map(({ kind }) => kind))
    .toEqual(expect.arrayContaining(['navigate', 'resize']));
  for (const message of await heard()) expect(message).toMatchObject({ from: baseURL, path: '/workflows/sessions' });

  await ask(page, 'DELETE', `/embed-tokens/${id}`);
  // The event stream checks the token every few seconds; then the data are requested again.
  await expect(inside.getByRole('alert')).toContainText(refusal);

  await outside.goto(other.showing(address));
  await expect.poll(() => outside.frames()[1]?.url()).toBe('chrome-error://chromewebdata/');
  expect(await heard()).toEqual([]);
  await context.close();
  shop.close();
  other.close();
});

test('an upload page takes files inside the site that its organization names, and is shown on no other', async ({
  page,
  browser,
  baseURL,
}) => {
  const [shop, other] = [await openSite(), await openSite()];
  const mark = Date.now().toString(36);
  const workflow = await makePublished(page, { name: `Framed ${mark}`, steps: [stepOf('Inject'), stepOf('Complete')] });
  const slug = `framed-${mark}`;
  await ask(page, 'POST', '/organizations', {
    ...{ name: `Framed ${mark}`, color: '#0d9494' },
    uploadPage: { isPublic: true, slug, workflowIds: [workflow], frameOrigins: [shop.origin] },
  });
  const address = `${baseURL}/upload/${slug}`;
  const context = await browser.newContext();
  const outside = await context.newPage();
  try {
    await outside.goto(shop.showing(address));
    const inside = outside.frameLocator('iframe');
    const name = `framed-${mark}.pdf`;
    await inside
      .locator('input[type=file]')
      .setInputFiles([{ name, mimeType: 'application/pdf', buffer: makePdf(['Framed']) }]);
    await inside.getByRole('textbox', { name: 'Name' }).fill('Fay Frame');
    await inside.getByRole('textbox', { name: 'E-mail' }).fill('fay@frame.example');
    await inside.getByRole('button', { name: /^Send/ }).click();
    await expect(inside.getByRole('heading', { level: 1, name: 'Thank you' })).toBeVisible({ timeout: patience });
    const found = await ask<{ items: { fileName: string }[] }>(page, 'GET', '/sessions?search=Fay');
    expect(found.items.map(({ fileName }) => fileName)).toContain(name);

    await outside.goto(other.showing(address));
    await expect.poll(() => outside.frames()[1]?.url()).toBe('chrome-error://chromewebdata/');
  } finally {
    await context.close();
    shop.close();
    other.close();
  }
});

test('a page embedded for what is submitted there lists those files alone', { tag: '@night' }, async ({ page }) => {
  const { token } = await makeToken(page, ['https://shop.example'], ['sessions.view', 'sessions.inject']);
  const exchange = await page.request.post('/api/TokenAuth/embed', { data: { token } });
  const { result } = (await exchange.json()) as { result: { authToken: string } };
  const { items } = await ask<{ items: { id: string; name: string }[] }>(page, 'GET', '/workflows?pageSize=100');
  const name = `from-the-shop-${Date.now().toString(36)}.pdf`;
  const answer = await page.request.post('/api/sessions', {
    headers: { authorization: `Bearer ${result.authToken}` },
    multipart: {
      workflowId: items.find((workflow) => sampleWorkflow.test(workflow.name))?.id ?? '',
      file: { name, mimeType: 'application/pdf', buffer: makePdf(['']) },
    },
  });
  expect(answer.status()).toBe(201);
  await page.goto(`/workflows/sessions?mine=true&embed=true&token=${token}`);
  await expect(page.getByRole('button', { name: 'My files' })).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByRole('row').filter({ hasText: name })).toBeVisible();
  // Its head and this one.
  await expect(page.getByRole('row')).toHaveCount(2);
});

test('an embedded page without a valid token shows an error and does not redirect', async ({ page }) => {
  for (const query of [
    '?embed=true',
    '?embed=true&token=made.up.token',
    '?embed=true&token=x&expiredDate=2999-01-01',
  ]) {
    await page.goto('about:blank');
    await page.goto(`/workflows/sessions${query}`);
    await expect(page.getByRole('alert')).toContainText(refusal);
    await expect(page.getByRole('navigation')).toHaveCount(0);
    expect(new URL(page.url()).pathname).toBe('/workflows/sessions');
  }
});
