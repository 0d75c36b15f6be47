import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { inspectPdf, openPdf, renderPreview } from '@pdf2press/pdf';
import { buildPdf, type PdfSource } from '@pdf2press/pdf/testing';
import { afterAll, expect, test } from 'vitest';
import { runTask } from './tasks.ts';

const directory = mkdtempSync(path.join(os.tmpdir(), 'picture-copy-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function copyOf(source: PdfSource, { dpi = 120, watermark = '' } = {}) {
  const workDir = mkdtempSync(path.join(directory, 'work-'));
  const file = path.join(workDir, 'in.pdf');
  writeFileSync(file, buildPdf(source));
  const { name } = await runTask('pictureCopy', { path: file, dpi, watermark }, { workDir });
  return { file, copy: path.join(workDir, name) };
}

/** Colours of a copy's page at points from its lower left, as a screen shows them. */
function coloursAt(copy: string, page: number, points: readonly (readonly [number, number])[]) {
  const file = openPdf({ path: copy });
  try {
    const { pixels, width, height } = renderPreview(file, page, { dpi: 72 });
    return points.map(([x, y]) => [
      ...pixels.subarray(((height - y) * width + x) * 3, ((height - y) * width + x) * 3 + 3),
    ]);
  } finally {
    file.close();
  }
}

/** Width and height of each page in points. */
function sizesOf(copy: string) {
  const file = openPdf({ path: copy });
  try {
    return file.pages.map(({ effective }) => effective.media.slice(2));
  } finally {
    file.close();
  }
}

const overprinted = '/Cyan gs 1 0 0 0 k 20 20 100 100 re f 0 1 0 0 k /Over gs 60 20 100 100 re f';
const resources = '/ExtGState << /Cyan << /OP false >> /Over << /OP true /op true /OPM 1 >> >>';

test('each page is a picture of what prints, with overprint, as large and as turned as it is read', async () => {
  const { copy } = await copyOf({
    pages: [
      { mediaBox: [0, 0, 200, 150], content: overprinted, resources },
      {
        mediaBox: [0, 0, 200, 150],
        content: overprinted,
        resources,
        extra: '/CropBox [10 10 190 130] /Rotate 90 /UserUnit 2',
      },
    ],
  });
  expect(sizesOf(copy)).toEqual([
    [200, 150],
    [240, 360],
  ]);
  const [both, cyan, paper] = coloursAt(copy, 1, [
    [90, 60],
    [30, 60],
    [5, 5],
  ]);
  // Cyan and magenta over each other are blue; without overprint it would be magenta alone.
  expect(both?.[0]).toBeLessThan(120);
  expect(both?.[2]).toBeGreaterThan(90);
  expect(cyan?.[1]).toBeGreaterThan((both?.[1] ?? 255) + 60);
  for (const level of paper ?? []) expect(level).toBeGreaterThan(245);
});

/** How many pixels of a page differ between two copies. */
function differing(one: string, other: string, page: number): number {
  const [first, second] = [one, other].map((copy) => {
    const file = openPdf({ path: copy });
    try {
      return renderPreview(file, page, { dpi: 72 }).pixels;
    } finally {
      file.close();
    }
  });
  let count = 0;
  for (let at = 0; at < (first?.length ?? 0); at += 3)
    if (Math.abs((first?.[at] ?? 0) - (second?.[at] ?? 0)) > 20) count += 1;
  return count;
}

test('the picture of the first page alone is a JPEG of what prints', async () => {
  const workDir = mkdtempSync(path.join(directory, 'work-'));
  const file = path.join(workDir, 'in.pdf');
  writeFileSync(file, buildPdf({ pages: [{ mediaBox: [0, 0, 216, 144], content: overprinted, resources }, {}] }));
  const { name } = await runTask('pictureCopy', { path: file, dpi: 100, watermark: '', format: 'jpeg' }, { workDir });
  const bytes = readFileSync(path.join(workDir, name));
  expect([name, bytes.subarray(0, 3).toString('hex')]).toEqual(['page-1.jpg', 'ffd8ff']);
  // The frame header: height and width follow its length and the precision.
  const frame = bytes.findIndex((byte, at) => byte === 0xff && [0xc0, 0xc2].includes(bytes[at + 1] ?? 0));
  expect([bytes.readUInt16BE(frame + 7), bytes.readUInt16BE(frame + 5)]).toEqual([300, 200]);
});

test('the watermark is part of the pixels, on light and on dark pages, in any script, and no text that could be taken out', async () => {
  const pages = [
    { mediaBox: [0, 0, 400, 300], content: '' },
    { mediaBox: [0, 0, 400, 300], content: '0 0 0 1 k 0 0 400 300 re f' },
  ];
  const plain = await copyOf({ pages });
  const marked = await copyOf({ pages }, { watermark: 'Proof 2 · Zoë 样张 ☃' });
  for (const page of [1, 2]) {
    const share = differing(plain.copy, marked.copy, page) / (400 * 300);
    expect(share).toBeGreaterThan(0.03);
    expect(share).toBeLessThan(0.4);
  }
  // One picture is everything that a page holds: no text, no path, no layer.
  const inspection = await inspectPdf({ path: marked.copy });
  expect([inspection.fonts.length, inspection.images.length]).toEqual([0, 2]);
});

test('an A0 poster has no more pixels than its share, and stays A0 @night', async () => {
  const { copy } = await copyOf(
    { pages: [{ mediaBox: [0, 0, 2384, 3370], content: overprinted, resources }] },
    { dpi: 150, watermark: 'Proof' },
  );
  expect(sizesOf(copy)).toEqual([[2384, 3370]]);
  const [image] = (await inspectPdf({ path: copy })).images;
  expect((image?.width ?? 0) * (image?.height ?? 0)).toBeLessThanOrEqual(9_000_000);
  expect(image?.ppi.x).toBeGreaterThan(70);
});

test('a page of A4 has the 300 pixels per inch that a copy for reading small print is asked for; A3 has fewer', async () => {
  const { copy } = await copyOf(
    {
      pages: [
        { mediaBox: [0, 0, 595.28, 841.89], content: overprinted, resources },
        { mediaBox: [0, 0, 841.89, 1190.55], content: '0 0 0 1 k 0 0 400 300 re f' },
      ],
    },
    { dpi: 300 },
  );
  const [small, large] = (await inspectPdf({ path: copy })).images;
  expect(small?.ppi.x).toBeCloseTo(300, 0);
  expect(large?.ppi.x).toBeGreaterThan(212);
  expect(large?.ppi.x).toBeLessThan(217);
});
