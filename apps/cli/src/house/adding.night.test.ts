/** The examples of docs/adding.md, applied to a copy of the repository, built, and seen in the API and the web app. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { examples } from './adding-examples.ts';
import { localBin } from './processes.ts';
import { repositoryRoot } from './root.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';
import { copyTree } from './tree-copy.ts';

/** Long enough for a build and a database on a slow machine. */
const longest = 600_000;

const copy = makeTemporaryFolder('adding');
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** Runs a program in the copy; resolves to its output, and throws that when it fails. */
function run(command: string, args: readonly string[], { cwd = copy, input = '' } = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = {
      ...process.env,
      PATH: `${path.dirname(localBin('turbo'))}${path.delimiter}${process.env.PATH}`,
      // Where a repository lies above the copy, `git apply` would leave out what is not in it.
      GIT_CEILING_DIRECTORIES: path.dirname(copy),
      TURBO_TELEMETRY_DISABLED: '1',
      DO_NOT_TRACK: '1',
    };
    const child = spawn(command, args, { cwd, env, timeout: longest });
    let output = '';
    let errors = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`${command} ended with ${code}\n${output}\n${errors}`)),
    );
    child.stdin.end(input);
  });
}

/** Runs in the copy's API: a real one on a real Postgres, asked as an administrator. Prints what was seen. */
const look = `
import { startLab } from './dist/testing/lab.js';
const door = (room, name) => import('../../packages/' + room + '/dist/' + name + '.js');
const [{ polledSources }, { effectContracts }, kindRunners] = await Promise.all([
  door('sources', 'runners'),
  door('engine', 'effects/catalogue'),
  door('steps', 'kind-runners'),
]);
const lab = await startLab();
try {
  const person = await lab.makeAdministrator(await lab.makeSubscriber('Adding'), 'adding@example.com');
  const as = await lab.signIn(person);
  const profile = async (kind, settings) => {
    const { result } = await lab.call('POST', '/profiles/' + kind, { as, body: { name: kind, settings } });
    return (await lab.call('GET', '/profiles/' + kind + '/' + result.id, { as })).result.settings;
  };
  const definition = { steps: [{ id: 'note', kind: 'Note', settings: { text: 'Mind the fold' } }] };
  console.log(JSON.stringify({
    check: await profile('preflight', { checks: [{ key: 'Bookmarks' }] }),
    fix: await profile('fix', { actions: [{ key: 'RemoveBookmarks' }] }),
    layout: await profile('impose', { type: 'OneUp', marks: { corner: { enabled: true, length: '7mm' } } }),
    step: (await lab.call('POST', '/workflows/validate', { as, body: { name: 'Adding', definition } })).statusCode,
    runsStep: typeof kindRunners.Note,
    source: [...polledSources.keys()],
    effect: Object.keys(effectContracts),
    resource: (await lab.call('GET', '/sheet-sizes', { as })).result,
    paths: Object.keys(JSON.parse((await lab.call('GET', '/docs/openapi.json')).body).paths),
  }));
} finally {
  await lab.stop();
}
`;

describe('applied to a copy of the repository and built', () => {
  beforeAll(async () => {
    copyTree(copy);
    for (const { diff } of examples) await run('git', ['apply', '-'], { input: diff });
    // Packages that the examples do not change come from the build cache of the original, which is only read.
    const cache = ['--cache-dir', path.join(repositoryRoot, '.turbo/cache'), '--cache=local:r'];
    const rooms = ['api', 'web'].map((room) => `--filter=@pdf2press/${room}`);
    await run(localBin('turbo'), ['run', 'build', ...rooms, ...cache, '--no-daemon', '--output-logs=errors-only']);
  }, longest);

  test(
    'the API takes each kind and answers for the resource',
    async () => {
      const api = path.join(copy, 'apps/api');
      writeFileSync(path.join(api, 'look.mjs'), look);
      const seen = JSON.parse(
        (await run(process.execPath, ['look.mjs'], { cwd: api })).trim().split('\n').at(-1) ?? '',
      );
      expect(seen.check.checks).toMatchObject([{ key: 'Bookmarks' }]);
      expect(seen.fix.actions).toMatchObject([{ key: 'RemoveBookmarks' }]);
      expect(seen.layout).toMatchObject({ type: 'OneUp', marks: { corner: { enabled: true } } });
      expect(seen).toMatchObject({ step: 200, runsStep: 'function' });
      expect(seen.source).toContain('file');
      expect(seen.effect).toContain('verify');
      expect(seen.resource).toContainEqual({ name: 'SRA3', width: 320, height: 450 });
      expect(seen.paths).toContain('/sheet-sizes');
    },
    longest,
  );

  test('the web app has the labels of each kind, and the screen', () => {
    const assets = path.join(copy, 'apps/web/dist/assets');
    const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'));
    const text = scripts.map((name) => readFileSync(path.join(assets, name), 'utf8')).join('\n');
    for (const shown of [
      'check.Bookmarks',
      'Signets',
      'Remove bookmarks',
      'One page per sheet',
      'Corner marks',
      'step.Note',
      'Leaves a note for the operator in the session.',
      'Sheet sizes',
      '/sheet-sizes',
    ])
      expect(text, shown).toContain(shown);
  });
});
