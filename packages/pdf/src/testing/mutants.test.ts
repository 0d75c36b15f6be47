import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isNight } from '@pdf2press/config/by-day';
import { FileFaultError, inspectionSchema } from '@pdf2press/contract';
import { afterAll, expect, test } from 'vitest';
import { inspectPdf } from '../inspect/inspect.ts';
import { mutate } from './mutate.ts';
import { poisonPdfs } from './poison/poison.ts';

const directory = mkdtempSync(join(tmpdir(), 'mutants-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** Small files only; larger ones are tested in a child process with limits. */
const seedBytes = 3000;
const mutantCount = isNight ? 1500 : 500;

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
