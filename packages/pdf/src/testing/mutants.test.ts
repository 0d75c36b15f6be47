import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isNight } from '@pdf2press/config/by-day';
import { FileFaultError, inspectionSchema } from '@pdf2press/contract';
import { afterAll, expect, test } from 'vitest';
import { inspectPdf } from '../inspect/inspect.ts';
import { openPdf } from '../open/pdf-file.ts';
import { mutate } from './mutate.ts';
import { poisonPdfs } from './poison/poison.ts';

const directory = mkdtempSync(join(tmpdir(), 'mutants-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** Small files only; larger ones are tested in a child process with limits. */
const seedBytes = 3000;
const mutantCount = isNight ? 1500 : 200;

test(`${mutantCount} damaged files: each gives a valid result or a fault code`, async () => {
  const seeds = poisonPdfs().filter((poison) => poison.bytes.length < seedBytes);
  const path = join(directory, 'mutant.pdf');
  const outcomes = new Map<string, number>();
  for (let seed = 0; seed < mutantCount; seed += 1) {
    const poison = seeds[seed % seeds.length];
    if (!poison) continue;
    writeFileSync(path, mutate(poison.bytes, seed));
    const outcome = await inspectPdf({ path, threads: 1 }).then(
      (inspection) =>
        inspectionSchema.safeParse(JSON.parse(JSON.stringify(inspection))).success ? 'valid' : 'invalid',
      (error: unknown) => (error instanceof FileFaultError ? error.code : String(error)),
    );
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    expect(outcome, `seed ${seed}`).toMatch(/^(valid|PDF_[A-Z_]+)$/);
  }
  // Most damage can be repaired, as by other PDF readers.
  expect(outcomes.get('valid') ?? 0).toBeGreaterThan(mutantCount / 2);
});

/** Whether poppler finds a page with a size; a page that is only counted cannot be shown by anyone. */
function popplerOpens(path: string): boolean {
  const { stdout = '' } = spawnSync('pdfinfo', [path], { encoding: 'latin1', timeout: 20_000 });
  const [, width = '0', height = '0'] = /^Page size: +([\d.]+) x ([\d.]+)/m.exec(stdout) ?? [];
  return Number(width) > 0 && Number(height) > 0;
}

function weOpen(path: string): boolean {
  try {
    openPdf({ path }).close();
    return true;
  } catch (error) {
    // A password is asked for where one is needed.
    if (error instanceof FileFaultError) return error.code === 'PDF_ENCRYPTED';
    throw error;
  }
}

const isPopplerHere = spawnSync('pdfinfo', ['-v']).error === undefined;
const damagedCount = isNight ? 3000 : 300;

test.skipIf(!isPopplerHere)(
  `of ${damagedCount} damaged files nearly all that poppler opens open (skipped without pdfinfo)`,
  () => {
    const seeds = poisonPdfs().filter((poison) => poison.bytes.length < seedBytes);
    const path = join(directory, 'damaged.pdf');
    let [opens, popplerAlone] = [0, 0];
    for (let seed = 0; seed < damagedCount; seed += 1) {
      writeFileSync(path, mutate(seeds[seed % seeds.length]?.bytes ?? new Uint8Array(), 9000 + seed));
      if (weOpen(path)) opens += 1;
      else if (popplerOpens(path)) popplerAlone += 1;
    }
    console.log(`${opens} of ${damagedCount} damaged files open; poppler opens ${popplerAlone} others`);
    expect(popplerAlone / (opens + popplerAlone)).toBeLessThan(0.015);
  },
);
