import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { repositoryRoot } from './root.ts';
import { addReports, readPlaywrightReport, readVitestReport } from './run-reports.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'pdf2press-reports-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function kept(name: string, report: unknown): string {
  const file = path.join(folder, name);
  writeFileSync(file, JSON.stringify(report));
  return file;
}

const vitest = () =>
  readVitestReport(
    kept('vitest.json', {
      numPassedTests: 3,
      numFailedTests: 1,
      numPendingTests: 2,
      numTodoTests: 1,
      testResults: [
        {
          name: path.join(repositoryRoot, 'packages/fix/src/a.test.ts'),
          status: 'failed',
          assertionResults: [
            { status: 'failed', fullName: 'a fix is made' },
            { status: 'passed', fullName: 'another', failureMessages: [] },
            { status: 'passed', fullName: 'one more', failureMessages: ['too late'] },
            { status: 'skipped', fullName: 'one that waits for minutes @night' },
          ],
        },
        { name: path.join(repositoryRoot, 'packages/fix/src/b.test.ts'), status: 'failed', assertionResults: [] },
      ],
    }),
  );

test('of unit tests, each failed one, each file that could not be loaded and each that passed when tried again is named', () => {
  expect(vitest()).toEqual({
    passed: 3,
    failed: 1,
    skipped: 2,
    failures: ['packages/fix/src/a.test.ts: a fix is made', 'packages/fix/src/b.test.ts'],
    flaky: ['packages/fix/src/a.test.ts: one more'],
  });
});

test('of browser tests, failed ones are named in nested groups too, and so are those that passed when tried again', () => {
  const report = kept('playwright.json', {
    stats: { expected: 4, flaky: 1, unexpected: 1, skipped: 2 },
    suites: [
      {
        specs: [{ file: 'a.journey.ts', title: 'tried twice', tests: [{ projectName: 'journeys', status: 'flaky' }] }],
        suites: [
          {
            specs: [
              { file: 'a.journey.ts', title: 'drawn', tests: [{ projectName: 'journeys', status: 'unexpected' }] },
            ],
          },
        ],
      },
    ],
  });
  expect(readPlaywrightReport(report)).toEqual({
    passed: 5,
    failed: 1,
    skipped: 2,
    failures: ['apps/web/journeys/a.journey.ts: drawn'],
    flaky: ['apps/web/journeys/a.journey.ts: tried twice'],
  });
});

test('a runner that ended before its report is a failure; one whose tests failed is not counted twice', () => {
  const lost = { ...readPlaywrightReport(path.join(folder, 'absent.json')), exitCode: 137, runner: 'Playwright' };
  expect(addReports([{ ...vitest(), exitCode: 1, runner: 'vitest' }, lost])).toEqual({
    passed: 3,
    failed: 2,
    skipped: 2,
    failures: [...vitest().failures, 'Playwright ended with exit code 137'],
    flaky: vitest().flaky,
  });
});
