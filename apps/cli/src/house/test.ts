import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { runJourneys } from './journeys.ts';
import { localBin, runToEnd } from './processes.ts';
import { repositoryRoot } from './root.ts';
import { addReports, readPlaywrightReport, readVitestReport } from './run-reports.ts';
import { makeFolderIn, makeTemporaryFolder } from './temporary-folder.ts';
import { prepareTestTools } from './tools.ts';

/** Journeys that follow the screens in their half: those that draw on the canvas, and some others that take long. */
const isAfterScreens = (file: string): boolean =>
  /^(starters|workflow-|by-keyboard|pro|mailboxes|communication|plans|deliveries)/.test(file);

/**
 * Browser tests run against two products at the same time, because each spends half of its time waiting. The screens need
 * one with empty data, so they come first in their half; others follow them, so that the halves take about as long. How
 * fast the screens are is measured by the night and by `npm run bench`.
 */
function halves(): { projects: string[]; files: string[] }[] {
  const files = readdirSync(path.join(repositoryRoot, 'apps/web/journeys')).filter((file) =>
    file.endsWith('.journey.ts'),
  );
  return [
    {
      projects: ['screens', 'journeys'],
      files: files.filter((file) => file === 'screens.journey.ts' || isAfterScreens(file)),
    },
    {
      projects: process.env.NIGHT ? ['journeys', 'speed'] : ['journeys'],
      files: files.filter((file) => file !== 'screens.journey.ts' && !isAfterScreens(file)),
    },
  ];
}

/** The browser tests of both halves, each with its report. */
function journeys(folder: string) {
  return Promise.all(
    halves().map(async ({ projects, files }) => {
      const own = makeFolderIn(folder, projects.join('-'));
      const { exitCode, report } = await runJourneys(own, [
        ...files,
        // Playwright empties its output folder at the start, so each run needs its own.
        ...['--output', `node_modules/.cache/journeys/${projects[0]}`],
        ...projects.flatMap((project) => ['--project', project]),
      ]);
      return { ...readPlaywrightReport(report), exitCode, runner: `Playwright (${projects.join(', ')})` };
    }),
  );
}

/**
 * `npm test`: unit and integration tests of every room, then the journeys. Ends with the line
 * `N passed, N failed, N skipped`, below the names of what failed. Arguments go to vitest (`npm test -- --project engine` runs one room, no journeys).
 */
export async function test(args: string[]): Promise<number> {
  const folder = makeTemporaryFolder('test');
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
    const { passed, failed, skipped, failures } = addReports([unit, ...(hasJourneys ? await journeys(folder) : [])]);
    // The unit tests' own list of failures stands thousands of lines above the end.
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
