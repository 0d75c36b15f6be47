import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { repositoryRoot } from './root.ts';

let folder: string;
let policy: string;
let calls: string;

const recorded = () => (existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : []);

/** A program in place of Debian's apt-get: records its arguments, and whether service starts were blocked. */
function putAptGet(exitCode: number): void {
  const file = path.join(folder, 'apt-get');
  writeFileSync(
    file,
    `#!/bin/sh\necho "$@" "$( [ -x "${policy}" ] && echo services off )" >> "${calls}"\nexit ${exitCode}\n`,
  );
  chmodSync(file, 0o755);
}

/** Runs a function of this package in a process whose PATH has only apt-get. */
async function run(module: string, call: string, env: Record<string, string> = {}): Promise<string> {
  const address = pathToFileURL(path.join(repositoryRoot, 'apps/cli/dist/house', module)).href;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', `const room = await import(${JSON.stringify(address)}); await room.${call};`],
    { env: { PATH: `${folder}:/nowhere`, ...env } },
  );
  return stdout;
}

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'pdf2press-tools-'));
  policy = path.join(folder, 'policy-rc.d');
  calls = path.join(folder, 'calls');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('nothing is installed without being asked, and one line says how to get what is missing', async () => {
  putAptGet(0);
  const lines = (await run('tools.js', 'prepareTestTools()')).trim().split('\n');
  expect(lines).toEqual([
    expect.stringMatching(
      /^Not on this machine: qpdf, .*redis-server\. .*apt-get install qpdf .*PDF2PRESS_INSTALL_TOOLS=1/,
    ),
  ]);
  expect(recorded()).toEqual([]);
});

test('a failing installation is reported, and the tests continue without the programs', async () => {
  putAptGet(100);
  // Writing a policy file needs root.
  const isAllowed = process.getuid?.() === 0 || existsSync('/usr/sbin/policy-rc.d');
  const said = await run('tools.js', 'prepareTestTools()', { PDF2PRESS_INSTALL_TOOLS: '1' });
  expect(said).toMatch(isAllowed ? /apt-get update ended with 100\./ : /EACCES/);
  expect(said).toMatch(/Not on this machine: qpdf/);
});

test('service starts are blocked while packages are installed, and the policy file is removed afterwards', async () => {
  putAptGet(0);
  await run('debian-packages.js', `installDebianPackages(['qpdf'], ${JSON.stringify(policy)})`);
  expect(recorded()).toEqual(['update -qq services off', 'install -y -qq --no-install-recommends qpdf services off']);
  expect(existsSync(policy)).toBe(false);
});

test('the policy file is removed after a failure, too', async () => {
  putAptGet(1);
  const call = `installDebianPackages(['qpdf'], ${JSON.stringify(policy)})`;
  await expect(run('debian-packages.js', call)).rejects.toThrow(/apt-get update ended with 1/);
  expect(existsSync(policy)).toBe(false);
});

test('an existing policy file is not changed', async () => {
  putAptGet(0);
  writeFileSync(policy, '#!/bin/sh\nexit 0\n');
  await run('debian-packages.js', `installDebianPackages(['qpdf'], ${JSON.stringify(policy)})`);
  expect(readFileSync(policy, 'utf8')).toBe('#!/bin/sh\nexit 0\n');
});
