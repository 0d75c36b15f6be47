import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isRef, openPdf, type PdfDict, type PdfValue } from '@pdf2press/pdf';
import { buildPdf, type PdfSource } from '@pdf2press/pdf/testing';
import { afterAll, expect, test } from 'vitest';
import type { SplitWay } from './split.ts';
import { runTask } from './tasks.ts';

const directory = mkdtempSync(path.join(os.tmpdir(), 'split-'));
afterAll(() => rmSync(directory, { recursive: true }));

async function split(source: PdfSource, way: SplitWay | number) {
  const folder = mkdtempSync(path.join(directory, 'case-'));
  const file = path.join(folder, 'in.pdf');
  writeFileSync(file, buildPdf(source));
  const workDir = mkdtempSync(path.join(folder, 'work-'));
  const params = { path: file, ...(typeof way === 'number' ? { pagesPerPart: way } : way) };
  const { parts } = await runTask('split', params, { workDir });
  expect(readdirSync(workDir).sort()).toEqual(parts.map(({ path: at }) => at).sort());
  return { parts, file, pathOf: (at: number) => path.join(workDir, parts[at]?.path ?? '') };
}

const inspect = (file: string) =>
  runTask('inspect', { path: file }, { workDir: mkdtempSync(path.join(directory, 'look-')) });

const pages = Array.from({ length: 5 }, (_, at) => ({
  content: `0 0 ${10 + at} 10 re f`,
  mediaBox: [0, 0, 100 + at, 200],
  extra: at === 1 ? '/Rotate 90 /Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /Dest [2 0 R /Fit] >>]' : '',
}));

test('each part has its pages as they were, with what pages inherit and what the whole says of output', async () => {
  const catalog =
    '/OutputIntents [<< /Type /OutputIntent /S /GTS_PDFX /OutputConditionIdentifier (FOGRA39) >>] /Outlines << /Type /Outlines >>';
  const { parts, pathOf } = await split({ pages, catalog, pageTree: '/CropBox [10 10 90 190]', version: '1.4' }, 2);
  expect(parts.map((part) => part.pages)).toEqual([
    [1, 2],
    [3, 4],
    [5, 5],
  ]);
  const [first, last] = [await inspect(pathOf(0)), await inspect(pathOf(2))];
  expect([first.pageCount, last.pageCount]).toEqual([2, 1]);
  expect(last.pages[0]).toMatchObject({ boxes: { media: [0, 0, 104, 200], crop: [10, 10, 90, 190] } });
  expect(first.pages[1]).toMatchObject({ rotate: 90 });
  expect(readFileSync(pathOf(2), 'latin1')).toContain('FOGRA39');
  expect(readFileSync(pathOf(2), 'latin1')).not.toContain('/Outlines');
});

test('a part holds the objects of its own pages only', async () => {
  const data = 'x'.repeat(50_000);
  const resources = (at: number) => `/XObject << /X ${100 + at} 0 R >>`;
  const objects = Object.fromEntries(
    pages.map((_, at) => [100 + at, { dict: '/Subtype /Form /BBox [0 0 1 1]', data }]),
  );
  const { file, pathOf } = await split(
    { pages: pages.map((page, at) => ({ ...page, resources: resources(at) })), objects },
    1,
  );
  expect(readFileSync(file).length).toBeGreaterThan(5 * data.length);
  for (const at of pages.keys()) expect(readFileSync(pathOf(at)).length).toBeLessThan(1.2 * data.length);
});

test('a file that cannot be read is refused with its code', async () => {
  const file = path.join(directory, 'no.pdf');
  writeFileSync(file, 'no PDF');
  const workDir = mkdtempSync(path.join(directory, 'work-'));
  await expect(runTask('split', { path: file, pagesPerPart: 1 }, { workDir })).rejects.toMatchObject({
    code: 'PDF_NOT_PDF',
  });
});

test('ranges are the parts, also those that overlap; what lies beyond the last page is left out', async () => {
  const ranges = [
    [2, 3],
    [3, 99],
    [7, 9],
  ] as const;
  const { parts } = await split({ pages }, { ranges: ranges.map(([first, last]) => [first, last]) });
  expect(parts.map((part) => part.pages)).toEqual([
    [2, 3],
    [3, 5],
  ]);
});

test('empty pages divide and belong to no part: white on them, and marks outside the trim, are nothing', async () => {
  const trim = '/TrimBox[20 20 180 180]';
  const full = { content: '0 0 0 1 k 50 50 20 20 re f', extra: trim };
  const white = { content: '0 0 0 0 k 50 50 20 20 re f', extra: trim };
  const marks = { content: '0 0 0 1 k 0 0 10 10 re f', extra: trim };
  // Ink that shows white on screen is ink.
  const spot = {
    content: '/W cs 1 scn 50 50 20 20 re f',
    resources:
      '/ColorSpace<</W[/Separation/White/DeviceCMYK<</FunctionType 2/Domain[0 1]/C0[0 0 0 0]/C1[0 0 0 0]/N 1>>]>>',
  };
  const { parts } = await split({ pages: [{}, full, spot, white, marks, full, {}] }, { at: 'emptyPages' });
  expect(parts.map((part) => part.pages)).toEqual([
    [2, 3],
    [6, 6],
  ]);
});

test('each bookmark of the highest level begins a part, by page, by name and by action', async () => {
  // Contents and pages are numbered after the other objects: page n is object 74 + 2 n.
  const objects = {
    70: '<</Type/Outlines/First 71 0 R/Last 73 0 R/Count 3>>',
    71: '<</Title(a)/Parent 70 0 R/Next 72 0 R/Dest[78 0 R/Fit]/First 74 0 R/Last 74 0 R/Count -1>>',
    72: '<</Title(b)/Parent 70 0 R/Prev 71 0 R/Next 73 0 R/Dest(four)>>',
    73: '<</Title(c)/Parent 70 0 R/Prev 72 0 R/A<</S/GoTo/D/five>>>>',
    74: '<</Title(below a)/Parent 71 0 R/Dest[80 0 R/Fit]>>',
  };
  const catalog = '/Outlines 70 0 R/Names<</Dests<</Names[(four)<</D[82 0 R/Fit]>>]>>>>/Dests<</five[84 0 R/Fit]>>';
  const { parts } = await split({ pages, objects, catalog }, { at: 'bookmarks' });
  expect(parts.map((part) => part.pages)).toEqual([
    [1, 1],
    [2, 3],
    [4, 4],
    [5, 5],
  ]);
});

test('links within a part lead to its pages', async () => {
  const link = (target: number) => `/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/Dest[${target} 0 R/Fit]>>]`;
  const linked = [{ extra: link(14) }, {}, { extra: link(12) }, {}];
  const { pathOf } = await split({ pages: linked, objects: { 10: 'null' } }, 2);
  const targetOf = (at: number) => {
    const pdf = openPdf({ path: pathOf(at) });
    try {
      const [annotation] = pdf.resolve(pdf.pages[0]?.dict.map.get('Annots')) as readonly PdfValue[];
      const [page] = pdf.entry(pdf.resolve(annotation) as PdfDict, 'Dest') as readonly PdfValue[];
      return isRef(page) ? pdf.pages.find(({ object }) => object === page.num)?.number : null;
    } finally {
      pdf.close();
    }
  };
  expect([targetOf(0), targetOf(1)]).toEqual([2, null]);
});
