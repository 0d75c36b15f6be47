import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import { installDebianPackages, installVariable } from './debian-packages.ts';

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

/** Programs that tests compare with or talk to, and the Debian package of each. A test skips where its program is missing. */
const testTools: Record<string, string> = {
  qpdf: 'qpdf',
  pdfinfo: 'poppler-utils',
  gs: 'ghostscript',
  mutool: 'mupdf-tools',
  dovecot: 'dovecot-imapd',
  sshd: 'openssh-server',
  'redis-server': 'redis-server',
};

const missingTools = () => Object.keys(testTools).filter((name) => !onPath(name));
const packagesOf = (tools: readonly string[]) => [...new Set(tools.map((name) => testTools[name] ?? name))];

/** Installs what tests compare with where that was asked for; says in one line what is missing and how to get it. */
export async function prepareTestTools(): Promise<void> {
  const wanted = missingTools();
  if (wanted.length === 0) return;
  if (process.env[installVariable] === '1') {
    console.log(`Installing ${packagesOf(wanted).join(', ')}.`);
    try {
      await installDebianPackages(packagesOf(wanted));
    } catch (error) {
      console.log(`${(error as Error).message}.`);
    }
  }
  const missing = missingTools();
  if (missing.length === 0) return;
  const how = `apt-get install ${packagesOf(missing).join(' ')}, or ${installVariable}=1 npm test as root`;
  console.log(`Not on this machine: ${missing.join(', ')}. Tests that need them are skipped. To get them: ${how}.`);
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

/** Whether the browser runs: the file may be a stub for snap, or a library may be missing. */
const opens = (file: string) =>
  spawnSync(file, ['--headless', ...commonArgs, '--dump-dom', 'about:blank'], { timeout: 120_000 }).status === 0;

/** CHROMIUM_PATH, Playwright's own, one on PATH, or the one that comes from npm: the first that opens. */
export async function findBrowser(): Promise<Browser> {
  const plain = (executablePath: string): Browser => ({ executablePath, args: commonArgs, env: {} });
  if (process.env.CHROMIUM_PATH) return plain(process.env.CHROMIUM_PATH);
  const { chromium } = await import('playwright');
  if (existsSync(chromium.executablePath())) return plain(chromium.executablePath());
  const found = onPath('chromium', 'chromium-browser', 'google-chrome');
  if (found && opens(found)) return plain(found);
  // With this variable the package also unpacks the system libraries that it contains.
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
