import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runJourneys } from './journeys.ts';
import { localBin, runToEnd } from './processes.ts';
import { repositoryRoot } from './root.ts';
import { type Counts, playwrightCounts, prepareTestTools, vitestCounts } from './tools.ts';

async function journeys(folder: string): Promise<Counts & { exitCode: number }> {
  const { exitCode, report } = await runJourneys(folder);
  return { ...playwrightCounts(report), exitCode };
}

/**
 * `npm test`: unit and integration tests of every room, then the journeys. Ends with the line
 * `N passed, N failed, N skipped`. Arguments go to vitest (`npm test -- --project engine` runs one room, no journeys).
 */
export async function test(args: string[]): Promise<number> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'pdf2press-test-'));
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
