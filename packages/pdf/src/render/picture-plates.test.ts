import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { seeded } from '@pdf2press/config/seeded';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPdf } from '../open/pdf-file.ts';
import { buildPdf, type PageSource } from '../testing/build-pdf.ts';
import { sharp } from './lazy-sharp.ts';
import { pageFrame } from './page-frame.ts';
import { drawPictures } from './picture-plates.ts';
import type { PsdFile } from './psd.ts';
import { separatePages } from './separate.ts';

const dir = mkdtempSync(path.join(os.tmpdir(), 'picture-plates-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const [width, height] = [97, 61];
const dict =
  `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceCMYK` +
  ' /BitsPerComponent 8 /Filter /DCTDecode';
let marked: Buffer;
let unmarked: Buffer;

beforeAll(async () => {
  const random = seeded(5);
  const pixels = Uint8Array.from({ length: width * height * 4 }, () => random() * 256);
  marked = await sharp(pixels, { raw: { width, height, channels: 4 } })
    .toColourspace('cmyk')
    .jpeg({ quality: 95 })
    .toBuffer();
  // Without the segment APP14 a reader takes the samples for CMYK as well.
  const at = marked.indexOf(Buffer.from('Adobe')) - 4;
  unmarked = Buffer.concat([marked.subarray(0, at), marked.subarray(at + 2 + marked.readUInt16BE(at + 2))]);
});

const cover: PageSource = {
  mediaBox: [0, 0, 90.3, 61.7],
  resources: '/XObject << /I 10 0 R >>',
  content: 'q 90.3 0 0 61.7 0 0 cm /I Do Q',
};

/** The plates of one page at a resolution: ours and those of Ghostscript, which draws a page of itself too. */
async function both(name: string, page: PageSource, dpi: number, jpeg: Buffer, more = '') {
  const file = path.join(dir, `${name}.pdf`);
  writeFileSync(file, buildPdf({ pages: [page], objects: { 10: { dict: dict + more, data: jpeg } } }));
  const pdf = openPdf({ path: file });
  const [facts] = pdf.pages;
  if (!facts) throw new Error('page');
  const frame = pageFrame(facts, { dpi, box: 'media' });
  const ours = await drawPictures(pdf, frame, path.join(dir, `${name}.plates`));
  const outDir = mkdtempSync(path.join(dir, 'run-'));
  const none = { copiedPages: new Set<number>(), hasColouredGroups: () => false, copy: () => file };
  const { pages } = await separatePages({ path: file, frames: [frame], ...none, box: 'media', options: {}, outDir });
  pdf.close();
  return { ours, theirs: pages[0]?.psd ?? null };
}

const platesOf = (psd: PsdFile | null) =>
  psd && [psd.width, psd.height, ...psd.inks.map((_, ink) => Buffer.from(psd.readPlate(ink)).toString('base64'))];

test.each([
  ['smaller', cover, 31],
  ['larger', cover, 150],
  ['with ends at centres of pixels', cover, 72],
  ['with ends at centres of pixels across', cover, 96],
  [
    'at other places',
    { ...cover, content: 'q 40.37 0 0 30.11 -7.3 9.19 cm /I Do Q q 50 0 0 80 30.5 -4.25 cm /I Do Q' },
    100,
  ],
  ['within a clip around it', { ...cover, content: 'q 0 0 200 200 re W n 60 0 0 40 3 3 cm /I Do Q' }, 72],
  ['on a page turned by its user unit', { ...cover, extra: '/UserUnit 1.7' }, 72],
  ['of a box that begins elsewhere', { ...cover, mediaBox: [-12.4, 7.7, 60, 50] }, 110],
] as const)('a picture is drawn as Ghostscript draws it: %s', async (name, page, dpi) => {
  const { ours, theirs } = await both(name, page as PageSource, dpi, marked);
  expect(platesOf(ours)).not.toBeNull();
  expect(platesOf(ours)).toEqual(platesOf(theirs));
});

test.each([
  ['marked', '', () => marked],
  ['marked-inverted', ' /Decode [1 0 1 0 1 0 1 0]', () => marked],
  ['unmarked', '', () => unmarked],
  ['unmarked-inverted', ' /Decode [1 0 1 0 1 0 1 0]', () => unmarked],
] as const)(
  'the decode array inverts as in Ghostscript, and the mark of Adobe does not: %s',
  async (name, more, jpeg) => {
    const { ours, theirs } = await both(name, cover, 72, jpeg(), more);
    expect(platesOf(ours)).not.toBeNull();
    expect(platesOf(ours)).toEqual(platesOf(theirs));
  },
);

test.each([
  ['text', { ...cover, content: `${cover.content} BT /F 9 Tf (a) Tj ET` }],
  ['a line', { ...cover, content: `${cover.content} 0 0 m 9 9 l S` }],
  ['an annotation', { ...cover, extra: '/Annots [<< /Subtype /Square /Rect [1 1 9 9] >>]' }],
  [
    'opacity',
    { ...cover, resources: `${cover.resources} /ExtGState << /G << /ca 0.5 >> >>`, content: `/G gs ${cover.content}` },
  ],
  ['a clip', { ...cover, content: `q 5 5 20 20 re W n ${cover.content} Q` }],
  ['a turned picture', { ...cover, content: 'q 40 20 -20 40 30 5 cm /I Do Q' }],
  ['a page that is turned', { ...cover, extra: '/Rotate 90' }],
  ['a colour space for CMYK', { ...cover, resources: `${cover.resources} /ColorSpace << /DefaultCMYK /DeviceRGB >>` }],
  ['a group', { ...cover, extra: '/Group << /S /Transparency /CS /DeviceRGB >>' }],
  ['no picture', { ...cover, content: '' }],
])('a page with something else is left to Ghostscript: %s', async (name, page) => {
  expect((await both(`other-${name}`, page, 72, marked)).ours).toBeNull();
});

test.each([
  ['broken off', '', () => marked.subarray(0, marked.length / 2)],
  ['of another size', ' /Height 60', () => marked],
  ['masked by a colour', ' /Mask [0 1 0 1 0 1 0 1]', () => marked],
  ['smoothed', ' /Interpolate true', () => marked],
  ['with another range', ' /Decode [0 0.5 0 1 0 1 0 1]', () => marked],
])('a picture that is unusual is left to Ghostscript: %s', async (name, more, jpeg) => {
  expect((await both(`unusual-${name}`, cover, 72, jpeg(), more)).ours).toBeNull();
});
