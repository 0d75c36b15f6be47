import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

/** A test, or all tests whose names begin or end with the same words. */
export interface NamedTest {
  /** From the root of the repository. */
  file: string;
  /** Part of its whole name: the words of `describe` and `test`, joined by blanks. */
  name: string;
}

/** How a test ended. `meta` is what it told about itself: figures of a run. */
export interface TestResult {
  file: string;
  name: string;
  status: 'passed' | 'failed' | 'skipped';
  message: string;
  meta: Record<string, unknown>;
}

/** The project of vitest that a test file belongs to: the name of its room. */
export const projectOf = (file: string): string =>
  file.startsWith('prisma/') ? 'prisma' : (file.split('/')[1] ?? file);

interface VitestReport {
  testResults?: {
    name: string;
    message?: string;
    assertionResults: {
      status: string;
      fullName: string;
      failureMessages?: string[] | null;
      meta?: Record<string, unknown>;
    }[];
  }[];
}

/** The tests in vitest's JSON report; none where the run ended before it wrote one. */
export function readTestResults(report: string, root: string): TestResult[] {
  if (!existsSync(report)) return [];
  const { testResults = [] } = JSON.parse(readFileSync(report, 'utf8')) as VitestReport;
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ status, fullName, failureMessages, meta = {} }) => ({
      file: path.relative(root, name).split(path.sep).join('/'),
      name: fullName,
      status: status === 'passed' || status === 'failed' ? status : 'skipped',
      message: failureMessages?.[0]?.split('\n')[0] ?? '',
      meta,
    })),
  );
}

/** The results of one named test among those of a run. */
export const resultsOf = (results: readonly TestResult[], { file, name }: NamedTest): TestResult[] =>
  results.filter((result) => result.file === file && result.name.includes(name));

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

export interface NamedRun {
  /** The tree to run in, with `node_modules` and build output. */
  root: string;
  /** A folder for the report and for what the tests leave. */
  folder: string;
  vitest: string;
  /** Runs no longer than this, in milliseconds: a mutated program may never end. */
  longest?: number;
}

/** Runs named tests, and no others of their files, with everything that the night switches on. */
export async function runNamedTests(
  tests: readonly NamedTest[],
  { root, folder, vitest, longest = 20 * 60_000 }: NamedRun,
): Promise<{ results: TestResult[]; output: string; isTooLong: boolean }> {
  const report = path.join(folder, 'vitest.json');
  const files = [...new Set(tests.map(({ file }) => file))];
  const names = [...new Set(tests.map(({ name }) => escaped(name)))];
  // The report of a run before, which this one may be ended too soon to replace.
  rmSync(report, { force: true });
  let isTooLong = false;
  const output = await new Promise<string>((resolve) => {
    const child = spawn(
      vitest,
      [
        ...['run', '--config', 'packages/config/vitest.config.ts', '--reporter=json', `--outputFile.json=${report}`],
        ...[...new Set(files.map(projectOf))].flatMap((project) => ['--project', project]),
        ...['-t', names.join('|'), ...files],
      ],
      { cwd: root, env: { ...process.env, NIGHT: '1', TMPDIR: folder }, timeout: longest },
    );
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
    child.on('error', (error) => resolve(String(error)));
    child.on('close', () => {
      // Set where the time-out has ended it.
      isTooLong = child.killed;
      resolve(text);
    });
  });
  return { results: readTestResults(report, root), output, isTooLong };
}

/**
 * Whether a test file may give this name: all of its words stand there, but for one that `test.each` may fill in from
 * elsewhere where two others follow each other. Reads the text only, so that it costs nothing by day; a run tells for
 * certain.
 */
export function namesTest(text: string, name: string): boolean {
  if (text.includes(name)) return true;
  const words = name.split(' ');
  const absent = words.filter((word) => !text.includes(word.replace(/^[("]+|[):,"]+$/g, '')));
  const hasPhrase = words.some((word, at) => at > 0 && text.includes(`${words[at - 1]} ${word}`));
  return absent.length === 0 || (absent.length === 1 && hasPhrase);
}
