/**
 * Fixes on other people's files, judged by other people's tools. A few files in every run; `FIX_CORPUS=all` takes every
 * file and every action (some half an hour).
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { FileFaultError } from '@pdf2press/contract';
import { describe, expect, test } from 'vitest';
import { corpus, corpusCases, few, isAll, telling } from '../testing/corpus-cases.ts';
import { fixedBy } from '../testing/fix-files.ts';
import type { FixKey } from './contracts.ts';

const files = path.join(corpus, 'public/files');
const run = (command: string, args: readonly string[], options: { stdio?: 'ignore' } = {}) =>
  spawnSync(command, args, { timeout: 200_000, encoding: 'utf8', ...options });
const tools = ['qpdf', 'gs', 'mutool', 'pdftoppm'].filter(
  (tool) => run(tool, [tool === 'pdftoppm' || tool === 'mutool' ? '-v' : '--version']).error === undefined,
);

/** How well each tool takes a file: exit codes; worse afterwards is what must not be. */
function verdicts(file: string): Record<string, number> {
  return {
    qpdf: run('qpdf', ['--check', file]).status ?? 99,
    gs: run('gs', ['-q', '-dNOPAUSE', '-dBATCH', '-dSAFER', '-sDEVICE=nullpage', file]).status ?? 99,
    mutool: run('mutool', ['draw', '-q', '-r', '20', '-F', 'ppm', '-o', '/dev/null', file]).status ?? 99,
    poppler: run('pdftoppm', ['-r', '20', '-l', '3', file], { stdio: 'ignore' }).status ?? 99,
  };
}

/** The file as text: every stream open, strings emptied, for they may say anything. */
const plain = (file: string): string =>
  spawnSync('qpdf', ['--qdf', '--object-streams=disable', file, '-'], {
    encoding: 'latin1',
    maxBuffer: 1 << 29,
  }).stdout.replace(/\((?:\\.|[^\\()])*\)/g, '()');
const transparency = /\/SMask(?! \/None)|\/(?:ca|CA) 0[\d.]*|\/BM(?! \/Normal)\s*\S*|\/S \/Transparency/g;
/** RGB and Lab as spaces, as operators, as colours of annotations. */
const foreign =
  /\/DeviceRGB\b|\/CalRGB\b|\[\s*\/Lab\b|(?<=[\n ](?:[\d.]+ ){3})(?:rg|RG)\b|\/(?:IC|BG|BC) \[\s*(?:[\d.]+\s+){3}\]/g;
/** What an action is for, as other tools see it: what must not be left in the file. */
const leftovers: Partial<Record<FixKey, (file: string) => string[]>> = {
  FontsOutline: (file) => run('pdffonts', [file]).stdout.trim().split('\n').slice(2),
  FlatteningTransparencies: (file) => [...new Set(plain(file).match(transparency))],
  ColorspaceTransformation: (file) => [
    ...new Set(
      plain(file)
        .replace(/%[^\n]*/g, '')
        .match(foreign),
    ),
    ...run('pdfimages', ['-list', file])
      .stdout.split('\n')
      .filter((line) => /\b(?:rgb|lab)\b/.test(line)),
  ],
};

describe.skipIf(!existsSync(files) || tools.length < 4)(
  'on the corpus (needs it beside the repository, and qpdf, gs, mutool, poppler)',
  () => {
    const names = existsSync(files) ? readdirSync(files) : [];
    test.each(corpusCases)(
      '%s: other tools read the result no worse, a second run does nothing',
      { timeout: isAll ? 3_600_000 : 300_000 },
      async (key, settings) => {
        const chosen = telling[key] ?? few;
        let applied = 0;
        for (const name of names.filter((one) => isAll || chosen.includes(one))) {
          const file = path.join(files, name);
          try {
            const { report, path: out } = await fixedBy(file, key, settings, { onError: 'WarnAndKeepOriginal' });
            const [action] = report.actions;
            if (action?.outcome !== 'Applied') continue;
            applied += 1;
            const [before, after] = [verdicts(file), verdicts(out)];
            for (const tool of Object.keys(before))
              expect([name, tool, (after[tool] ?? 99) <= (before[tool] ?? 0)]).toEqual([name, tool, true]);
            // What an action warns of, it left.
            if (action.warnings.length === 0) expect([name, leftovers[key]?.(out) ?? []]).toEqual([name, []]);
            const twice = await fixedBy(out, key, settings);
            expect([name, twice.report.actions[0]?.outcome]).toEqual([name, 'NothingToDo']);
          } catch (error) {
            // Damaged and encrypted files end in a code; that is an answer.
            if (!(error instanceof FileFaultError)) throw error;
          }
        }
        expect(applied).toBeGreaterThan(0);
      },
    );
  },
);
