import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openPdf, openRenderService } from '@pdf2press/pdf';
import { afterAll, expect, test } from 'vitest';
import { preflight } from '../judge/preflight.ts';
import { imageAt, line, picture, text } from '../quality/content.ts';
import { type Doc, pdfOf } from '../quality/doc.ts';
import { afterJpeg, jpegOf, shown } from '../quality/photo.ts';
import { presetOf } from './presets.ts';

const directory = mkdtempSync(path.join(os.tmpdir(), 'presets-test-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function rulesFound(doc: Doc, key: string): Promise<string[]> {
  const file = path.join(mkdtempSync(path.join(directory, 'job-')), 'job.pdf');
  writeFileSync(file, pdfOf(doc));
  const profile = presetOf(key)?.profile;
  if (!profile) throw new Error(key);
  const pdf = openPdf({ path: file });
  const service = openRenderService({ path: file, workDir: directory });
  try {
    const { findings } = await preflight({
      file: pdf,
      fileName: 'job.pdf',
      sha256: '0',
      profile,
      services: { render: () => service },
    });
    return findings.filter(({ severity }) => severity !== 'Info').map(({ ruleKey }) => ruleKey);
  } finally {
    service.close();
    pdf.close();
  }
}

const rgbPicture = picture('/ColorSpace /DeviceRGB /BitsPerComponent 8', new Uint8Array(30_000).fill(90));
/** What a printer gets burned by, and the rule that must say so. */
const faults: readonly { fault: string; doc: Doc; rule: string }[] = [
  {
    fault: 'an RGB picture',
    doc: { content: imageAt('Pic', 20), ...rgbPicture },
    rule: 'ColorSpaces.notAllowed',
  },
  { fault: 'RGB text', doc: { content: text(12, '0.9 0.1 0.1 rg') }, rule: 'ColorSpaces.notAllowed' },
  { fault: 'a line of 0.05 pt', doc: { content: line(0.05) }, rule: 'ThinLines.thin' },
  {
    fault: 'text of 4 pt in white on cyan',
    doc: { content: `1 0 0 0 k 50 150 200 200 re f ${text(4, '0 0 0 0 k')}` },
    rule: 'Fonts.smallWhite',
  },
  { fault: 'text of 4 pt', doc: { content: text(4, '0 0 0 1 k') }, rule: 'Fonts.small' },
  {
    fault: 'a TrimBox outside the MediaBox',
    doc: { content: text(12, '0 0 0 1 k'), trim: [-30, -30, 430, 530], bleed: null },
    rule: 'PageBoxes.nesting',
  },
];
const fifthPlate = { content: '/Gold cs 1 scn 100 100 150 150 re f' };

test.each(['business-card-flyer', 'saddle-stitched-booklet', 'perfect-bound-cover', 'book-interior', 'label-die-cut'])(
  '%s says what a printer gets burned by, and says nothing of it where it is not',
  async (key) => {
    const plain = await rulesFound({ content: text(12, '0 0 0 1 k') }, key);
    for (const { fault, doc, rule } of faults) {
      expect({ fault, found: await rulesFound(doc, key) }).toEqual({ fault, found: expect.arrayContaining([rule]) });
      expect(plain).not.toContain(rule);
    }
  },
);

test('a fifth plate is told where the order is for four', async () => {
  for (const key of ['business-card-flyer', 'saddle-stitched-booklet', 'book-interior'])
    expect(await rulesFound(fifthPlate, key)).toContain('SpotColors.notAllowed');
  expect(await rulesFound(fifthPlate, 'label-die-cut')).not.toContain('SpotColors.notAllowed');
});

test('presets for presses that print RGB say nothing of it', async () => {
  for (const key of ['office-quick-print', 'large-format', 'sticker-plot', 'textile', 'photo-product'])
    expect(await rulesFound({ content: imageAt('Pic', 20), ...rgbPicture }, key)).not.toContain(
      'ColorSpaces.notAllowed',
    );
});

test('full inks on a square centimetre are told, which a mean over 15 mm does not show', async () => {
  const patch = { content: '1 1 1 1 k 100 100 28.35 28.35 re f' };
  for (const key of [
    'standard',
    'business-card-flyer',
    'saddle-stitched-booklet',
    'perfect-bound-cover',
    'book-interior',
  ])
    expect(await rulesFound(patch, key)).toContain('TotalInkCoverage.cmyk');
  expect(await rulesFound(patch, 'gwg2022-sheetcmyk-cmyk')).not.toContain('TotalInkCoverage.cmyk');
});

test('pictures that lost too much to compression are told; where all is pictures, even those that were saved anew', async () => {
  const [hard, anew] = [
    shown(96, 300, await jpegOf(96, 30), '/Filter /DCTDecode'),
    shown(96, 300, await afterJpeg(96, 20)),
  ];
  for (const key of ['standard', 'business-card-flyer', 'book-interior', 'photo-product'])
    expect(await rulesFound(hard, key)).toContain('JpegQuality.low');
  expect(await rulesFound(anew, 'photo-product')).toContain('JpegQuality.blocking');
});
