import { rmSync } from 'node:fs';
import path from 'node:path';
import { localBin } from '../processes.ts';
import { repositoryRoot } from '../root.ts';
import type { RunReport } from '../run-reports.ts';
import { makeTemporaryFolder } from '../temporary-folder.ts';
import { prepareTestTools } from '../tools.ts';
import { machine, mergedRows, readPage, tableOf, writeSection } from './document.ts';
import { type Fault, type FaultCell, faultTable } from './fault-table.ts';
import { resultsOf, runNamedTests, type TestResult } from './named-tests.ts';

type End = 'passed' | 'FAILED' | 'skipped' | 'NO SUCH TEST' | 'TOO LONG';

const endOf = (cell: FaultCell, results: readonly TestResult[]): End => {
  const found = resultsOf(results, cell);
  if (found.length === 0) return 'NO SUCH TEST';
  if (found.some(({ status }) => status === 'failed')) return 'FAILED';
  return found.some(({ status }) => status === 'passed') ? 'passed' : 'skipped';
};

const rowsOf = (faults: readonly Fault[], results: readonly TestResult[]) =>
  faults.flatMap(({ fault, cells }) => cells.map((cell) => ({ fault, cell, end: endOf(cell, results) })));

/** What the chaos run tells about itself: `TaskMeta` of `apps/intake/src/chaos.test.ts`. */
interface ChaosFigures {
  figures: Record<string, number>;
  ways: Record<string, number>;
  faults: Record<string, number>;
}

/** Undefined where it did not run, or did not pass. */
const figuresOfChaos = (results: readonly TestResult[]): ChaosFigures | undefined =>
  results.find(({ status, meta }) => status === 'passed' && meta.chaos)?.meta.chaos as ChaosFigures | undefined;

/** What each of the figures of a chaos run is called, in their order. */
const chaosWords = {
  files: 'files sent',
  sessions: 'sessions',
  lost: 'lost',
  twice: 'taken twice',
  differing: 'with other bytes',
  comparedBytes: 'bytes compared',
  brokenAnswers: 'broken answers',
  minutes: 'minutes',
  seed: 'seed',
} as const;

const sumOf = (counts: Record<string, number>): number => Object.values(counts).reduce((sum, count) => sum + count, 0);

/** A chaos run as tables: what came of it, the files by their ways, the faults by their kinds. */
export function chaosSection({ figures, ways, faults }: ChaosFigures): string {
  const all = Object.entries(chaosWords);
  const counts = (of: Record<string, number>) => Object.entries(of).map(([name, count]) => [name, String(count)]);
  return [
    `Written by \`npm run faults\` and \`npm run night\`, of the last run that passed (${today()}, ${machine}). Something failed every few seconds until the last session had ended, but no more often than a run allows: ${sumOf(faults)} times in all.`,
    tableOf(
      all.map(([, word]) => word),
      [all.map(([name]) => String(figures[name] ?? ''))],
    ),
    tableOf(['way in', 'files'], counts(ways)),
    tableOf(['fault', 'times'], counts(faults).toSorted()),
  ].join('\n\n');
}

const ends = {
  passed: ['passed'],
  failed: ['FAILED', 'NO SUCH TEST', 'TOO LONG'],
  skipped: ['skipped', 'not run yet'],
} as const;

const counted = (all: readonly string[]): Record<keyof typeof ends, number> => {
  const count = (of: readonly string[]) => all.filter((end) => of.includes(end)).length;
  return { passed: count(ends.passed), failed: count(ends.failed), skipped: count(ends.skipped) };
};

const head = ['fault', 'moment', 'test', 'end', 'on'];
const namesOf = (fault: string, { moment, file, name }: FaultCell): string[] => [fault, moment, `\`${file}\`: ${name}`];
const today = (): string => new Date().toISOString().slice(0, 10);

/** Writes the cells that were run in their places, and what all of them add up to. */
function document(measured: ReturnType<typeof rowsOf>, results: readonly TestResult[]): void {
  const rows = mergedRows(
    readPage('reliability.md'),
    faultTable.flatMap(({ fault, cells }) =>
      cells.map((cell) => {
        const row = measured.find((one) => one.cell === cell);
        return { names: namesOf(fault, cell), measured: row && [row.end, today()] };
      }),
    ),
    ['not run yet', ''],
  );
  const endsOf = (fault?: string) => rows.filter(([of]) => !fault || of === fault).map(([, , , end = '']) => end);
  const { passed, failed, skipped } = counted(endsOf());
  const summary = tableOf(
    ['fault', 'what must come of it', 'moments', 'passed'],
    faultTable.map(({ fault, expected, cells }) => [
      fault,
      expected,
      String(cells.length),
      String(counted(endsOf(fault)).passed),
    ]),
  );
  writeSection(
    'reliability.md',
    'Fault matrix',
    `Written by \`npm run faults\` and \`npm run night\` (${machine}). ${rows.length} cells, each a fault at one moment: ${passed} passed, ${failed} failed, ${skipped} skipped. After each in the engine, every invariant of \`packages/engine/src/testing/invariants.ts\` is looked at.\n\n${summary}\n\n${tableOf(head, rows)}`,
  );
  const chaos = figuresOfChaos(results);
  if (chaos) writeSection('reliability.md', 'Chaos', chaosSection(chaos));
}

type Row = ReturnType<typeof rowsOf>[number];

/** What rows of the matrix add up to. */
const reportOf = (rows: readonly Row[], results: readonly TestResult[]): RunReport => ({
  ...counted(rows.map(({ end }) => end)),
  failures: rows
    .filter(({ end }) => counted([end]).failed > 0)
    .map(({ cell, end }) => {
      const why = resultsOf(results, cell).find(({ status }) => status === 'failed')?.message;
      return `${cell.file}: ${cell.name} (${end}${why ? `: ${why}` : ''})`;
    }),
});

/** The fault matrix as a table, from the results of its tests, and what it adds up to; `docs/reliability.md` is written. */
export function reportFaults(faults: readonly Fault[], results: readonly TestResult[]): RunReport {
  const rows = rowsOf(faults, results);
  document(rows, results);
  const cells = rows.map(({ fault, cell, end }) => [...namesOf(fault, cell), end, today()]);
  console.log(`\n${tableOf(head, cells)}\n`);
  return reportOf(rows, results);
}

/** The tests of one file may take so long, milliseconds; each of them has a limit of its own. */
const longest = 15 * 60_000;
/** The chaos run alone may take an hour on a machine that does other work. */
const longestChaos = 90 * 60_000;

const longestOf = (file: string): number => (path.basename(file).startsWith('chaos.') ? longestChaos : longest);

/** The files that hold these faults, each with the cells whose tests stand in it. */
export const filesOf = (faults: readonly Fault[]): ReadonlyMap<string, Fault[]> =>
  new Map(
    [...new Set(faults.flatMap(({ cells }) => cells.map(({ file }) => file)))].map((file) => [
      file,
      faults
        .map((one) => ({ ...one, cells: one.cells.filter((cell) => cell.file === file) }))
        .filter(({ cells }) => cells.length > 0),
    ]),
  );

/**
 * `npm run faults [-- WORDS]`: runs the tests of the fault matrix, of faults that hold all words, file by file; each cell is
 * printed when its file has ended, and `docs/reliability.md` written, so that a run that is broken off leaves what it has seen.
 * Ends with the line `N passed, N failed, N skipped`; exit code 1 where a cell failed, has no test, or took too long.
 */
export async function runFaults(args: string[]): Promise<number> {
  // npm removes the -- before words; other callers do not.
  const words = args.filter((word) => word !== '--');
  const faults = faultTable.filter(({ fault }) => words.every((word) => fault.includes(word)));
  await prepareTestTools();
  const folder = makeTemporaryFolder('faults');
  const sum = { passed: 0, failed: 0, skipped: 0 };
  const failures: string[] = [];
  try {
    for (const [file, held] of filesOf(faults)) {
      const cells = held.flatMap((one) => one.cells);
      const limits = { root: repositoryRoot, folder, vitest: localBin('vitest'), longest: longestOf(file) };
      const { results, output, isTooLong } = await runNamedTests(cells, limits);
      const rows = rowsOf(held, results).map((row): Row => (isTooLong ? { ...row, end: 'TOO LONG' } : row));
      if (results.length === 0) console.error(output);
      document(rows, results);
      for (const { fault, cell, end } of rows) console.log(`${end} | ${[fault, cell.moment, cell.file].join(' | ')}`);
      const report = reportOf(rows, results);
      for (const key of ['passed', 'failed', 'skipped'] as const) sum[key] += report[key];
      failures.push(...report.failures);
    }
    for (const failure of failures) console.log(`failed: ${failure}`);
    console.log(`${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`);
    return sum.failed === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
