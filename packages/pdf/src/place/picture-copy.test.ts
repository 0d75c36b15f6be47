import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createColourService } from '../colour/colour-service.ts';
import { openPdf } from '../open/pdf-file.ts';
import { renderPreview } from '../render/preview.ts';
import { openRenderService } from '../render/render-service.ts';
import { buildPdf } from '../testing/testing.ts';
import { writePictureCopy } from './picture-copy.ts';

const workDir = mkdtempSync(path.join(os.tmpdir(), 'picture-copy-'));
afterAll(() => rmSync(workDir, { recursive: true, force: true }));

test('a page that takes too long to separate is crossed out, and the others are pictures', async () => {
  const file = path.join(workDir, 'in.pdf');
  const mediaBox = [0, 0, 200, 100];
  // Ghostscript needs minutes for so many saved states.
  const pages = ['q '.repeat(200_000), '0 0 0 1 k 0 0 200 100 re f'].map((content) => ({ mediaBox, content }));
  writeFileSync(file, buildPdf({ pages }));
  const render = openRenderService({ path: file, workDir, defaults: { cpuSeconds: 3 } });
  const colour = await createColourService();
  const copy = path.join(workDir, 'copy.pdf');
  try {
    await expect(render.plates(1, { dpi: 72, box: 'crop' })).rejects.toMatchObject({ code: 'PDF_TIMEOUT' });
    await writePictureCopy(render, colour, { path: copy, dpi: 72, watermark: '' });
  } finally {
    colour.close();
    render.close();
  }
  const made = openPdf({ path: copy });
  try {
    const levelsAt = (page: number, spots: readonly (readonly [number, number])[]) => {
      const { pixels, width } = renderPreview(made, page, { dpi: 72 });
      return spots.map(([x, y]) => pixels[(y * width + x) * 3] ?? 0);
    };
    const [paper, cross] = levelsAt(1, [
      [100, 10],
      [100, 50],
    ]);
    expect(paper).toBe(255);
    expect(cross).toBeLessThan(200);
    for (const level of levelsAt(2, [
      [100, 10],
      [100, 50],
    ]))
      expect(level).toBeLessThan(80);
  } finally {
    made.close();
  }
}, 180_000);
