/**
 * Facts of fixed files as other people's tools see them: the corpus holds those of the originals, and the script that makes
 * them. Only with `FIX_CORPUS=all`: Ghostscript separates every page twice.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { FileFaultError } from '@pdf2press/contract';
import { describe, expect, test } from 'vitest';
import { corpus, corpusCases, isAll } from '../testing/corpus-cases.ts';
import { fixedBy, testDir } from '../testing/fix-files.ts';
import { fixContracts } from './contracts.ts';
import type { GuardedFact } from './define-fix.ts';

const script = path.join(corpus, 'oracle.py');
const files = path.join(corpus, 'public/files');
const python = process.env.PYTHON ?? 'python3';
const canRun = isAll && existsSync(script) && spawnSync(python, ['-c', 'import numpy, PIL']).status === 0;

interface Facts {
  page_count: { agreed: number | null };
  pdffonts: { fonts?: { name?: string | null; type?: string; embedded?: boolean }[] };
  pdfimages: { images?: { page?: number; type?: string; w?: number; h?: number }[] };
  mutool: { pages: Record<string, unknown>[] | object };
  gs: { tiffsep?: { spots?: string[]; pages?: { page: number; mean: Record<string, number> }[] } };
}
const factsOf = (dir: string): Record<string, Facts> =>
  (JSON.parse(readFileSync(path.join(dir, 'oracle.json'), 'utf8')) as { files: Record<string, Facts> }).files;

const rounded = (value: unknown): unknown =>
  Array.isArray(value) ? value.map((edge) => Math.round(Number(edge) * 20) / 20) : value;

/** What a fact guards, as text to compare. */
const seen: Partial<Record<GuardedFact, (facts: Facts) => unknown>> = {
  pageCount: (facts) => facts.page_count.agreed,
  boxes: ({ mutool: { pages } }) =>
    Array.isArray(pages)
      ? pages.map((page) =>
          Object.fromEntries(Object.entries(page as object).map(([key, value]) => [key, rounded(value)])),
        )
      : null,
  fonts: ({ pdffonts: { fonts = [] } }) =>
    fonts.map(({ name, type, embedded }) => `${name?.replace(/^[A-Z]{6}\+/, '')} ${type} ${embedded}`).sort(),
  images: ({ pdfimages: { images = [] } }) => images.map(({ page, type, w, h }) => `${page} ${type} ${w} ${h}`).sort(),
  inks: ({ gs: { tiffsep } }) => tiffsep?.spots ?? null,
};
/** Conversion leaves the size of images and every spot. */
const guardedAnyway: Partial<Record<string, readonly GuardedFact[]>> = { ColorspaceTransformation: ['images', 'inks'] };
const process4 = ['Cyan', 'Magenta', 'Yellow', 'Black'];

/** Plates whose mean changed by more than half a per cent. */
function changedPlates(before: Facts, after: Facts, plates: (name: string) => boolean): string[] {
  return (before.gs.tiffsep?.pages ?? []).flatMap(({ page, mean }, index) => {
    const now = after.gs.tiffsep?.pages?.[index]?.mean ?? {};
    return [...new Set([...Object.keys(mean), ...Object.keys(now)])]
      .filter((name) => plates(name) && Math.abs((mean[name] ?? 0) - (now[name] ?? 0)) > 0.005)
      .map((name) => `${page} ${name} ${mean[name]} ${now[name]}`);
  });
}

describe.skipIf(!canRun)(
  'facts by other tools (needs FIX_CORPUS=all, the corpus, Python with numpy and Pillow)',
  () => {
    test.each(corpusCases)('%s leaves what is not its own', { timeout: 3_600_000 }, async (key, settings) => {
      const { mayChange, mayLookDifferent } = fixContracts[key];
      const dir = testDir();
      mkdirSync(path.join(dir, 'files'));
      const names: string[] = [];
      for (const name of readdirSync(files)) {
        try {
          const { report, path: out } = await fixedBy(path.join(files, name), key, settings, {
            onError: 'WarnAndKeepOriginal',
          });
          if (report.actions[0]?.outcome !== 'Applied') continue;
          copyFileSync(out, path.join(dir, 'files', name));
          names.push(name);
        } catch (error) {
          // Damaged and encrypted files end in a code; that is an answer.
          if (!(error instanceof FileFaultError)) throw error;
        }
      }
      writeFileSync(
        path.join(dir, 'manifest.json'),
        JSON.stringify({ entries: names.map((name) => ({ name, sha256: '' })) }),
      );
      spawnSync(python, [script, dir], { stdio: 'ignore' });
      const [before, after] = [factsOf(path.join(corpus, 'public')), factsOf(dir)];
      const guarded = (Object.keys(seen) as GuardedFact[]).filter(
        (fact) => !mayChange.includes(fact) || guardedAnyway[key]?.includes(fact),
      );
      for (const name of names) {
        const [one, two] = [before[name] as Facts, after[name] as Facts];
        for (const fact of guarded) expect([name, fact, seen[fact]?.(two)]).toEqual([name, fact, seen[fact]?.(one)]);
        const plates = mayLookDifferent === 'nowhere' ? () => true : (plate: string) => !process4.includes(plate);
        if (guarded.includes('inks')) expect([name, ...changedPlates(one, two, plates)]).toEqual([name]);
      }
    });
  },
);
