import { execFileSync, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The program on PATH, or undefined. */
export function onPath(...names: string[]): string | undefined {
  for (const name of names) {
    for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
      const file = path.join(folder, name);
      try {
        accessSync(file, constants.X_OK);
        return file;
      } catch {
        // not in this folder
      }
    }
  }
  return undefined;
}

/** Programs that tests compare with or talk to, and the Debian package of each. Tests say so and skip where one is missing. */
const testTools: Record<string, string> = {
  qpdf: 'qpdf',
  pdfinfo: 'poppler-utils',
  gs: 'ghostscript',
  mutool: 'mupdf-tools',
  'redis-server': 'redis-server',
};

/** Installs Debian packages where we may (root with apt-get); false where we may not or it fails. */
export function aptInstall(packages: readonly string[]): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get') || process.env.PDF2PRESS_NO_APT) return false;
  const options = { stdio: 'ignore' as const, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  // A package may start its server on installation; ours are started by the tests that need them.
  const policy = '/usr/sbin/policy-rc.d';
  if (!existsSync(policy)) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    execFileSync('apt-get', ['update', '-qq'], options);
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], options);
    return true;
  } catch {
    return false;
  }
}

/** Makes what tests compare with available as far as this machine allows, and says what is missing. */
export function prepareTestTools(): void {
  const missing = () => Object.keys(testTools).filter((name) => !onPath(name));
  const wanted = missing();
  if (wanted.length > 0) {
    console.log(`Looking for ${wanted.join(', ')} to compare with.`);
    aptInstall([...new Set(wanted.map((name) => testTools[name] ?? name))]);
  }
  const still = missing();
  if (still.length > 0) console.log(`Not on this machine, so their comparisons are skipped: ${still.join(', ')}.`);
}

export interface Browser {
  executablePath: string;
  args: readonly string[];
  env: Record<string, string>;
}

const commonArgs = [
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/** A broken wrapper (a snap stub, a missing library) must not be taken for a browser. */
const opens = (file: string) =>
  spawnSync(file, ['--headless', ...commonArgs, '--dump-dom', 'about:blank'], { timeout: 120_000 }).status === 0;

/** CHROMIUM_PATH, Playwright's own, one on PATH, Debian's, or the one that comes from npm: the first that opens. */
export async function findBrowser(): Promise<Browser> {
  const plain = (executablePath: string): Browser => ({ executablePath, args: commonArgs, env: {} });
  if (process.env.CHROMIUM_PATH) return plain(process.env.CHROMIUM_PATH);
  const { chromium } = await import('playwright');
  if (existsSync(chromium.executablePath())) return plain(chromium.executablePath());
  const installed = () => onPath('chromium', 'chromium-browser', 'google-chrome');
  if (!installed()) aptInstall(['chromium']);
  const found = installed();
  if (found && opens(found)) return plain(found);
  // Makes the package unpack the system libraries it brings, too.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= `nodejs${process.versions.node.split('.')[0]}.x`;
  const { default: bundled } = await import('@sparticuz/chromium');
  const executablePath = await bundled.executablePath();
  return {
    executablePath,
    args: [...commonArgs, '--headless=shell', '--no-zygote', '--disable-gpu', '--in-process-gpu'],
    env: {
      LD_LIBRARY_PATH: process.env.LD_LIBRARY_PATH ?? '',
      FONTCONFIG_PATH: process.env.FONTCONFIG_PATH ?? '',
    },
  };
}

/** Counts of a run, from the JSON report of vitest or Playwright. */
export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

const readJson = (file: string): Record<string, unknown> =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>) : {};

const number = (value: unknown) => (typeof value === 'number' ? value : 0);

export function vitestCounts(file: string): Counts {
  const report = readJson(file);
  return {
    passed: number(report.numPassedTests),
    failed: number(report.numFailedTests),
    skipped: number(report.numPendingTests) + number(report.numTodoTests),
  };
}

export function playwrightCounts(file: string): Counts {
  const stats = (readJson(file).stats ?? {}) as Record<string, unknown>;
  return {
    passed: number(stats.expected) + number(stats.flaky),
    failed: number(stats.unexpected),
    skipped: number(stats.skipped),
  };
}
