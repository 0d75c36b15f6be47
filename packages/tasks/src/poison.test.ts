import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { sampled } from '@pdf2press/config/by-day';
import { FileFaultError, inspectionSchema } from '@pdf2press/contract';
import { poisonPdfs } from '@pdf2press/pdf/testing';
import { afterAll, describe, expect, test } from 'vitest';
import { runTask } from './tasks.ts';

const directory = mkdtempSync(join(os.tmpdir(), 'poison-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** Files that must be refused, with the code. */
const refused: Readonly<Record<string, RegExp>> = {
  'pages-doubling': /^PDF_LIMIT_PAGES$/,
  'incremental-3000': /^PDF_LIMIT_XREF$/,
  'content-deep-arrays': /^PDF_LIMIT_NESTING$/,
  'form-multiplying': /^PDF_LIMIT_EXPANSION$/,
  'flate-bomb-10g': /^PDF_LIMIT_EXPANSION$/,
  'fonts-65k': /^PDF_LIMIT_FONTS$/,
  'images-60k': /^PDF_LIMIT_IMAGES$/,
  'encrypt-1': /^PDF_ENCRYPTED$/,
  'encrypt-handler': /^PDF_ENCRYPTED$/,
};
/** Files that must be read, with their page count. */
const pageCounts: Readonly<Record<string, number>> = {
  'pages-count-huge': 1,
  'pages-circle': 2,
  'form-self': 1,
  'actions-circle': 1,
  'box-nan': 1,
};
/** Only to end a hang; long, for busy machines. */
const wallMs = 280_000;

describe('malicious files', () => {
  const all = poisonPdfs();

  test('there are at least 120', () => {
    expect(new Set(all.map(({ name }) => name)).size).toBeGreaterThanOrEqual(120);
  });

  test('give a valid result or a fault with a code, without crash, timeout or exceeded memory', async () => {
    const surprises: string[] = [];
    const waiting = [...sampled(all, 12, ({ name }) => name in refused || name in pageCounts)];
    const work = async (): Promise<void> => {
      for (let poison = waiting.pop(); poison; poison = waiting.pop()) {
        const outcome = await outcomeOf(poison.name, poison.bytes);
        const wanted =
          refused[poison.name] ?? new RegExp(`^${pageCounts[poison.name] ?? '\\d+|PDF_(?!CRASH|TIMEOUT|MEMORY).*'}$`);
        if (!wanted.test(outcome)) surprises.push(`${poison.name}: ${outcome}`);
      }
    };
    await Promise.all(Array.from({ length: Math.max(2, os.availableParallelism()) }, work));
    expect(surprises).toEqual([]);
  });
});

/** The page count, or the fault's code. */
async function outcomeOf(name: string, bytes: Uint8Array): Promise<string> {
  const workDir = mkdtempSync(join(directory, `${name}-`));
  const path = join(workDir, 'poison.pdf');
  writeFileSync(path, bytes);
  try {
    const inspection = await runTask('inspect', { path }, { workDir, limits: { wallMs } });
    return inspectionSchema.safeParse(inspection).success ? String(inspection.pageCount) : 'invalid';
  } catch (error) {
    return error instanceof FileFaultError ? error.code : String(error);
  } finally {
    rmSync(workDir, { recursive: true });
  }
}
