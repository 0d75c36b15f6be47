import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createEditor } from '../edit/editor.ts';
import { pdfDict } from '../edit/make-values.ts';
import { buildPdf } from '../testing/build-pdf.ts';
import { rewritePdf } from '../write/rewrite-file.ts';
import { parseObject } from './parse-object.ts';
import { openPdf, type PdfFile } from './pdf-file.ts';
import { isDict, type PdfValue } from './values.ts';

const directory = mkdtempSync(join(tmpdir(), 'plain-'));
afterAll(() => rmSync(directory, { recursive: true }));
let count = 0;
const onDisk = (bytes: Uint8Array | string): string => {
  count += 1;
  const path = join(directory, `${count}.pdf`);
  writeFileSync(path, bytes, 'latin1');
  return path;
};

const source = buildPdf({
  pages: [{ content: '0 0 m 10 10 l S' }, { content: ['q', 'Q'] }],
  objects: {
    100: '<< /A (a \\(b\\) \\\\) /B <0102> /C [1 -2.5 true false null /N#20ame 3 0 R] >>',
    101: { dict: '/Kind /Long', data: 'x'.repeat(40_000) },
    102: '[1 2 3]',
    103: '102 0 R',
    104: '<< /Twice 1 /Twice 2 >>',
    105: `<< /Wide [${'0 '.repeat(9000)}] >>`,
  },
  catalog: '/Extra [100 0 R 101 0 R 102 0 R 103 0 R 104 0 R 105 0 R]',
});

function packed(): string {
  const file = openPdf({ path: onDisk(source) });
  const path = join(directory, 'packed.pdf');
  rewritePdf(file, path, { version: '1.7' });
  file.close();
  return path;
}

test.each<[string, () => string]>([
  ['with a table', () => onDisk(source)],
  ['with object streams', packed],
  [
    'whose offsets are wrong by one byte',
    () =>
      onDisk(
        Buffer.from(source)
          .toString('latin1')
          .replace(/(\d{9})\d( 00000 n)/g, '$17$2'),
      ),
  ],
  [
    'whose streams are longer than /Length',
    () => onDisk(Buffer.from(source).toString('latin1').replace('40000', '39000')),
  ],
])('a file %s is read the same as by MuPDF', (_name, make) => {
  const path = make();
  const file = openPdf({ path });
  expect(file.pageCount).toBe(file.engine.countPages());
  for (let num = 1; num < file.engine.countObjects(); num += 1) {
    expect([num, file.get(num)]).toEqual([num, engineValue(file, num)]);
    expect([num, Buffer.from(file.rawStream(num))]).toEqual([num, engineBytes(file, num)]);
  }
  file.close();
});

function engineValue({ engine }: PdfFile, num: number): PdfValue {
  const object = engine.newIndirect(num);
  const text = object.resolve().toString(true, true);
  return parseObject(Buffer.from(text, 'latin1'), object.isStream() ? num : 0);
}

function engineBytes({ engine }: PdfFile, num: number): Buffer {
  const object = engine.newIndirect(num);
  return object.isStream() ? Buffer.from(object.readRawStream().asUint8Array()) : Buffer.alloc(0);
}

test('a changed stream is read and written with its new data', () => {
  const path = onDisk(source);
  const file = openPdf({ path });
  const edit = createEditor(file);
  const dict = file.get(101);
  if (!isDict(dict)) throw new Error('no stream');
  for (const size of [100, 100_000]) {
    const data = new Uint8Array(size).map((_, at) => (at * 7) % 251);
    edit.setStream(101, data, pdfDict({ Filter: [] }, dict));
    expect(Buffer.from(file.rawStream(101))).toEqual(Buffer.from(data));
    const out = join(directory, `changed-${size}.pdf`);
    rewritePdf(file, out);
    const again = openPdf({ path: out });
    expect(again.rawStream(streamNumber(again, size))).toEqual(Buffer.from(data));
    again.close();
  }
  file.close();
});

function streamNumber(file: PdfFile, length: number): number {
  for (let num = 1; num < file.objectCount; num += 1) {
    const value = file.get(num);
    if (isDict(value) && value.stream && file.entry(value, 'Length') === length) return num;
  }
  return 0;
}

test('a stream is read from disk directly only when endstream is where /Length says', () => {
  const at = (bytes: Uint8Array | string) => {
    const file = openPdf({ path: onDisk(bytes) });
    const dict = file.get(101);
    const range = isDict(dict) ? file.streamRange(101, dict) : null;
    file.close();
    return range?.length ?? null;
  };
  expect(at(source)).toBe(40_000);
  expect(at(Buffer.from(source).toString('latin1').replace('40000', '39000'))).toBeNull();
});
