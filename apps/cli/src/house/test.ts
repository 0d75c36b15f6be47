import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { runJourneys } from './journeys.ts';
import { localBin, runToEnd } from './processes.ts';
import { repositoryRoot } from './root.ts';
import { addReports, readPlaywrightReport, readVitestReport } from './run-reports.ts';
import { makeFolderIn, makeTemporaryFolder, memoryPlace } from './temporary-folder.ts';
import { prepareTestTools } from './tools.ts';
import { runControls } from './trust/controls.ts';
import { faultTable } from './trust/fault-table.ts';
import { reportFaults } from './trust/faults.ts';
import { readTestResults } from './trust/named-tests.ts';

/**
 * The browser tests. Two products share them, because each waits for half of its time; three took as long on two
 * processors, and each test twice as long. How fast the screens are is measured by the night, after them, and by
 * `npm run bench`.
 */
async function journeys(folder: string) {
  const run = async (number: number, projects: readonly string[], products: number) => {
    const own = makeFolderIn(folder, `journeys-${number}`);
    const { exitCode, report } = await runJourneys(
      own,
      // Playwright empties its output folder at the start, so each run needs its own.
      ['--output', `node_modules/.cache/journeys/${number}`, ...projects.flatMap((project) => ['--project', project])],
      { TMPDIR: makeFolderIn(own, 'temporary') },
      products,
    );
    return { ...readPlaywrightReport(report), exitCode, runner: `Playwright (${projects.join(', ')})` };
  };
  const shared = await run(1, ['screens', 'journeys'], 2);
  return process.env.NIGHT ? [shared, await run(2, ['speed'], 1)] : [shared];
}

/**
 * What the night adds: the fault matrix, as a table of tests that ran by then, where only a cell without a test counts anew,
 * and the mutation controls.
 */
async function nightTables(report: string): Promise<Parameters<typeof addReports>[0]> {
  const results = readTestResults(report, repositoryRoot);
  const { failures } = reportFaults(faultTable, results);
  const absent = failures.filter((failure) => failure.endsWith('(NO SUCH TEST)'));
  const matrix = { passed: 0, failed: absent.length, skipped: 0, failures: absent };
  return [
    { ...matrix, exitCode: 0, runner: 'fault matrix' },
    { ...(await runControls([])), exitCode: 0, runner: 'controls' },
  ];
}

/**
 * `npm test`: unit and integration tests of every room, then the journeys. Ends with the line
 * `N passed, N failed, N skipped`, below the names of what failed. Arguments go to vitest (`npm test -- --project engine` runs one room, no journeys).
 */
export async function test(args: string[]): Promise<number> {
  // By night on a disk, as houses run, and because there are files of many gigabytes.
  const folder = makeTemporaryFolder('test', process.env.NIGHT ? undefined : memoryPlace());
  try {
    await prepareTestTools();
    const report = path.join(folder, 'vitest.json');
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const vitestExit = await runToEnd(
      localBin('vitest'),
      ['run', '--config', 'packages/config/vitest.config.ts', ...reporters, ...args],
      // What tests leave in the system's temporary folder goes with this one.
      { TMPDIR: makeFolderIn(folder, 'temporary') },
    );
    const unit = { ...readVitestReport(report), exitCode: vitestExit, runner: 'vitest' };
    const hasJourneys = args.length === 0 && existsSync(path.join(repositoryRoot, 'apps/web/playwright.config.ts'));
    const ofNight = process.env.NIGHT && args.length === 0 ? await nightTables(report) : [];
    const { passed, failed, skipped, failures, flaky } = addReports([
      unit,
      ...(hasJourneys ? await journeys(folder) : []),
      ...ofNight,
    ]);
    // The unit tests' own list of failures stands thousands of lines above the end.
    for (const test of flaky) console.log(`passed when tried again: ${test}`);
    for (const failure of failures) console.log(`failed: ${failure}`);
    console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
    return failed === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What the night does in full and `npm test` in samples: every file of the corpus, and more of what is made at random. */
const wholeNight = {
  NIGHT: '1',
  FIX_CORPUS: 'all',
  CORPUS_ALL: '1',
  FIX_PROPERTY_RUNS: '20',
  BINDERY_RUNS: '10000',
};

/**
 * `npm run night`: everything that `npm test` runs, in full, and the tests that take too long for it: files whose names
 * end in `.night.test.ts` and `.night.journey.ts`. Takes arguments and ends as `npm test` does.
 */
export async function night(args: string[]): Promise<number> {
  Object.assign(process.env, wholeNight);
  return test(args);
}

/** What grows with the time that there is for it: random work, and files that are damaged at random. */
const wholeWeek = {
  FIX_PROPERTY_RUNS: '200',
  BINDERY_RUNS: '100000',
  MUTANTS: '50000',
};

/** `npm run week`: the night, with far more of all that is made at random. Takes arguments and ends as `npm test` does. */
export async function week(args: string[]): Promise<number> {
  Object.assign(process.env, wholeNight, wholeWeek);
  return test(args);
}
