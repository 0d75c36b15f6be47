import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { runJourneys } from './journeys.ts';
import { localBin, runToEnd } from './processes.ts';
import { repositoryRoot } from './root.ts';
import { addReports, readPlaywrightReport, readVitestReport } from './run-reports.ts';
import { makeFolderIn, makeTemporaryFolder } from './temporary-folder.ts';
import { prepareTestTools } from './tools.ts';

const journeysFolder = path.join(repositoryRoot, 'apps/web/journeys');
const screens = 'screens.journey.ts';
/** Those that measure, which the night runs after the others. */
const measures = /(^|-)speed[.]journey[.]ts$|^many-sessions[.]/;
/** The screens take this share of the time of all journeys. */
const screensShare = 0.2;

interface Part {
  projects: string[];
  files: string[];
  /** Characters of its tests, which its time follows well enough. */
  weight: number;
}

/** The characters of the tests of a file that are run: by day without those of the night. */
function weightOf(file: string): number {
  const tests = readFileSync(path.join(journeysFolder, file), 'utf8').split(/^\s*test\(/m);
  return tests.reduce((sum, test) => sum + (!process.env.NIGHT && test.includes('@night') ? 0 : test.length), 0);
}

/**
 * Browser tests run against two products at the same time, because each waits for half of its time. The screens need
 * one with empty data, so they come first in their part; the other files are dealt so that the parts take about as long. How
 * fast the screens are is measured by the night, after them, and by `npm run bench`.
 */
function journeyParts(count: number): Part[] {
  const files = readdirSync(journeysFolder)
    .filter((file) => file.endsWith('.journey.ts') && file !== screens && !measures.test(file))
    .map((file) => ({ file, weight: weightOf(file) }))
    .toSorted((a, b) => b.weight - a.weight);
  const sum = files.reduce((total, { weight }) => total + weight, 0);
  const first = { projects: ['screens', 'journeys'], files: [screens], weight: screensShare * sum };
  const others = Array.from({ length: count - 1 }, () => ({
    projects: ['journeys'],
    files: [] as string[],
    weight: 0,
  }));
  const parts: Part[] = [first, ...others];
  for (const { file, weight } of files) {
    const lightest = parts.reduce((a, b) => (b.weight < a.weight ? b : a));
    lightest.files.push(file);
    lightest.weight += weight;
  }
  return parts;
}

/** The browser tests of all parts, each with its report; the night measures the speed of the screens after them. */
async function journeys(folder: string) {
  const run = async ({ projects, files }: Pick<Part, 'projects' | 'files'>, number: number) => {
    const own = makeFolderIn(folder, `journeys-${number}`);
    const { exitCode, report } = await runJourneys(
      own,
      [
        // With the folder: a name alone also finds files whose names end in it.
        ...files.map((file) => `journeys/${file}`),
        // Playwright empties its output folder at the start, so each run needs its own.
        ...['--output', `node_modules/.cache/journeys/${number}`],
        ...projects.flatMap((project) => ['--project', project]),
      ],
      { TMPDIR: makeFolderIn(own, 'temporary') },
    );
    return { ...readPlaywrightReport(report), exitCode, runner: `Playwright (part ${number})` };
  };
  // Three took as long on two processors, and each test twice as long.
  const parts = journeyParts(2);
  const reports = await Promise.all(parts.map(run));
  return process.env.NIGHT ? [...reports, await run({ projects: ['speed'], files: [] }, parts.length)] : reports;
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
