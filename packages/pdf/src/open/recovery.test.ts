import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { buildPdf, objectBytes } from '../testing/build-pdf.ts';
import { openPdf, type PdfFile } from './pdf-file.ts';
import { isDict } from './values.ts';

const directory = mkdtempSync(path.join(os.tmpdir(), 'recovery-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function opened<T>(bytes: Uint8Array | string, look: (file: PdfFile) => T, password?: string): T {
  const name = path.join(directory, 'damaged.pdf');
  writeFileSync(name, bytes, 'latin1');
  const file = openPdf({ path: name, password });
  try {
    return look(file);
  } finally {
    file.close();
  }
}
const facts = (file: PdfFile) => [file.pageCount, file.isRepaired, file.engine.countPages()];

const sound = Buffer.from(
  buildPdf({ pages: [{ content: '0 g 9 9 50 50 re f' }], objects: { 50: '<< /List [1 2 (a) ] >>' } }),
).toString('latin1');
/** Brackets that never close, at which the engine gives up its repair, and a table that leads nowhere. */
const broken = sound.replace('/List [1 2 (a) ]', '/List [1 2 << /A [[').replace(/startxref\n\d+/, 'startxref\n999999');

test('a file whose table leads nowhere and one of whose objects never ends opens with its other objects', () => {
  expect(opened(broken, facts)).toEqual([1, true, 1]);
  expect(opened(broken, (file) => Buffer.from(file.stream(51)).toString())).toBe('0 g 9 9 50 50 re f');
});

test('the same without its header or with bytes before it', () => {
  expect(opened(broken.replace(/^%PDF-1.7\n/, ''), facts)).toEqual([1, true, 1]);
  expect(opened(`some words\n${broken}`, facts)).toEqual([1, true, 1]);
});

test('the same without a trailer: its catalog is found by its type', () => {
  expect(opened(broken.replace(/trailer[\s\S]*$/, ''), facts)).toEqual([1, true, 1]);
});

test('objects in object streams are found, and the last of equal numbers counts', () => {
  const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 70 80] >>';
  const inside = `3 0 ${page}`;
  const bytes = Buffer.concat([
    Buffer.from('%PDF-1.7\n'),
    objectBytes(1, '<< /Type /Catalog /Pages 9 0 R >>'),
    objectBytes(1, '<< /Type /Catalog /Pages 2 0 R >>'),
    objectBytes(2, '<< /Type /Pages /Count 1 /Kids [3 0 R] >>'),
    objectBytes(4, { dict: '/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode', data: deflateSync(inside) }),
    objectBytes(5, '<< /A [[ << '),
    Buffer.from('startxref\n7\n%%EOF\n'),
  ]);
  expect(opened(bytes, facts)).toEqual([1, true, 1]);
  expect(opened(bytes, (file) => isDict(file.get(3)) && file.pages[0]?.boxes)).toBeTruthy();
});

test('the table takes the number of no object that is missing: a catalog alone has no pages', () => {
  const alone = '%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 ';
  expect(() => opened(alone, facts)).toThrow('PDF_NO_PAGES');
  expect(() => opened(`${alone}\n7 0 obj\n[ 8 0 R 9 0 R ]\nendobj`, facts)).toThrow('PDF_NO_PAGES');
});

test('a file of nothing but beginnings and one of packed objects without end are searched once', () => {
  // Searched anew for each of them it takes longer than a test may.
  const many = '1 0 obj<</Type/ObjStm/N 9>>stream\n'.repeat(200_000);
  expect(() => opened(`%PDF-1.7\n${many}`, facts)).toThrow(/PDF_/);
});

test('what has no catalog is still a damaged file', () => {
  expect(() => opened('%PDF-1.7\n5 0 obj\n<< /A 1 >>\nendobj\n', facts)).toThrow(/PDF_/);
});
