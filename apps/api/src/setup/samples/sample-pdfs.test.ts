import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { samplePdfs } from './sample-pdfs.ts';

describe('the sample files', () => {
  const hasQpdf = spawnSync('qpdf', ['--version']).status === 0;
  test.skipIf(!hasQpdf).each(samplePdfs.map(({ fileName, draw }) => [fileName, draw] as const))(
    '%s is valid for qpdf (skipped without qpdf)',
    (fileName, draw) => {
      const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'pdf2press-sample-')), fileName);
      writeFileSync(file, draw());
      const { status, stderr } = spawnSync('qpdf', ['--check', file], { encoding: 'utf8' });
      expect([status, stderr]).toEqual([0, '']);
    },
  );
});
