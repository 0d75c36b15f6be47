import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openPdf } from '../open/pdf-file.ts';
import { buildPdf } from '../testing/build-pdf.ts';
import { fontOutlines } from './font-outlines.ts';

const directory = mkdtempSync(path.join(os.tmpdir(), 'font-outlines-test-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test('the outline of a code is the same to the last digit beside whatever other codes it is asked for', () => {
  const times = '<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman /Encoding /WinAnsiEncoding >>';
  const written = path.join(directory, 'font.pdf');
  writeFileSync(written, buildPdf({ pages: [{ resources: '/Font << /F1 5 0 R >>' }], objects: { 5: times } }));
  const file = openPdf({ path: written });
  const codes = Array.from({ length: 90 }, (_, at) => (0x21 + at).toString(16));
  const together = fontOutlines(file, 5, codes);
  for (const code of codes) {
    const outline = together.get(code);
    expect(outline?.length).toBeGreaterThan(0);
    expect(fontOutlines(file, 5, [code]).get(code)).toEqual(outline);
  }
  file.close();
});
