import { defineConfig } from 'playwright/test';

/** Tests in a real browser against the running product; its addresses are in environment variables. */
export default defineConfig({
  testDir: 'journeys',
  outputDir: '../../node_modules/.cache/journeys',
  // They share one product and its administrator: first the set-up, then the screenshots, while there is little data.
  projects: [
    { name: 'first start', testMatch: 'first-start.journey.ts' },
    { name: 'screens', testMatch: 'screens.journey.ts', dependencies: ['first start'] },
    {
      name: 'journeys',
      testMatch: '*.journey.ts',
      testIgnore: [
        'first-start.journey.ts',
        'screens.journey.ts',
        '*speed.journey.ts',
        'many-sessions.journey.ts',
        // What takes long is run by `npm run night`.
        ...(process.env.NIGHT ? [] : ['*.night.journey.ts']),
      ],
      dependencies: ['first start'],
    },
    { name: 'speed', testMatch: ['*speed.journey.ts', 'many-sessions.journey.ts'], dependencies: ['first start'] },
  ],
  // What `npm run night` runs besides: other ways through what the day's journeys go through, too.
  ...(!process.env.NIGHT && { grepInvert: /@night/ }),
  workers: 1,
  fullyParallel: false,
  // Time limits are long, so that a slow machine does not fail a test; they only end tests that hang.
  timeout: 10 * 60_000,
  expect: { timeout: 60_000 },
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ? [['list'], ['json']] : [['list']],
  use: {
    // A click that finds nothing to click on fails after as long as an expectation does, not at the end of the test.
    actionTimeout: 60_000,
    baseURL: process.env.BASE_URL ?? 'http://127.0.0.1:3000',
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    timezoneId: 'UTC',
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      ...(process.env.CHROMIUM_PATH ? { executablePath: process.env.CHROMIUM_PATH } : {}),
      args: JSON.parse(process.env.CHROMIUM_ARGS ?? '["--no-sandbox"]') as string[],
    },
    // A trace of every test costs a quarter of the time; TRACE=1 records those of failures when one is looked into.
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
  },
});
