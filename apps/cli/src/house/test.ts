import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { runJourneys } from './journeys.ts';
import { localBin, runToEnd } from './processes.ts';
import { repositoryRoot } from './root.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';
import { type Counts, playwrightCounts, prepareTestTools, vitestCounts } from './tools.ts';

/**
 * Two products side by side: one that is looked at while it is as good as new, one that is worked with. Each waits for its
 * worker and its browser half of the time.
 */
const halves = [['screens'], ['journeys', 'speed']];

async function journeys(folder: string): Promise<Counts & { exitCode: number }> {
  const results = await Promise.all(
    halves.map(async (projects) => {
      const own = path.join(folder, projects.join('-'));
      mkdirSync(own);
      const { exitCode, report } = await runJourneys(own, [
        // Each clears what it writes into before it begins.
        ...['--output', `node_modules/.cache/journeys/${projects[0]}`],
        ...projects.flatMap((project) => ['--project', project]),
      ]);
      return { ...playwrightCounts(report), exitCode };
    }),
  );
  const sum = (count: (one: (typeof results)[number]) => number) => results.reduce((all, one) => all + count(one), 0);
  return {
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    skipped: sum(({ skipped }) => skipped),
    exitCode: Math.max(...results.map(({ exitCode }) => exitCode)),
  };
}

/**
 * `npm test`: unit and integration tests of every room, then the journeys. Ends with the line
 * `N passed, N failed, N skipped`. Arguments go to vitest (`npm test -- --project engine` runs one room, no journeys).
 */
export async function test(args: string[]): Promise<number> {
  const folder = makeTemporaryFolder('test');
  try {
    prepareTestTools();
    const report = path.join(folder, 'vitest.json');
    const vitestExit = await runToEnd(localBin('vitest'), [
      'run',
      '--config',
      'packages/config/vitest.config.ts',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...args,
    ]);
    const unit = vitestCounts(report);
    const hasJourneys = args.length === 0 && existsSync(path.join(repositoryRoot, 'apps/web/playwright.config.ts'));
    const browser = hasJourneys ? await journeys(folder) : { passed: 0, failed: 0, skipped: 0, exitCode: 0 };
    // A runner that dies before it can count has failed once at least.
    const lost = (exitCode: number, counts: Counts) => (exitCode !== 0 && counts.failed === 0 ? 1 : 0);
    const failed = unit.failed + browser.failed + lost(vitestExit, unit) + lost(browser.exitCode, browser);
    console.log(`${unit.passed + browser.passed} passed, ${failed} failed, ${unit.skipped + browser.skipped} skipped`);
    return failed === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
