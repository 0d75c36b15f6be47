import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePort } from '@pdf2press/prisma/embedded';
import { localBin, runToEnd, whenParentsEnd } from './processes.ts';
import { repositoryRoot } from './root.ts';
import { type Stack, startStack } from './stack.ts';
import { type Counts, findBrowser, playwrightCounts, prepareTestTools, vitestCounts } from './tools.ts';

/** The administrator that the journeys sign in as; the first of them makes it, by the link that the first start prints. */
const administrator = { email: 'admin@pdf2press.test', password: 'Proof-4-Press!' };

/** The link that a first start prints; empty when none comes while one would wait for it. */
function listenForLink(): { hear: (line: string) => void; link: Promise<string> } {
  let found: (link: string) => void = () => undefined;
  const link = new Promise<string>((resolve) => {
    found = resolve;
  });
  return {
    hear: (line) => {
      const address = /https?:\S+\/setup#\S+/.exec(line)?.[0];
      if (address) found(address);
    },
    link: Promise.race([link, new Promise<string>((resolve) => setTimeout(resolve, 60_000, '').unref())]),
  };
}

/** Journeys in a real browser against the processes that `npm start` runs. */
async function journeys(folder: string): Promise<Counts & { exitCode: number }> {
  const report = path.join(folder, 'journeys.json');
  const browser = await findBrowser();
  let stack: Stack | undefined;
  const printed = listenForLink();
  const stop = () => void stack?.stop().then(() => process.exit(1));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
  whenParentsEnd(stop);
  try {
    const dataDir = path.join(folder, 'data');
    stack = await startStack({
      port: await freePort(),
      postgresPort: await freePort(),
      dataDir,
      databaseUrl: undefined,
      isDurable: false,
      // All journeys come from one address and sign in often.
      env: { RATE_LIMIT_FACTOR: '100' },
      onLine: printed.hear,
    });
    const exitCode = await runToEnd(
      localBin('playwright', 'apps/web'),
      ['test', '--config', 'apps/web/playwright.config.ts'],
      {
        ...browser.env,
        BASE_URL: stack.address,
        SETUP_LINK: await printed.link,
        DATABASE_URL: stack.databaseUrl,
        STACK_DATA_DIR: dataDir,
        CHROMIUM_PATH: browser.executablePath,
        CHROMIUM_ARGS: JSON.stringify(browser.args),
        ADMIN_EMAIL: administrator.email,
        ADMIN_PASSWORD: administrator.password,
        PLAYWRIGHT_JSON_OUTPUT_FILE: report,
      },
    );
    return { ...playwrightCounts(report), exitCode };
  } finally {
    await stack?.stop();
  }
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
