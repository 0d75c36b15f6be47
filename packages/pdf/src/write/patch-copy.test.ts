/** A patched copy must have the same content as a file that was written completely. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { FileFaultError } from '@pdf2press/contract/faults';
import { afterAll, expect, test } from 'vitest';
import { createEditor, type PdfEditor } from '../edit/editor.ts';
import { pdfDict } from '../edit/make-values.ts';
import { openPdf, type PdfFile } from '../open/pdf-file.ts';
import { isArray, isDict, isName, isRef, isString, type PdfValue } from '../open/values.ts';
import { buildPdf } from '../testing/build-pdf.ts';
import { patchCopy } from './patch-copy.ts';
import { rewritePdf } from './rewrite-file.ts';

const directory = mkdtempSync(join(tmpdir(), 'patch-'));
afterAll(() => rmSync(directory, { recursive: true }));
const at = (name: string): string => join(directory, name);

/**
 * All objects that can be reached from the catalog, independent of their numbers: one line each, in the order they are
 * found.
 */
function told(path: string): string[] {
  const file = openPdf({ path });
  const met = new Map<number, number>();
  const lines: string[] = [];
  const say = (value: PdfValue): string => {
    if (isRef(value)) {
      // A reference to a missing object is equal to null (ISO 32000-1, 7.3.10).
      if (file.get(value.num) === null) return 'null';
      const known = met.get(value.num);
      if (known !== undefined) return `#${known}`;
      const number = met.size;
      met.set(value.num, number);
      const object = file.get(value.num);
      const data = isDict(object) && object.stream !== 0 ? file.rawStream(value.num) : null;
      const text = say(object);
      lines.push(`${number}: ${text} ${data ? createHash('sha1').update(data).digest('hex') : ''}`);
      return `#${number}`;
    }
    if (isArray(value)) return `[${value.map(say).join(' ')}]`;
    if (isDict(value)) {
      const entries = [...value.map].filter(([key]) => key !== 'Length').sort(([a], [b]) => (a < b ? -1 : 1));
      return `<<${entries.map(([key, entry]) => `/${key} ${say(entry)}`).join(' ')}>>`;
    }
    if (isName(value)) return `/${value.name}`;
    if (isString(value)) return `(${Buffer.from(value.bytes).toString('latin1')})`;
    return String(value);
  };
  say(file.trailer.map.get('Root') ?? null);
  say(file.trailer.map.get('Info') ?? null);
  file.close();
  return lines;
}

/** Changes a file in both ways; false when it cannot be patched. */
async function patched(
  path: string,
  change: (edit: PdfEditor, file: PdfFile) => void,
  version?: string,
): Promise<boolean> {
  const file = openPdf({ path });
  change(createEditor(file), file);
  copyFileSync(path, at('copy.pdf'));
  const copy = Promise.resolve(at('copy.pdf'));
  const bytes = await patchCopy(file, { copy, path: at('patched.pdf'), version });
  rewritePdf(file, at('anew.pdf'), version === undefined ? {} : { version });
  file.close();
  if (bytes !== null) expect(readFileSync(at('patched.pdf'))).toHaveLength(bytes);
  return bytes !== null;
}

const source = buildPdf({
  pages: [{ content: '0 0 m 10 10 l S', resources: '/XObject<</Im 101 0 R>>' }, { content: ['q', 'Q'] }],
  objects: {
    100: '<< /Secret (nobody is to read this) >>',
    101: {
      dict: '/Type/XObject/Subtype/Image/Width 200/Height 200/ColorSpace/DeviceGray/BitsPerComponent 8',
      data: 'x'.repeat(40_000),
    },
    102: '[1 2 3]',
    103: `<< /Wide [${'0 '.repeat(9000)}] >>`,
  },
  catalog: '/Extra [100 0 R 102 0 R 103 0 R]',
});

const turned = (edit: PdfEditor, file: PdfFile): void => {
  const page = file.pages[0];
  if (!page) throw new Error('no page');
  edit.putPage(page, 'Rotate', 90);
  const extra = file.entry(file.catalog, 'Extra');
  const wide = isArray(extra) ? (extra[2] ?? null) : null;
  edit.putCatalog('Extra', [wide, { kind: 'ref', num: edit.addStream(Buffer.from('new'), pdfDict({})) }]);
  edit.putInfo('Title', { kind: 'string', bytes: Buffer.from('turned') });
};

test.each(['1.4', '1.7'])('unchanged objects of a file of version %s stay where they are', async (version) => {
  writeFileSync(at('plain.pdf'), source);
  const file = openPdf({ path: at('plain.pdf') });
  rewritePdf(file, at('source.pdf'), { version });
  file.close();
  expect(await patched(at('source.pdf'), turned)).toBe(true);
  expect(told(at('patched.pdf'))).toEqual(told(at('anew.pdf')));
  const [before, after] = [readFileSync(at('source.pdf')), readFileSync(at('patched.pdf'))];
  const image = 'x'.repeat(40_000);
  expect(after.indexOf(image)).toBe(before.indexOf(image));
  expect(after.toString('latin1').split('%%EOF')).toHaveLength(2);
  expect(existsSync(at('copy.pdf'))).toBe(false);
});

test('removed objects are erased', async () => {
  writeFileSync(at('plain.pdf'), source);
  expect(await patched(at('plain.pdf'), turned)).toBe(true);
  expect(readFileSync(at('plain.pdf')).includes('nobody is to read')).toBe(true);
  expect(readFileSync(at('patched.pdf')).includes('nobody is to read')).toBe(false);
});

test('a changed version is written to the header; versions before 1.5 get no object streams', async () => {
  writeFileSync(at('plain.pdf'), source);
  const file = openPdf({ path: at('plain.pdf') });
  rewritePdf(file, at('packed.pdf'), { version: '1.6' });
  file.close();
  expect(await patched(at('packed.pdf'), turned, '1.4')).toBe(true);
  expect(told(at('patched.pdf'))).toEqual(told(at('anew.pdf')));
  const text = readFileSync(at('patched.pdf'), 'latin1');
  expect(text.startsWith('%PDF-1.4')).toBe(true);
  expect(text).not.toContain('/ObjStm');
});

test('a file with incremental updates, or with many removed objects, is not patched', async () => {
  const grown = `${Buffer.from(source).toString('latin1')}100 0 obj\n<</Secret (older)>>\nendobj\n`;
  const start = /startxref\s+(\d+)/.exec(grown)?.[1];
  const offset = grown.lastIndexOf('100 0 obj');
  const entry = `${String(offset).padStart(10, '0')} 00000 n \n`;
  writeFileSync(
    at('grown.pdf'),
    `${grown}xref\n100 1\n${entry}trailer\n<</Size 104/Root 1 0 R/Prev ${start}>>\nstartxref\n${grown.length}\n%%EOF\n`,
    'latin1',
  );
  expect(await patched(at('grown.pdf'), turned)).toBe(false);
  writeFileSync(
    at('large.pdf'),
    buildPdf({
      pages: [{ content: '', resources: '/A 101 0 R' }],
      objects: { 101: { dict: '', data: 'x'.repeat(2 ** 21) } },
    }),
  );
  expect(await patched(at('large.pdf'), (edit, file) => edit.putPage(file.pageNow(1), 'Resources', pdfDict({})))).toBe(
    false,
  );
});

const corpus = join(
  process.env.CORPUS_DIR ?? resolve(import.meta.dirname, '../../../../../shared/corpus'),
  'public/files',
);
const reader = spawnSync('qpdf', ['--version']).error === undefined;
/** Result of qpdf --check: 0 for no problem or warnings only, 2 for an unreadable file; 0 without qpdf. */
const complaint = (path: string): number => (reader ? (spawnSync('qpdf', ['--check', path]).status ?? 2) % 3 : 0);

test.skipIf(!existsSync(corpus))(
  'public files have the same content when patched and when rewritten (needs the corpus)',
  async () => {
    let count = 0;
    for (const name of readdirSync(corpus)) {
      try {
        if (!(await patched(join(corpus, name), (edit, file) => edit.putPage(file.pageNow(1), 'Rotate', 180))))
          continue;
      } catch (error) {
        // Files that do not open, and files whose first page is a direct object.
        if (error instanceof FileFaultError || error instanceof RangeError) continue;
        throw error;
      }
      count += 1;
      expect([name, told(at('patched.pdf'))]).toEqual([name, told(at('anew.pdf'))]);
      if (count % 4 === 0) expect([name, complaint(at('patched.pdf'))]).toEqual([name, complaint(at('anew.pdf'))]);
    }
    expect(count).toBeGreaterThan(10);
  },
);
