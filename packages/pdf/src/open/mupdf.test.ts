import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { inspectPdf } from '../inspect/inspect.ts';
import { buildPdf } from '../testing/build-pdf.ts';

const folder = mkdtempSync(join(tmpdir(), 'mupdf-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const door = pathToFileURL(createRequire(import.meta.url).resolve('@pdf2press/pdf/inspect')).href;

/** Inspects files one after the other in a process that has not loaded MuPDF; says of each whether it is loaded then. */
function inspectAlone(files: readonly string[]): { inspection: unknown; isLoaded: boolean }[] {
  const program = `
    import { inspectPdf } from '${door}';
    const told = [];
    for (const path of process.argv.slice(1)) {
      const inspection = await inspectPdf({ path }).catch(({ code, params }) => ({ code, params }));
      // MuPDF's JavaScript leaves it here.
      told.push({ inspection, isLoaded: '$libmupdf_log_error' in globalThis });
    }
    process.stdout.write(JSON.stringify(told));`;
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', program, ...files], { encoding: 'utf8' }),
  );
}

const put = (name: string, bytes: Uint8Array | string): string => {
  const file = join(folder, name);
  writeFileSync(file, bytes);
  return file;
};

const plain = buildPdf({
  pages: [{ content: '0 1 0 0 k 10 10 80 80 re f', mediaBox: [0, 0, 100, 100], extra: '/TrimBox [5 5 95 95]' }],
});
const text = Buffer.from(plain).toString('latin1');

const needing: Record<string, string> = {
  'a damaged table': put('table.pdf', Buffer.from(text.replace(/startxref\s+\d+/, 'startxref\n7'), 'latin1')),
  'no header': put('header.pdf', Buffer.from(text.replace(/^%PDF-1\.\d/, '%XYZ-1.7'), 'latin1')),
  'a standard font without widths': put(
    'font.pdf',
    buildPdf({
      objects: { 5: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>' },
      pages: [
        {
          content: 'BT /F 12 Tf 10 10 Td (Text) Tj ET',
          mediaBox: [0, 0, 100, 100],
          resources: '/Font << /F 5 0 R >>',
        },
      ],
    }),
  ),
  'a form in a rare encoding': put(
    'hex.pdf',
    buildPdf({
      objects: {
        5: {
          dict: '/Type /XObject /Subtype /Form /BBox [0 0 100 100] /Filter /ASCIIHexDecode',
          data: Buffer.from('0 1 0 0 k 5 5 50 50 re f').toString('hex'),
        },
      },
      pages: [{ content: '/X Do', mediaBox: [0, 0, 100, 100], resources: '/XObject << /X 5 0 R >>' }],
    }),
  ),
  'no PDF at all': put('nonsense.pdf', 'nonsense'),
};

test('an undamaged file is inspected without MuPDF', async () => {
  const file = put('plain.pdf', plain);
  const [told] = inspectAlone([file]);
  expect(told?.isLoaded).toBe(false);
  expect(told?.inspection).toEqual(JSON.parse(JSON.stringify(await inspectPdf({ path: file }))));
});

test.each(Object.entries(needing))(
  '%s: MuPDF is loaded, and the answer is as with it from the beginning',
  async (_, file) => {
    const [told] = inspectAlone([file]);
    expect(told?.isLoaded).toBe(true);
    const expected = await inspectPdf({ path: file }).catch(({ code, params }) => ({ code, params }));
    expect(told?.inspection).toEqual(JSON.parse(JSON.stringify(expected)));
  },
);
