import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openPdf } from '@pdf2press/pdf';
import { buildPdf } from '@pdf2press/pdf/testing';
import { afterAll, expect, test } from 'vitest';
import { runTask } from './tasks.ts';

const workDir = mkdtempSync(path.join(os.tmpdir(), 'picture-copy-'));
afterAll(() => rmSync(workDir, { recursive: true, force: true }));

test('six hundred pages are made one after the other', async () => {
  const pages = Array.from({ length: 600 }, (_, at) => ({
    mediaBox: [0, 0, 120, 160],
    content: `${(at % 10) / 10} 0 0 0 k 20 20 80 80 re f`,
  }));
  const file = path.join(workDir, 'in.pdf');
  writeFileSync(file, buildPdf({ pages }));
  const { name } = await runTask('pictureCopy', { path: file, dpi: 72, watermark: 'Proof' }, { workDir });
  const copy = openPdf({ path: path.join(workDir, name) });
  expect(copy.pageCount).toBe(600);
  copy.close();
});
