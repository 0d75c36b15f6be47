import { readFileSync } from 'node:fs';
import type { SystemSettings } from '@pdf2press/contract';
import { expect, type Page } from 'playwright/test';
import sharp from 'sharp';
import { ask, enter, patience, test, tokenOf } from './house.ts';
import { comparePicture } from './pictures.ts';
import { becomes, submitToSample } from './submit.ts';

const house = { name: 'Paper + Ink', color: '#0a7f6f', logo: '' };
const mark = Date.now().toString(36);

/** Hands a PDF to the sample workflow, so that the product draws its pages; waits until it has ended. */
async function handOver(page: Page, name: string, buffer: Buffer): Promise<string> {
  const id = await submitToSample(page, name, buffer);
  await becomes(page, id, /^Completed/);
  return id;
}

/** The first page of a session's file as the product draws it. */
async function firstPage(page: Page, id: string): Promise<Buffer> {
  const headers = { authorization: `Bearer ${await tokenOf(page)}` };
  const thumbnail = () => page.request.get(`/api/sessions/${id}/thumbnails/1`, { headers });
  await expect.poll(async () => (await thumbnail()).status(), { timeout: patience }).toBe(200);
  return (await thumbnail()).body();
}

/** Without the lines that differ between runs: date and checksum, as shares of the page. */
async function withoutDate(picture: Buffer): Promise<Buffer> {
  const { width = 0, height = 0 } = await sharp(picture).metadata();
  const lines = await sharp({
    create: { width: Math.round(width * 0.4), height: Math.round(height * 0.06), channels: 3, background: '#ffffff' },
  })
    .png()
    .toBuffer();
  const place = { left: Math.round(width * 0.06), top: Math.round(height * 0.44) };
  return sharp(picture)
    .composite([{ input: lines, ...place }])
    .png()
    .toBuffer();
}

test('a report is taken home: the one for people comes first, under the name and colour of the house, with its verdict', async ({
  page,
  context,
}) => {
  await enter(page, context);
  const before = await ask<SystemSettings>(page, 'GET', '/SystemSettings');
  await ask(page, 'PUT', '/SystemSettings', { ...before, houseSettings: house });
  try {
    const { items } = await ask<{ items: { id: string }[] }>(page, 'GET', '/sessions?search=flyer-with-faults');
    await page.goto(`/workflows/session/${items[0]?.id}`);
    await page.getByRole('button', { name: 'Report' }).click();
    const entries = page.getByRole('menuitem');
    await expect(entries.first()).toHaveText('Report (PDF)');
    await expect(entries.last()).toHaveText('Data (JSON)');
    const [download] = await Promise.all([
      page.waitForEvent('download', { timeout: patience }),
      entries.first().click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/[.]pdf$/);
    const report = await handOver(page, `report-${mark}.pdf`, readFileSync(await download.path()));
    const cover = await withoutDate(await firstPage(page, report));
    expect(await comparePicture('report', cover, test.info().outputPath('pictures'))).toBeNull();
  } finally {
    await ask(page, 'PUT', '/SystemSettings', { ...before, houseSettings: before.houseSettings });
  }
});
