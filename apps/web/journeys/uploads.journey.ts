import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { expect } from 'playwright/test';
import { enter, handIn, patience, test } from './house.ts';
import { makePdf } from './make-pdf.ts';

const megabyte = 1_000_000;

/** A PDF of a given size, with padding after its end, which readers ignore. */
function longPdf(bytes: number): Buffer {
  return Buffer.concat([makePdf(['A long file']), randomBytes(bytes)]);
}

test('an upload is paused, survives a reload and is resumed', async ({ page, context }, info) => {
  await enter(page, context);
  const file = info.outputPath(`long-${Date.now().toString(36)}.pdf`);
  writeFileSync(file, longPdf(12 * megabyte));
  const name = file.split('/').at(-1) ?? '';
  await page.goto('/workflows/sessions');
  const line = await context.newCDPSession(page);
  await line.send('Network.enable');
  const speed = (uploadThroughput: number) =>
    line.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    });
  // Slow enough that the upload is still running on a slow machine.
  await speed(0.4 * megabyte);

  await handIn(page, [file]);
  const tray = page.getByRole('region', { name: 'Uploads' });
  const bar = tray.getByRole('progressbar', { name });
  await expect
    .poll(async () => Number(await bar.getAttribute('aria-valuenow')), { intervals: [100] })
    .toBeGreaterThan(5);
  await tray.getByRole('button', { name: `Pause: ${name}` }).click();
  await expect(tray.getByText(/^Paused at \d+/)).toBeVisible();
  const paused = Number(await bar.getAttribute('aria-valuenow'));
  expect(paused).toBeLessThan(100);

  // The reloaded page no longer has the file; the server keeps the uploaded part.
  await page.reload();
  await speed(-1);
  await expect(tray.getByText('Choose the same file again to continue')).toBeVisible();
  const begun = page.waitForRequest((request) => request.method() === 'PATCH');
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    tray.getByRole('button', { name: `Choose the same file again to continue: ${name}` }).click(),
  ]);
  await chooser.setFiles(file);
  const offset = Number((await (await begun).allHeaders())['upload-offset']);
  expect(offset).toBeGreaterThan(0);
  await expect(tray.getByRole('link', { name })).toBeVisible({ timeout: patience });
  await tray.getByRole('link', { name }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
});

test('files dropped on the list of sessions open the drawer; invalid files are reported before the upload', async ({
  page,
  context,
}) => {
  await enter(page, context);
  await page.goto('/workflows/sessions');
  await expect(page.getByRole('heading', { name: 'Sessions' })).toBeVisible();
  const dropped = await page.evaluateHandle(() => {
    const data = new DataTransfer();
    data.items.add(new File(['%PDF-1.4'], 'dropped.pdf', { type: 'application/pdf' }));
    data.items.add(new File([], 'empty.pdf', { type: 'application/pdf' }));
    return data;
  });
  await page.dispatchEvent('main', 'dragover', { dataTransfer: dropped });
  await expect(page.getByText('Drop the PDF files anywhere')).toBeVisible();
  await page.dispatchEvent('main', 'drop', { dataTransfer: dropped });
  const drawer = page.getByRole('dialog', { name: 'New session' });
  await expect(drawer.getByText('dropped.pdf')).toBeVisible();
  await expect(drawer.getByRole('button', { name: 'Submit 1 file' })).toBeVisible();
});
