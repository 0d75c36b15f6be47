import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { testDir } from '@pdf2press/fix/testing';
import { buildPdf, colourPicture } from '@pdf2press/pdf/testing';
import { expect, test } from 'vitest';
import { run as inspect } from './inspect.ts';
import { run as drawThumbnails } from './thumbnails.ts';
import { run } from './tiles.ts';

const tools = () => ({ workDir: testDir(), progress: () => undefined, keep: () => undefined });

test('an image file gets tiles of the PDF page made from it', async () => {
  const task = tools();
  const picture = path.join(task.workDir, 'photo.jpg');
  writeFileSync(picture, await colourPicture(300, 200, { format: 'jpeg' }));
  const { pages } = await run({ path: picture, pages: [1], dpis: [72], inks: false }, task);
  expect(pages).toMatchObject([{ page: 1, widthPt: 72, heightPt: 48 }]);
  expect(existsSync(path.join(task.workDir, '1/rgb/72/0_0.webp'))).toBe(true);
});

test('a damaged image file is refused as not a PDF', async () => {
  const task = tools();
  const file = path.join(task.workDir, 'broken.jpg');
  writeFileSync(file, Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 1, 2, 3));
  await expect(run({ path: file, pages: [1] }, task)).rejects.toMatchObject({ code: 'PDF_NOT_PDF' });
});

test.each([
  ['', 'Left'],
  ['/ViewerPreferences << /Direction /L2R >>', 'Left'],
  ['/ViewerPreferences << /Direction /R2L >>', 'Right'],
  ['/ViewerPreferences [/R2L]', 'Left'],
])('with %s in its catalog a file is bound: %s', async (catalog, binding) => {
  const task = tools();
  const file = path.join(task.workDir, 'book.pdf');
  writeFileSync(file, buildPdf({ catalog, pages: [{}, {}] }));
  expect((await run({ path: file, pages: [1], dpis: [72], inks: false }, task)).list).toMatchObject({ binding });
  expect((await drawThumbnails({ path: file }, task)).list).toMatchObject({ binding, pages: [{}, {}] });
  expect(await inspect({ path: file }, task)).toMatchObject({ binding });
});
