import { createServer, type Server } from 'node:http';
import { expect } from 'playwright/test';
import { makePublished, stepOf } from './drafting.ts';
import { patience, signIn, test } from './house.ts';
import { looksWell, themeFollows } from './looks.ts';
import { makePdf } from './make-pdf.ts';

const port = Number(process.env.RECEIVER_PORT ?? 0);
const mark = Date.now().toString(36);

test.skip(!port, 'RECEIVER_PORT does not say which address may be asked');
let shop: Server;
let status = 200;
test.beforeAll(async () => {
  const pdf = makePdf([`From the web ${mark}`]);
  shop = createServer((_, response) => response.writeHead(status).end(pdf));
  await new Promise<void>((resolve) => shop.listen(port, '127.0.0.1', resolve));
});
test.afterAll(async () => {
  shop.closeAllConnections();
  await new Promise((resolve) => shop.close(resolve));
});

test('files are handed in by their addresses: what is refused stays to be put right, what is taken is fetched before one’s eyes', {
  tag: '@night',
}, async ({ page, context }) => {
  test.setTimeout(patience * 2);
  const workflow = `By address ${mark}`;
  await themeFollows(context);
  await signIn(page, '/workflows/sessions');
  await makePublished(page, { name: workflow, steps: [stepOf('Inject'), stepOf('Complete')] });
  await page.goto('/workflows/sessions');
  await page.getByRole('button', { name: 'New session' }).first().click();
  const drawer = page.getByRole('dialog', { name: 'New session' });
  const addresses = drawer.getByRole('textbox', { name: 'Web addresses' });
  await drawer.getByRole('combobox', { name: 'Workflow' }).click();
  await page.getByRole('option', { name: workflow }).first().click();
  await drawer.getByRole('button', { name: 'Submit', exact: true }).click();
  await expect(drawer.getByRole('alert')).toBeVisible();

  const good = `http://127.0.0.1:${port}/card-${mark}.pdf`;
  const bad = 'http://10.0.0.1/card.pdf';
  await addresses.fill(`${good}\n${bad}`);
  await drawer.getByRole('button', { name: 'Submit 2 files' }).click();
  await expect(drawer.getByText(/The address 10\.0\.0\.1 may not be asked/)).toBeVisible();
  await expect(addresses).toHaveValue(bad);
  await looksWell(page);
  await page.keyboard.press('Escape');
  const tray = page.getByRole('region', { name: 'Uploads' });
  await expect(tray.getByRole('link', { name: `card-${mark}.pdf` })).toBeVisible({ timeout: patience });
  await looksWell(page);

  // A server that does not give the file is told in words, and asked again by hand.
  status = 404;
  await page.getByRole('button', { name: 'New session' }).first().click();
  await addresses.fill(`http://127.0.0.1:${port}/gone-${mark}.pdf`);
  await drawer.getByRole('button', { name: 'Submit 1 file' }).click();
  await expect(drawer).toBeHidden();
  await expect(tray.getByRole('alert')).toContainText('HTTP 404', { timeout: patience });
  await looksWell(page);
  status = 200;
  await tray.getByRole('button', { name: `Try again: gone-${mark}.pdf` }).click();
  await expect(tray.getByRole('link', { name: `gone-${mark}.pdf` })).toBeVisible({ timeout: patience });
});
