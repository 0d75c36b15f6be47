import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { buildPdf } from '../testing/build-pdf.ts';
import { saveCmykPicture } from './cmyk-picture.ts';
import { sharp } from './lazy-sharp.ts';
import { openRenderService } from './render-service.ts';

const dir = mkdtempSync(path.join(os.tmpdir(), 'cmyk-picture-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

if (spawnSync('gs', ['--version']).error !== undefined) test.skip('gs is not installed', () => undefined);
else {
  test.each(['jpeg', 'tiff'] as const)(
    'a CMYK %s has the values of the plates and the press profile',
    async (format) => {
      const card = path.join(dir, 'card.pdf');
      // Cyan, half of it overprinted by black.
      const content = '1 0 0 0 k 0 0 100 100 re f /O gs 0 0 0 1 k 50 0 50 100 re f';
      const resources = '/ExtGState << /O << /op true /OP true /OPM 1 >> >>';
      writeFileSync(card, buildPdf({ pages: [{ mediaBox: [0, 0, 100, 100], content, resources }] }));
      const service = openRenderService({ path: card, workDir: dir });
      const file = path.join(dir, `card.${format}`);
      try {
        await saveCmykPicture(await service.plates(1, { dpi: 144 }), file, { format, quality: 100 });
      } finally {
        service.close();
      }
      const { space, channels, density, icc, width } = await sharp(file).metadata();
      expect({ space, channels, density, width }).toEqual({ space: 'cmyk', channels: 4, density: 144, width: 200 });
      expect(icc?.toString('latin1', 12, 20)).toBe('prtrCMYK');
      const pixels = await sharp(file).pipelineColourspace('cmyk').toColourspace('cmyk').raw().toBuffer();
      const at = (x: number) =>
        [...pixels.subarray((100 * 200 + x) * 4).subarray(0, 4)].map((ink) => Math.round(ink / 25.5));
      expect([at(50), at(150)]).toEqual([
        [10, 0, 0, 0],
        [10, 0, 0, 10],
      ]);
      expect(readdirSync(dir).filter((name) => name.endsWith('.raw'))).toEqual([]);
    },
  );
}
