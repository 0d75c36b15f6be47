import { defineConfig } from 'playwright/test';

/**
 * The products that are tested, each as the environment variables that tell of it. A worker of Playwright uses the one of
 * its index, so that no two tests run on one at a time.
 */
const products = JSON.parse(process.env.PRODUCTS ?? '[{}]') as Record<string, string>[];
Object.assign(process.env, products[Number(process.env.TEST_PARALLEL_INDEX ?? 0)]);

/** Each product has a first start. As many workers as products begin at once, so each takes one of these. */
const firstStarts = products.map((_, index) => (index === 0 ? 'first start' : `first start ${index + 1}`));

/** Tests in a real browser against running products. */
export default defineConfig({
  testDir: 'journeys',
  outputDir: '../../node_modules/.cache/journeys',
  // They share products and their administrator: first the set-up, then the screenshots, while there is little data.
  projects: [
    ...firstStarts.map((name) => ({ name, testMatch: 'first-start.journey.ts' })),
    { name: 'screens', testMatch: 'screens.journey.ts', dependencies: firstStarts, retries: 1 },
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
      dependencies: firstStarts,
      // A browser on a busy machine is late once in thousands of steps. What fails is tried once more, and told by name.
      retries: 1,
    },
    { name: 'speed', testMatch: ['*speed.journey.ts', 'many-sessions.journey.ts'], dependencies: firstStarts },
  ],
  // What `npm run night` runs besides: other ways through what the day's journeys go through, too.
  ...(!process.env.NIGHT && { grepInvert: /@night/ }),
  workers: products.length,
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
