import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileFaultError } from '@pdf2press/contract';
import { afterAll, describe, expect, test } from 'vitest';
import { buildPdf, type PdfSource } from '../testing/build-pdf.ts';
import { openPdf, type PdfFile } from './pdf-file.ts';

const directory = mkdtempSync(join(tmpdir(), 'open-'));
afterAll(() => rmSync(directory, { recursive: true }));

let made = 0;
function onDisk(bytes: Uint8Array | string): string {
  made += 1;
  const path = join(directory, `${made}.pdf`);
  writeFileSync(path, typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  return path;
}
const open = (source: PdfSource): PdfFile => openPdf({ path: onDisk(buildPdf(source)) });
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

function faultOf(work: () => unknown): string {
  try {
    work();
    return 'opened';
  } catch (error) {
    return error instanceof FileFaultError ? error.code : String(error);
  }
}

describe('pages', () => {
  test('inherit boxes, rotation and resources, and use defaults for missing boxes', () => {
    const file = open({
      pages: [
        { mediaBox: [0, 0, 300, 200], extra: '/TrimBox [10 10 290 190] /UserUnit 2 /Rotate -450' },
        { mediaBox: [100, 100, 0, 0], extra: '/CropBox [20 20 500 80]' },
      ],
      pageTree: '/CropBox [5 5 95 95] /Rotate 90',
    });
    const [first, second] = file.pages;
    expect(first?.boxes).toEqual({
      media: [0, 0, 300, 200],
      crop: [5, 5, 95, 95],
      bleed: null,
      trim: [10, 10, 290, 190],
      art: null,
    });
    expect(first?.effective.bleed).toEqual([5, 5, 95, 95]);
    expect([first?.rotate, first?.rotateAsWritten, first?.userUnit]).toEqual([270, -450, 2]);
    expect(second?.boxes.media).toEqual([100, 100, 0, 0]);
    expect(second?.effective).toMatchObject({ media: [0, 0, 100, 100], crop: [20, 20, 100, 80] });
    expect(second?.rotate).toBe(90);
  });

  test('a box outside the MediaBox counts as absent; an unusable MediaBox is replaced by US Letter', () => {
    const file = open({ pages: [{ extra: '/TrimBox [900 900 950 950]' }, { mediaBox: [0, 0, 0, 0] }] });
    expect(file.pages[0]?.effective.trim).toEqual([0, 0, 200, 200]);
    expect(file.pages[1]?.effective.media).toEqual([0, 0, 612, 792]);
  });

  test('are counted by walking the tree, regardless of /Count; circular trees end', () => {
    const file = open({
      objects: {
        2: '<< /Type /Pages /Count 2000000000 /Kids [5 0 R 2 0 R 6 0 R] >>',
        5: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 10 10] >>',
        6: '<< /Type /Pages /Parent 2 0 R /Count -3 /Kids [2 0 R 7 0 R] >>',
        7: '<< /Parent 6 0 R /MediaBox [0 0 20 20] >>',
      },
      pages: [],
    });
    expect(file.pages.map((page) => page.object)).toEqual([5, 7]);
  });

  test('that cannot be read keep their page number if /Count agrees with it', () => {
    const tree = (count: number): PdfFile =>
      open({
        objects: {
          2: `<< /Type /Pages /Count ${count} /Kids [5 0 R 9 0 R 5 0 R] >>`,
          5: '<< /Type /Page /MediaBox [0 0 10 10] >>',
        },
        pages: [],
      });
    expect(tree(3).pages.map((page) => page.object)).toEqual([5, 0, 5]);
    expect(tree(7).pages.map((page) => page.object)).toEqual([5, 5]);
  });

  test('have labels', () => {
    const file = open({
      pages: [{}, {}, {}, {}, {}],
      catalog: '/PageLabels << /Nums [0 << /S /r >> 2 << /S /D /P (A-) /St 8 >> 4 << /P (Cover) >>] >>',
    });
    expect(file.pages.map((page) => page.label)).toEqual(['i', 'ii', 'A-8', 'A-9', 'Cover']);
  });
});

describe('damage', () => {
  const good = text(buildPdf({ pages: [{ content: '0 0 m' }] }));
  test.each<[string, string, boolean]>([
    ['none', good, false],
    ['no %%EOF', good.replace('%%EOF', ''), true],
    ['wrong startxref', good.replace(/startxref\n\d+/, 'startxref\n7'), true],
    ['wrong table size', good.replace(/xref\n0 \d+/, 'xref\n0 99999'), true],
    ['bytes after the end', `${good}\n\0\0\0`, false],
  ])('%s', (_name, source, isRepaired) => {
    const file = openPdf({ path: onDisk(source) });
    expect(file.pageCount).toBe(1);
    expect(file.isRepaired).toBe(isRepaired);
  });

  test('leading bytes are not damage when offsets count from the header', () => {
    const file = openPdf({ path: onDisk(`junk before\n${good}`) });
    expect(file.structure.problems).toContain('header.leadingBytes');
    expect(file.pageCount).toBe(1);
  });

  test.each<[string, string, string]>([
    ['nothing', '', 'PDF_EMPTY'],
    ['text', 'Dear printer, please find attached', 'PDF_NOT_PDF'],
    ['a picture', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'PDF_NOT_PDF'],
    ['a header only', '%PDF-1.7\n', 'PDF_DAMAGED'],
  ])('%s is not a PDF', (_name, source, code) => {
    expect(faultOf(() => openPdf({ path: onDisk(source) }))).toBe(code);
  });

  test('a missing file, a directory, a file over the limit', () => {
    expect(faultOf(() => openPdf({ path: join(directory, 'nowhere.pdf') }))).toBe('FILE_NOT_FOUND');
    expect(faultOf(() => openPdf({ path: directory }))).toBe('FILE_NOT_FOUND');
    expect(faultOf(() => openPdf({ path: onDisk(good), budgets: { fileBytes: 100 } }))).toBe('PDF_TOO_LARGE');
  });

  test('a truncated file opens or fails with a fault code', () => {
    for (let tenth = 1; tenth < 10; tenth += 1) {
      const code = faultOf(() => openPdf({ path: onDisk(good.slice(0, (good.length * tenth) / 10)) }));
      expect(['opened', 'PDF_DAMAGED', 'PDF_NO_PAGES']).toContain(code);
    }
  });

  test('files that exceed a budget are refused', () => {
    expect(faultOf(() => openPdf({ path: onDisk(buildPdf({ pages: [{}, {}, {}] })), budgets: { pages: 2 } }))).toBe(
      'PDF_LIMIT_PAGES',
    );
    expect(faultOf(() => openPdf({ path: onDisk(good), budgets: { objects: 2 } }))).toBe('PDF_LIMIT_OBJECTS');
    expect(faultOf(() => openPdf({ path: onDisk(good), budgets: { xrefSections: 0 } }))).toBe('PDF_LIMIT_XREF');
  });
});
