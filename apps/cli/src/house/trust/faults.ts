import { rmSync } from 'node:fs';
import { localBin } from '../processes.ts';
import { repositoryRoot } from '../root.ts';
import type { RunReport } from '../run-reports.ts';
import { makeTemporaryFolder } from '../temporary-folder.ts';
import { prepareTestTools } from '../tools.ts';
import { ranOn, tableOf, writeSection } from './document.ts';
import { type Fault, type FaultCell, faultTable } from './fault-table.ts';
import { resultsOf, runNamedTests, type TestResult } from './named-tests.ts';

type End = 'passed' | 'FAILED' | 'skipped' | 'NO SUCH TEST';

const endOf = (cell: FaultCell, results: readonly TestResult[]): End => {
  const found = resultsOf(results, cell);
  if (found.length === 0) return 'NO SUCH TEST';
  if (found.some(({ status }) => status === 'failed')) return 'FAILED';
  return found.some(({ status }) => status === 'passed') ? 'passed' : 'skipped';
};

const rowsOf = (faults: readonly Fault[], results: readonly TestResult[]) =>
  faults.flatMap(({ fault, expected, cells }) =>
    cells.map((cell) => ({ fault, expected, cell, end: endOf(cell, results) })),
  );

/** What the chaos run told about itself; undefined where it did not run. */
const figuresOfChaos = (results: readonly TestResult[]): Record<string, number> | undefined =>
  results.find(({ status, meta }) => status === 'passed' && meta.figures)?.meta.figures as
    | Record<string, number>
    | undefined;

const sum = (rows: readonly { end: End; cell: FaultCell }[]): RunReport => ({
  passed: rows.filter(({ end }) => end === 'passed').length,
  failed: rows.filter(({ end }) => end === 'FAILED' || end === 'NO SUCH TEST').length,
  skipped: rows.filter(({ end }) => end === 'skipped').length,
  failures: rows
    .filter(({ end }) => end === 'FAILED' || end === 'NO SUCH TEST')
    .map(({ cell, end }) => `${cell.file}: ${cell.name} (${end})`),
});

/**
 * The fault matrix as a table, from the results of its tests, and what it adds up to.
 * @param isWhole whether all of its tests were run: then `docs/reliability.md` is written
 */
export function reportFaults(
  faults: readonly Fault[],
  results: readonly TestResult[],
  { isWhole }: { isWhole: boolean },
): RunReport {
  const rows = rowsOf(faults, results);
  const table = tableOf(
    ['fault', 'moment', 'end', 'test'],
    rows.map(({ fault, cell, end }) => [fault, cell.moment, end, `\`${cell.file}\`: ${cell.name}`]),
  );
  console.log(`\n${table}\n`);
  const report = sum(rows);
  if (!isWhole) return report;
  const expected = tableOf(
    ['fault', 'what must come of it', 'moments', 'passed'],
    faults.map(({ fault, expected: end, cells }) => {
      const own = sum(rows.filter((row) => row.fault === fault));
      return [fault, end, String(cells.length), String(own.passed)];
    }),
  );
  const counted = `${report.passed} passed, ${report.failed} failed, ${report.skipped} skipped`;
  writeSection(
    'reliability.md',
    'Fault matrix',
    `Written by \`npm run faults\` and \`npm run night\` (${ranOn(new Date())}). ${rows.length} cells, each a fault at one moment: ${counted}. After each in the engine, every invariant of \`packages/engine/src/testing/invariants.ts\` is looked at.\n\n${expected}\n\n${table}`,
  );
  const chaos = figuresOfChaos(results);
  if (chaos)
    writeSection(
      'reliability.md',
      'Chaos',
      `Written by the same (${ranOn(new Date())}). ${tableOf(Object.keys(chaos), [Object.values(chaos).map(String)]).replace(/^/, '\n\n')}`,
    );
  return report;
}

/**
 * `npm run faults [-- WORDS]`: runs the tests of the fault matrix, of faults that hold all words, and prints it. Ends with the
 * line `N passed, N failed, N skipped`; exit code 1 where a cell failed or has no test.
 */
export async function runFaults(args: string[]): Promise<number> {
  // npm removes the -- before words; other callers do not.
  const words = args.filter((word) => word !== '--');
  const faults = faultTable.filter(({ fault }) => words.every((word) => fault.includes(word)));
  await prepareTestTools();
  const folder = makeTemporaryFolder('faults');
  try {
    const { results, output } = await runNamedTests(
      faults.flatMap(({ cells }) => cells),
      { root: repositoryRoot, folder, vitest: localBin('vitest') },
    );
    if (results.length === 0) throw new Error(`no test ran:\n${output}`);
    const { passed, failed, skipped, failures } = reportFaults(faults, results, { isWhole: words.length === 0 });
    for (const failure of failures) console.log(`failed: ${failure}`);
    console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
    return failed === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
