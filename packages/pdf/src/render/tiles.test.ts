import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sessionPageSchema } from '@pdf2press/contract';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { createColourService } from '../colour/colour-service.ts';
import { buildPdf, type PdfSource } from '../testing/build-pdf.ts';
import { openRenderService, type RenderService } from './render-service.ts';
import { writeThumbnails } from './thumbnails.ts';
import { writeTiles } from './tiles.ts';

const workDir = mkdtempSync(path.join(os.tmpdir(), 'tiles-test-'));
afterAll(() => rmSync(workDir, { recursive: true, force: true }));

function serve(source: PdfSource): RenderService {
  const file = path.join(workDir, 'tiles.pdf');
  writeFileSync(file, buildPdf(source));
  return openRenderService({ path: file, workDir });
}

/** Joins the tiles of a level again, one channel. */
async function assembled(folder: string, level: { width: number; height: number; tile: number }): Promise<Uint8Array> {
  const pixels = new Uint8Array(level.width * level.height);
  for (const name of readdirSync(folder)) {
    const [x = 0, y = 0] = name.replace('.webp', '').split('_').map(Number);
    const { data, info } = await sharp(path.join(folder, name)).greyscale().raw().toBuffer({ resolveWithObject: true });
    expect(info.width).toBe(Math.min(level.tile, level.width - x * level.tile));
    expect(info.height).toBe(Math.min(level.tile, level.height - y * level.tile));
    for (let row = 0; row < info.height; row += 1) {
      const at = (y * level.tile + row) * level.width + x * level.tile;
      pixels.set(data.subarray(row * info.width, (row + 1) * info.width), at);
    }
  }
  return pixels;
}

test('tiles cover each level once, and plate values are preserved exactly', async () => {
  const colour = await createColourService();
  const spot =
    '[/Separation /Gold /DeviceCMYK << /FunctionType 2 /Domain [0 1] /N 1 /C0 [0 0 0 0] /C1 [0 0.2 0.6 0.2] >>]';
  const render = serve({
    pages: [
      {
        mediaBox: [0, 0, 250, 180],
        resources: `/ColorSpace << /Gold ${spot} >>`,
        content: '0.3 0.1 0 0 k 10 10 200 150 re f /Gold cs 0.6 scn 30.5 20.2 100 7.3 re f',
        extra: '/CropBox [5 5 240 170] /Rotate 90',
      },
    ],
  });
  const directory = mkdtempSync(path.join(workDir, 'page-'));
  const page = await writeTiles(render, colour, { page: 1, directory });
  expect(sessionPageSchema.parse(JSON.parse(readFileSync(path.join(directory, 'page.json'), 'utf8')))).toEqual(page);
  expect(page).toMatchObject({ widthPt: 165, heightPt: 235, rotate: 90, isReady: true });
  expect(page.inks.map((ink) => ink.name)).toEqual(['Cyan', 'Magenta', 'Yellow', 'Black', 'Gold']);
  expect(page.levels.map((level) => level.dpi)).toEqual([36, 72, 150, 300]);
  const top = page.levels.at(-1);
  if (!top) throw new Error('no level');
  const plates = await render.plates(1, { dpi: 300, box: 'crop' });
  for (const [index, ink] of plates.inks.entries()) {
    const got = await assembled(path.join(directory, `ink-${index}`, '300'), top);
    expect(Buffer.compare(got, plates.plate(ink.id))).toBe(0);
  }
  for (const level of page.levels) {
    const picture = await assembled(path.join(directory, 'rgb', String(level.dpi)), level);
    // Paper in the corner, ink in the middle.
    expect(picture[0]).toBeGreaterThan(250);
    expect(picture[Math.floor(level.height / 2) * level.width + Math.floor(level.width / 2)]).toBeLessThan(220);
  }
  render.close();
  colour.close();
});

test('a tint of a spot ink has the same colour in its own tints as on the printed page', async () => {
  const colour = await createColourService();
  const spot =
    '[/Separation /Gold /DeviceCMYK << /FunctionType 2 /Domain [0 1] /N 1 /C0 [0 0 0 0] /C1 [0 0.3 0.9 0.2] >>]';
  const render = serve({
    pages: [{ resources: `/ColorSpace << /Gold ${spot} >>`, content: '/Gold cs 0.5 scn -10 -10 5000 5000 re f' }],
  });
  const directory = mkdtempSync(path.join(workDir, 'page-'));
  const page = await writeTiles(render, colour, { page: 1, directory, dpis: [36] });
  const gold = page.inks.findIndex(({ name }) => name === 'Gold');
  const first = async (layer: string) => [
    ...(
      await sharp(path.join(directory, layer, '36', '0_0.webp'))
        .removeAlpha()
        .raw()
        .toBuffer()
    ).subarray(0, 3),
  ];
  const [amount = 0] = await first(`ink-${gold}`);
  const tints = page.inks[gold]?.tints ?? [];
  const tint = tints[Math.round((amount / 255) * (tints.length - 1))] ?? '';
  const told = [1, 3, 5].map((at) => Number.parseInt(tint.slice(at, at + 2), 16));
  const printed = await first('rgb');
  // The steps of the tints and the picture's encoding round.
  for (const [channel, part] of told.entries()) expect(Math.abs(part - (printed[channel] ?? 0))).toBeLessThanOrEqual(4);
  expect(told).not.toEqual([255, 255, 255]);
  render.close();
  colour.close();
});

test('only the requested levels are written', async () => {
  const colour = await createColourService();
  const render = serve({ pages: [{ content: '0 1 1 0 k 0 0 100 200 re f' }] });
  const directory = mkdtempSync(path.join(workDir, 'page-'));
  await writeTiles(render, colour, { page: 1, directory, dpis: [36, 72], inks: false });
  expect(readdirSync(directory).sort()).toEqual(['page.json', 'rgb']);
  expect(readdirSync(path.join(directory, 'rgb')).sort()).toEqual(['36', '72']);
  render.close();
  colour.close();
});

test('the levels of a poster stay within the pixel limit', async () => {
  const { levelsOf } = await import('./tiles.ts');
  const render = serve({
    pages: [{ mediaBox: [0, 0, 8000, 8000] }, { mediaBox: [0, 0, 14_000, 14_000], extra: '/UserUnit 1' }],
  });
  for (const page of render.file.pages) {
    const levels = levelsOf(page);
    expect(levels.length).toBeGreaterThan(0);
    for (const level of levels) expect(level.width * level.height).toBeLessThanOrEqual(45_000_000);
  }
  render.close();
});

test('thumbnails fit their square', async () => {
  const render = serve({
    pages: [{ mediaBox: [0, 0, 300, 600] }, { mediaBox: [0, 0, 300, 600], extra: '/Rotate 90 /UserUnit 3' }],
  });
  const directory = mkdtempSync(path.join(workDir, 'thumbs-'));
  const thumbnails = await writeThumbnails(render, { directory, side: 320, pages: [1, 2] });
  expect(thumbnails).toEqual([
    { page: 1, file: '1.webp', width: 160, height: 320 },
    { page: 2, file: '2.webp', width: 320, height: 160 },
  ]);
  expect(await sharp(path.join(directory, '2.webp')).metadata()).toMatchObject({
    width: 320,
    height: 160,
    format: 'webp',
  });
  render.close();
});

test('a page with a die line is drawn a second time without it', async () => {
  const colour = await createColourService();
  const spot =
    '[/Separation /CutContour /DeviceCMYK << /FunctionType 2 /Domain [0 1] /N 1 /C0 [0 0 0 0] /C1 [0 1 0 0] >>]';
  const render = serve({
    pages: [
      {
        mediaBox: [0, 0, 100, 100],
        resources: `/ColorSpace << /Cut ${spot} >> /ExtGState << /Over << /OP true /op true /OPM 1 >> >>`,
        content: '0.5 0 0 0 k 0 0 100 100 re f /Over gs /Cut CS 1 SCN 10 w 0 50 m 100 50 l S',
      },
      { mediaBox: [0, 0, 100, 100], content: '0.5 0 0 0 k 0 0 100 100 re f' },
    ],
  });
  const directory = mkdtempSync(path.join(workDir, 'page-'));
  const page = await writeTiles(render, colour, { page: 1, directory, dpis: [72] });
  expect(sessionPageSchema.parse(page).lines).toEqual(['CutContour']);
  const at = async (layer: string, y: number) => {
    const { data, info } = await sharp(path.join(directory, layer, '72', '0_0.webp'))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const start = (y * info.width + 50) * info.channels;
    return [...data.subarray(start, start + 3)];
  };
  const near = (one: readonly number[], other: readonly number[]) =>
    one.every((value, index) => Math.abs(value - (other[index] ?? 0)) <= 3);
  // The line overprints: without it there is what lies below.
  expect(near(await at('rgb', 50), await at('rgb', 20))).toBe(false);
  expect(near(await at('art', 50), await at('art', 20))).toBe(true);
  expect(near(await at('art', 20), await at('rgb', 20))).toBe(true);
  const other = mkdtempSync(path.join(workDir, 'page-'));
  expect(await writeTiles(render, colour, { page: 2, directory: other, dpis: [72] })).not.toHaveProperty('lines');
  expect(readdirSync(other)).not.toContain('art');
  render.close();
  colour.close();
});
