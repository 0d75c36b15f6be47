/**
 * Runs actions on files of many producers and checks the results with other tools. A few files in every run;
 * `FIX_CORPUS=all` runs every action on every file, compares the facts that must not change, and checks
 * docs/fix-quality.md (several hours).
 */

import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { sampled } from '@pdf2press/config/by-day';
import { FileFaultError } from '@pdf2press/contract';
import {
  areToolsHere,
  fontsIn,
  foreignColourIn,
  transparencyIn,
  type Verdicts,
  verdictsOf,
  worseOf,
} from '@pdf2press/pdf/testing';
import { describe, expect, test } from 'vitest';
import { corpus, corpusCases, few, isAll, telling } from '../testing/corpus-cases.ts';
import { fixedBy, look, testDir } from '../testing/fix-files.ts';
import { countOutcome, countVerdicts, documentedLine, newTally } from '../testing/fix-quality.ts';
import { askOracle, canAskOracle, comparedFacts, oracleOfCorpus } from '../testing/oracle-facts.ts';
import { foreignPaintsIn } from '../testing/painted-spaces.ts';
import type { FixKey } from './contracts.ts';

const files = path.join(corpus, 'public/files');
const names = existsSync(files) ? readdirSync(files) : [];

/** What the action should have removed and other tools still find. */
const leftovers: Partial<Record<FixKey, (file: string) => string[]>> = {
  FontsOutline: fontsIn,
  FlatteningTransparencies: transparencyIn,
  ColorspaceTransformation: (file) => [...foreignColourIn(file), ...look(file, foreignPaintsIn)],
};

/** Verdicts of the tools on the originals, shared by all actions. */
const known = new Map<string, Verdicts>();
function verdictsBefore(name: string): Verdicts {
  const verdicts = known.get(name) ?? verdictsOf(path.join(files, name));
  known.set(name, verdicts);
  return verdicts;
}

/** Runs one action on the files: its line of the table, and all faults found. */
async function trial(key: FixKey, settings: unknown, chosen: readonly string[]) {
  const tally = newTally();
  const wrong: string[] = [];
  const results = testDir();
  mkdirSync(path.join(results, 'files'));
  const applied: string[] = [];
  for (const name of chosen) {
    try {
      const { report, path: out } = await fixedBy(path.join(files, name), key, settings, {
        onError: 'WarnAndKeepOriginal',
      });
      const [action] = report.actions;
      if (!action) throw new Error(`${key} did not run on ${name}`);
      countOutcome(tally, action);
      if (action.outcome !== 'Applied') continue;
      copyFileSync(out, path.join(results, 'files', name));
      applied.push(name);
      const after = verdictsOf(out);
      countVerdicts(tally, after);
      wrong.push(...worseOf(verdictsBefore(name), after).map((tool) => `${name}: ${tool} takes it worse`));
      // What is left is acceptable when the action warns of it.
      const left = leftovers[key]?.(out) ?? [];
      if (left.length > 0 && action.warnings.length > 0) tally.leftWithWarning += 1;
      else wrong.push(...left.map((one) => `${name}: ${one} is left`));
      const twice = await fixedBy(out, key, settings, { onError: 'WarnAndKeepOriginal' });
      const second = twice.report.actions[0]?.outcome;
      if (second !== 'NothingToDo') wrong.push(`${name}: ${second} a second time`);
    } catch (error) {
      // Damaged and encrypted files are refused with a code.
      if (!(error instanceof FileFaultError)) throw error;
      tally.refused += 1;
    }
  }
  return { tally, wrong, results, applied };
}

describe.skipIf(!existsSync(files) || !areToolsHere())(
  'on the corpus (needs the corpus, and qpdf, gs, mutool, poppler)',
  () => {
    test.skipIf(isAll).each(sampled(corpusCases, 7))(
      '%s: other tools read the result as well as the original, a second run does nothing',
      async (key, settings) => {
        const chosen = telling[key] ?? few;
        const { wrong, applied } = await trial(key, settings, chosen);
        expect(wrong).toEqual([]);
        expect(applied.length).toBeGreaterThan(0);
      },
    );

    test.skipIf(!isAll || !canAskOracle()).each(corpusCases)(
      '%s on every file changes only what its contract allows (FIX_CORPUS=all; Python with numpy and Pillow)',
      { timeout: 3_600_000 },
      async (key, settings) => {
        const { tally, wrong, results, applied } = await trial(key, settings, names);
        const [before, after] = [oracleOfCorpus(), askOracle(results, applied)];
        for (const name of applied) {
          const [one, two] = [before[name], after[name]];
          if (!one || !two) throw new Error(`no facts of ${name}`);
          const { count, changed } = comparedFacts(key, one, two);
          tally.facts += count;
          wrong.push(...changed.map((fact) => `${name}: ${fact}`));
        }
        expect(wrong).toEqual([]);
        const { documented, measured } = documentedLine(key, tally);
        expect(documented).toBe(measured);
      },
    );
  },
);
