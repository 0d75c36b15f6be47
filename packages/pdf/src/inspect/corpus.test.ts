/**
 * Compares our facts with those of poppler, MuPDF, qpdf and Ghostscript on public files. The corpus is not part of the
 * repository; without it the test is skipped. The rules of comparison are in the corpus file `oracle-compare.md`.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FileFaultError, type Inspection } from '@pdf2press/contract';
import { describe, expect, test } from 'vitest';
import { compareFacts, type Fact, type Oracle } from './compare-facts.ts';
import { inspectPdf } from './inspect.ts';
import { knownDifferences } from './known-differences.ts';

const corpus = process.env.CORPUS_DIR ?? resolve(repositoryRoot(), '../shared/corpus');
const set = join(corpus, 'public');
const isHere = existsSync(join(set, 'oracle.json'));

function repositoryRoot(): string {
  let at = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(at, 'pnpm-workspace.yaml')) && at !== dirname(at)) at = dirname(at);
  return at;
}

interface Entry {
  name: string;
  password?: string;
  tags: string[];
  inks_in_objects: string[];
}

/** Required share of agreement for each fact; for fonts and images list entries are counted. */
const wanted: Partial<Record<Fact, number>> = { 'fonts.precision': 0.95 };
const wantedOtherwise = 0.98;

describe.skipIf(!isHere)(`inspect agrees with other tools (skipped without ${set})`, () => {
  const read = (name: string): unknown => JSON.parse(readFileSync(join(set, name), 'utf8'));
  const entries = isHere ? (read('manifest.json') as { entries: Entry[] }).entries : [];
  const oracles = isHere ? (read('oracle.json') as { files: Record<string, Oracle> }).files : {};

  test('on every fact', async () => {
    const totals = new Map<Fact, { agree: number; all: number }>();
    const surprises: string[] = [];
    for (const entry of entries) {
      const oracle = oracles[entry.name];
      if (!oracle) continue;
      const ours = await inspectOrFault(join(set, 'files', entry.name), entry.password);
      for (const { fact, agree, all, differences } of compareFacts(ours, oracle, entry)) {
        // Differences with a stated reason are not counted.
        const isKnown = knownDifferences[entry.name]?.[fact] !== undefined;
        const total = totals.get(fact) ?? { agree: 0, all: 0 };
        totals.set(fact, { agree: total.agree + agree, all: total.all + (isKnown ? agree : all) });
        if (!isKnown) surprises.push(...differences.map((difference) => `${entry.name} ${fact}: ${difference}`));
      }
    }
    const table = [...totals].map(
      ([fact, { agree, all }]) => `${fact.padEnd(20)} ${agree}/${all} ${((100 * agree) / all).toFixed(2)} %`,
    );
    console.log(table.join('\n'));
    expect(surprises).toEqual([]);
    for (const [fact, { agree, all }] of totals) {
      expect(agree / all, fact).toBeGreaterThanOrEqual(wanted[fact] ?? wantedOtherwise);
    }
  });
});

async function inspectOrFault(path: string, password: string | undefined): Promise<Inspection | FileFaultError> {
  try {
    return await inspectPdf({ path, password });
  } catch (error) {
    if (error instanceof FileFaultError) return error;
    throw error;
  }
}
