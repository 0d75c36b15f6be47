import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { buildPdf, type PdfSource } from '@pdf2press/pdf/testing';
import { afterAll, expect, test } from 'vitest';
import { runTask } from './tasks.ts';

const directory = mkdtempSync(path.join(os.tmpdir(), 'split-'));
afterAll(() => rmSync(directory, { recursive: true }));

async function split(source: PdfSource, pagesPerPart: number) {
  const folder = mkdtempSync(path.join(directory, 'case-'));
  const file = path.join(folder, 'in.pdf');
  writeFileSync(file, buildPdf(source));
  const workDir = mkdtempSync(path.join(folder, 'work-'));
  const { parts } = await runTask('split', { path: file, pagesPerPart }, { workDir });
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
