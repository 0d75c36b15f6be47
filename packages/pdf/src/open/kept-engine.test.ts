import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { childFlags, defaultLimits } from '../limited/limited.ts';
import { buildPdf } from '../testing/build-pdf.ts';

const folder = mkdtempSync(join(tmpdir(), 'kept-engine-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const door = pathToFileURL(createRequire(import.meta.url).resolve('@pdf2press/pdf')).href;
const file = join(folder, 'page.pdf');
writeFileSync(
  file,
  buildPdf({
    pages: [{ content: '0 1 0.3 0 k 10 10 m 90 10 50 90 10 90 c f', mediaBox: [0, 0, 100, 100] }],
  }),
);

/** Draws the page in a process with these flags; says whether MuPDF started with the code that the build kept. */
function drawn(flags: readonly string[]): { isKept: boolean; sum: string } {
  const program = `
    import { createHash } from 'node:crypto';
    import { openPdf, renderPreview } from '${door}';
    const pdf = openPdf({ path: ${JSON.stringify(file)} });
    const { pixels } = renderPreview(pdf, 1, { dpi: 72 });
    const isKept = '$libmupdf_wasm_Module' in globalThis;
    process.stdout.write(JSON.stringify({ isKept, sum: createHash('sha256').update(pixels).digest('hex') }));`;
  return JSON.parse(
    execFileSync(process.execPath, [...flags, '--input-type=module', '-e', program], { encoding: 'utf8' }),
  );
}

test('MuPDF starts with kept code in a child with the flags it was kept with, and draws the same in any other', () => {
  const [child, other] = [drawn(childFlags(defaultLimits)), drawn(['--max-old-space-size=300'])];
  expect([child.isKept, other.isKept]).toEqual([true, false]);
  expect(child.sum).toBe(other.sum);
});
