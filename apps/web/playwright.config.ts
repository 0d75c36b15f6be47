import { defineConfig } from 'playwright/test';

/** Journeys in a real browser against the running product; the addresses come from whoever starts it. */
export default defineConfig({
  testDir: 'journeys',
  outputDir: '../../node_modules/.cache/journeys',
  // They share one product and its administrator: first it is set up, then looked at while it is as good as new.
  projects: [
    { name: 'first start', testMatch: 'first-start.journey.ts' },
    { name: 'screens', testMatch: 'screens.journey.ts', dependencies: ['first start'] },
    {
      name: 'journeys',
      testMatch: '*.journey.ts',
      testIgnore: ['first-start.journey.ts', 'screens.journey.ts', 'speed.journey.ts', 'many-sessions.journey.ts'],
      dependencies: ['first start'],
    },
    { name: 'speed', testMatch: ['speed.journey.ts', 'many-sessions.journey.ts'], dependencies: ['first start'] },
  ],
  workers: 1,
  fullyParallel: false,
  // A slow machine that others work on, too, must not fail a journey: deadlines catch what never comes.
  timeout: 10 * 60_000,
  expect: { timeout: 60_000 },
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ? [['list'], ['json']] : [['list']],
  use: {
    baseURL: process.env.BASE_URL ?? 'http://127.0.0.1:3000',
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    timezoneId: 'UTC',
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      ...(process.env.CHROMIUM_PATH ? { executablePath: process.env.CHROMIUM_PATH } : {}),
      args: JSON.parse(process.env.CHROMIUM_ARGS ?? '["--no-sandbox"]') as string[],
    },
    trace: 'retain-on-failure',
  },
});
