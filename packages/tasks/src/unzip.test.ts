import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { FileFaultError, unzippedBytesOf, unzippedLimit, zipDirectoryAt, zipEndBytes } from '@pdf2press/contract';
import { buildZip, type ZipEntry } from '@pdf2press/pdf/testing';
import { afterAll, expect, test } from 'vitest';
import { runTask } from './tasks.ts';
import type { UnzipParams } from './unzip.ts';

const directory = mkdtempSync(path.join(os.tmpdir(), 'unzip-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** What becomes of a ZIP in the limited child, and what it left on disk. */
async function unzip(bytes: Uint8Array, asked: Partial<UnzipParams> = {}) {
  const folder = mkdtempSync(path.join(directory, 'case-'));
  const file = path.join(folder, 'in.zip');
  writeFileSync(file, bytes);
  const workDir = mkdtempSync(path.join(folder, 'work-'));
  const params = { path: file, types: ['PDF' as const], takesSidecars: false, ...asked };
  const fault = (error: unknown) => (error instanceof FileFaultError ? error.code : String(error));
  const result = await runTask('unzip', params, { workDir }).catch(fault);
  return { result, left: readdirSync(workDir).sort(), workDir };
}

const pdf = (text: string): Buffer => Buffer.from(`%PDF-1.4 ${text}`);
const entry = (name: string, more: Partial<ZipEntry> = {}): ZipEntry => ({ name, data: pdf(name), ...more });

test('each file comes out whole, under a number; its name is only shown', async () => {
  const long = `${'n'.repeat(396)}.pdf`;
  const { result, left, workDir } = await unzip(
    buildZip([entry('a.pdf'), entry('in/../../etc/b.PDF'), entry('C:\\jobs\\c.pdf'), entry(long), entry('/d.pdf')]),
  );
  expect(left).toEqual(['1', '2', '3', '4', '5']);
  expect(readFileSync(path.join(workDir, '2'), 'utf8')).toContain('etc/b.PDF');
  expect(result).toEqual({
    files: [
      { path: '1', name: 'a.pdf' },
      { path: '2', name: 'in/etc/b.PDF' },
      { path: '3', name: 'jobs/c.pdf' },
      { path: '4', name: `${'n'.repeat(196)}.pdf` },
      { path: '5', name: 'd.pdf' },
    ],
    skipped: [],
  });
});

test('what is not taken is told; what packers add by themselves is not', async () => {
  const { result, left } = await unzip(
    buildZip([
      entry('a.pdf'),
      entry('folder/'),
      entry('__MACOSX/._a.pdf'),
      entry('.DS_Store'),
      entry('empty.pdf', { data: Buffer.alloc(0) }),
      entry('inner.zip'),
      entry('link.pdf', { isLink: true, data: Buffer.from('/etc/passwd') }),
      entry('notes.docx'),
      entry('photo.jpg'),
    ]),
  );
  expect(left).toEqual(['1']);
  expect(result).toEqual({
    files: [{ path: '1', name: 'a.pdf' }],
    skipped: [
      { name: 'empty.pdf', code: 'PDF_EMPTY' },
      { name: 'inner.zip', code: 'ZIP_NESTED' },
      { name: 'link.pdf', code: 'ZIP_LINK' },
      { name: 'notes.docx', code: 'ZIP_TYPE' },
      { name: 'photo.jpg', code: 'ZIP_TYPE' },
    ],
  });
});

test('a file with values goes with the file of its name, in the same folder', async () => {
  const zip = buildZip([
    entry('one/a.json', { data: Buffer.from('{"copies":5}') }),
    entry('one/a.pdf'),
    entry('two/a.pdf'),
    entry('two/big.csv', { data: Buffer.alloc(70_000, 'x') }),
  ]);
  expect((await unzip(zip, { takesSidecars: true })).result).toEqual({
    files: [
      { path: '1', name: 'one/a.pdf', sidecar: { name: 'one/a.json', text: '{"copies":5}' } },
      { path: '2', name: 'two/a.pdf' },
    ],
    skipped: [{ name: 'two/big.csv', code: 'sidecar.tooLarge' }],
  });
  expect((await unzip(zip)).result).toMatchObject({ skipped: [{ code: 'ZIP_TYPE' }, { code: 'ZIP_TYPE' }] });
});

const many = (count: number, name = (at: number) => `${at}.pdf`) =>
  buildZip(Array.from({ length: count }, (_, at) => ({ name: name(at), data: Buffer.from('x') })));

test.each<[string, () => Buffer, string]>([
  ['a password', () => buildZip([entry('a.pdf'), entry('b.pdf', { isEncrypted: true })]), 'ZIP_ENCRYPTED'],
  ['no ZIP at all', () => Buffer.from('PK\x03\x04 and nothing more'), 'ZIP_DAMAGED'],
  ['a cut end', () => buildZip([entry('a.pdf'), entry('b.pdf')]).subarray(0, -30), 'ZIP_DAMAGED'],
  ['a wrong checksum', () => buildZip([entry('a.pdf', { checksum: 1 })]), 'ZIP_DAMAGED'],
  [
    'more bytes than it says',
    () => buildZip([entry('a.pdf', { data: Buffer.alloc(9999), declaredBytes: 9 })]),
    'ZIP_DAMAGED',
  ],
  ['too many files', () => many(1001), 'ZIP_LIMIT_ENTRIES'],
  ['too many entries of any kind', () => many(10_001, (at) => `${at}.txt`), 'ZIP_LIMIT_ENTRIES'],
  ['a hundred megabytes of zeros', () => buildZip([entry('a.pdf', { data: Buffer.alloc(100e6) })]), 'ZIP_LIMIT_RATIO'],
  [
    'more than it may hold',
    () => buildZip([1, 2].map((n) => entry(`${n}.pdf`, { declaredBytes: 3e9 }))),
    'ZIP_LIMIT_BYTES',
  ],
])('%s: one code', async (_, make, code) => {
  const { result, left } = await unzip(make());
  expect(result).toBe(code);
  // Limits and passwords are seen before the first byte is written.
  if (code !== 'ZIP_DAMAGED') expect(left).toEqual([]);
});

/** What a ZIP says of itself, as whoever receives it reads it: from its end. */
function declared(zip: Buffer): number | undefined {
  const at = zipDirectoryAt(zip.subarray(Math.max(0, zip.length - zipEndBytes)));
  return at && unzippedBytesOf(zip.subarray(at.start, at.start + at.bytes));
}

test('the end of a ZIP says how large its files are together, with a comment, and with sizes of 64 bits', () => {
  const zip = buildZip([entry('a.pdf', { data: Buffer.alloc(5_000) }), entry('folder/'), entry('b.pdf')]);
  expect(declared(zip)).toBe(5_000 + pdf('folder/').length + pdf('b.pdf').length);
  const comment = Buffer.from('PK\x05\x06 written by hand');
  const end = zip.length - 22;
  const commented = Buffer.concat([zip, comment]);
  commented.writeUInt16LE(comment.length, end + 20);
  expect(declared(commented)).toBe(declared(zip));
  // A directory by hand (APPNOTE 4.3.12 and 4.5.3): a name of one letter, another field, and that of 64 bits.
  const head = Buffer.alloc(46);
  head.writeUInt32LE(0x02014b50, 0);
  head.writeUInt32LE(0xffffffff, 24);
  head.writeUInt16LE(1, 28);
  head.writeUInt16LE(17, 30);
  const extra = Buffer.alloc(17);
  extra.writeUInt16LE(0x7075, 0);
  extra.writeUInt16LE(1, 2);
  extra.writeUInt16LE(1, 5);
  extra.writeUInt16LE(8, 7);
  extra.writeBigUInt64LE(9_000_000_000n, 9);
  expect(unzippedBytesOf(Buffer.concat([head, Buffer.from('a'), extra]))).toBe(9_000_000_000);
});

test('what is no ZIP, is cut, or lies says nothing, and is read in no circle', () => {
  const zip = buildZip([entry('a.pdf'), entry('b.pdf')]);
  for (let length = 0; length < zip.length; length += 1) expect(declared(zip.subarray(0, length))).toBeUndefined();
  const directory = zip.subarray(zip.indexOf('PK\x01\x02'));
  for (let length = 0; length < directory.length; length += 1)
    expect(unzippedBytesOf(directory.subarray(0, length))).toBeLessThanOrEqual(declared(zip) ?? 0);
});

test('the limits: four GiB, and two hundred times the ZIP above 64 MiB', () => {
  const limit = (zipBytes: number, bytes: number) => unzippedLimit({ zipBytes, bytes })?.code;
  expect(limit(1, 64 * 2 ** 20)).toBeUndefined();
  expect(limit(1, 64 * 2 ** 20 + 1)).toBe('ZIP_LIMIT_RATIO');
  expect(limit(2 ** 20, 200 * 2 ** 20)).toBeUndefined();
  expect(limit(2 ** 20, 200 * 2 ** 20 + 1)).toBe('ZIP_LIMIT_RATIO');
  expect(limit(2 ** 32, 4 * 2 ** 30)).toBeUndefined();
  expect(limit(2 ** 32, 4 * 2 ** 30 + 1)).toBe('ZIP_LIMIT_BYTES');
});
