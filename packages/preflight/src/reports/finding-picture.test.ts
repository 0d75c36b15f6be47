import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Finding } from '@pdf2press/contract';
import { openRenderService } from '@pdf2press/pdf';
import { afterAll, expect, test } from 'vitest';
import { doc, onCyan } from '../quality/content.ts';
import { pdfOf } from '../quality/doc.ts';
import { createPictureMaker } from './finding-picture.ts';

const directory = mkdtempSync(path.join(os.tmpdir(), 'finding-picture-test-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const finding: Finding = {
  id: 'f1',
  checkKey: 'OverPrint',
  ruleKey: 'OverPrint.anyOverprint',
  severity: 'Warn',
  page: 1,
  box: [100, 200, 130, 230],
  params: {},
  count: 1,
  fixableBy: null,
};

test('a finding with a box has one picture, an overprint finding two, and one without a box none', async () => {
  const file = path.join(directory, 'job.pdf');
  writeFileSync(file, pdfOf(doc(onCyan('/Over gs 0 0 1 0 k 100 200 30 30 re f'))));
  const render = openRenderService({ path: file, workDir: directory });
  const maker = createPictureMaker(render);
  try {
    const pair = await maker.picturesOf(finding);
    expect(pair.map(({ caption }) => caption)).toEqual(['withOverprint', 'withoutOverprint']);
    const [on, off] = pair.map(({ raster }) => {
      const middle = (Math.floor(raster.height / 2) * raster.width + Math.floor(raster.width / 2)) * 3;
      return [...raster.pixels.subarray(middle, middle + 3)];
    });
    // Yellow over cyan is green with overprint and yellow without.
    expect([on?.[0], off?.[0]].map((red) => Number(red) > 200)).toEqual([false, true]);
    expect(await maker.picturesOf({ ...finding, checkKey: 'ThinLines' })).toMatchObject([{ caption: null }]);
    expect(await maker.picturesOf({ ...finding, page: null })).toEqual([]);
    expect(await maker.picturesOf({ ...finding, box: [0, 0, 400, 500] })).toEqual([]);
  } finally {
    maker.close();
    render.close();
  }
}, 60_000);
