import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from './root.ts';

/** What a run of tests ended with, from the JSON report of vitest or Playwright. */
export interface RunReport {
  passed: number;
  failed: number;
  skipped: number;
  /** `file: test` of each that failed, or `file` alone where it could not be loaded. */
  failures: string[];
  /** `file: test` of each that failed and passed when it was tried again. They count as passed. */
  flaky?: string[];
}

interface VitestReport {
  numPassedTests?: number;
  numFailedTests?: number;
  numPendingTests?: number;
  numTodoTests?: number;
  testResults?: {
    name: string;
    status: string;
    /** Of a test that passed, `failureMessages` are those of the first try. */
    assertionResults: { status: string; fullName: string; failureMessages?: string[] }[];
  }[];
}

interface PlaywrightSuite {
  specs?: { file: string; title: string; tests: { projectName: string; status: string }[] }[];
  suites?: PlaywrightSuite[];
}

interface PlaywrightReport extends PlaywrightSuite {
  stats?: { expected?: number; flaky?: number; unexpected?: number; skipped?: number };
}

const read = <Report extends object>(file: string): Partial<Report> =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : {};

/** What vitest reports as left out although by day nobody asked for it: the tests of the night. */
const nightly = / @night$/;

/** Reads vitest's JSON report, without the tests of the night by day. All counts are 0 when the run ended before it wrote one. */
export function readVitestReport(file: string): RunReport {
  const report = read<VitestReport>(file);
  const failures = (report.testResults ?? []).flatMap(({ name, status, assertionResults }) => {
    const failed = assertionResults.filter((one) => one.status === 'failed');
    const at = path.relative(repositoryRoot, name);
    if (failed.length === 0) return status === 'failed' ? [at] : [];
    return failed.map(({ fullName }) => `${at}: ${fullName}`);
  });
  const tests = (report.testResults ?? []).flatMap(({ name, assertionResults }) =>
    assertionResults.map((one) => ({ ...one, at: path.relative(repositoryRoot, name) })),
  );
  const flaky = tests
    .filter(({ status, failureMessages = [] }) => status === 'passed' && failureMessages.length > 0)
    .map(({ at, fullName }) => `${at}: ${fullName}`);
  const leftOut = tests.filter(
    ({ status, fullName }) => nightly.test(fullName) && ['skipped', 'pending'].includes(status),
  ).length;
  return {
    passed: report.numPassedTests ?? 0,
    failed: report.numFailedTests ?? 0,
    skipped: (report.numPendingTests ?? 0) + (report.numTodoTests ?? 0) - leftOut,
    failures,
    flaky,
  };
}

function specsThat(ended: 'unexpected' | 'flaky', { specs = [], suites = [] }: PlaywrightSuite): string[] {
  const own = specs
    .filter(({ tests }) => tests.some(({ status }) => status === ended))
    .map(({ file, title }) => `apps/web/journeys/${file}: ${title}`);
  return [...own, ...suites.flatMap((suite) => specsThat(ended, suite))];
}

/** Reads Playwright's JSON report. All counts are 0 when the run ended before it wrote one. */
export function readPlaywrightReport(file: string): RunReport {
  const report = read<PlaywrightReport>(file);
  const { expected = 0, flaky = 0, unexpected = 0, skipped = 0 } = report.stats ?? {};
  return {
    passed: expected + flaky,
    failed: unexpected,
    skipped,
    failures: specsThat('unexpected', report),
    flaky: specsThat('flaky', report),
  };
}

/**
 * Adds up runs that ended with `exitCode`. A runner that fails without a failed test (it ended before its report, or a file
 * could not be loaded) counts as one failure.
 */
export function addReports(runs: readonly (RunReport & { exitCode: number; runner: string })[]): Required<RunReport> {
  const all = runs.map(({ exitCode, runner, ...run }) =>
    exitCode === 0 || run.failed > 0
      ? run
      : { ...run, failed: 1, failures: [...run.failures, `${runner} ended with exit code ${exitCode}`] },
  );
  const sum = (count: (run: RunReport) => number) => all.reduce((total, run) => total + count(run), 0);
  return {
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    skipped: sum(({ skipped }) => skipped),
    failures: all.flatMap(({ failures }) => failures),
    flaky: all.flatMap(({ flaky = [] }) => flaky),
  };
}
