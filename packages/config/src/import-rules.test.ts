import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const repository = fileURLToPath(new URL('../../..', import.meta.url));
const rulesFile = path.join(repository, 'packages/config/import-rules.cjs');
const house = mkdtempSync(path.join(os.tmpdir(), 'import-rules-'));
afterAll(() => rmSync(house, { recursive: true, force: true }));

const put = (file: string, text: string) => {
  mkdirSync(path.join(house, path.dirname(file)), { recursive: true });
  writeFileSync(path.join(house, file), text);
};

/** Files that break one rule each: file → its import, and the rule that it must break. */
const probes: [file: string, imported: string, rule: string][] = [
  ['packages/pdf/src/circle-a.ts', './circle-b.ts', 'no circles'],
  ['apps/web/src/a-screen.ts', './places.ts', 'no circles'],
  ['packages/contract/src/nosy.ts', '../../pdf/src/open.ts', 'contract imports only nothing of ours'],
  ['packages/pdf/src/nosy.ts', '../../preflight/src/run.ts', 'pdf imports only contract'],
  ['packages/settings/src/nosy.ts', '../../pdf/src/open.ts', 'settings imports only contract'],
  ['packages/preflight/src/nosy.ts', '../../fix/src/run.ts', 'preflight imports only contract, settings, pdf'],
  ['packages/fix/src/nosy.ts', '../../impose/src/run.ts', 'fix imports only contract, settings, pdf, preflight'],
  [
    'packages/fix/src/runs-checks.ts',
    '../../preflight/src/run.ts',
    'fix knows preflight by its contracts, and by whether a file keeps a standard',
  ],
  ['packages/impose/src/nosy.ts', '../../preflight/src/run.ts', 'impose imports only contract, settings, pdf'],
  [
    'packages/tasks/src/nosy.ts',
    '../../engine/src/engine.ts',
    'tasks imports only contract, settings, pdf, preflight, fix, impose',
  ],
  [
    'packages/steps/src/nosy.ts',
    '../../engine/src/engine.ts',
    'steps imports only contract, settings, preflight, tasks, ui',
  ],
  ['packages/steps/src/runs-checks.ts', '../../preflight/src/run.ts', 'steps knows preflight by its contracts'],
  ['packages/sftp/src/nosy.ts', '../../engine/src/engine.ts', 'sftp imports only nothing of ours'],
  ['packages/sources/src/nosy.ts', '../../engine/src/engine.ts', 'sources imports only contract, settings, sftp, ui'],
  ['packages/deliveries/src/nosy.ts', '../../engine/src/engine.ts', 'deliveries imports only contract, settings, sftp'],
  ['packages/storage/src/nosy.ts', '../../engine/src/engine.ts', 'storage imports only contract'],
  ['packages/mail/src/nosy.ts', '../../engine/src/engine.ts', 'mail imports only contract, settings'],
  [
    'packages/engine/src/nosy.ts',
    '../../pdf/src/open.ts',
    'engine imports only contract, settings, storage, mail, steps, sources, deliveries',
  ],
  ['packages/ui/src/nosy.ts', '../../engine/src/engine.ts', 'ui imports only contract, settings'],
  ['packages/config/src/nosy.ts', '../../engine/src/engine.ts', 'config imports only nothing of ours'],
  ['packages/engine/src/climber.ts', '../../storage/src/storage.ts', 'a room opens only its own doors'],
  [
    'packages/engine/src/steps/climber.ts',
    '../worker/worker.ts',
    'a folder of the engine imports only those beneath it',
  ],
  ['packages/engine/src/timing.ts', './worker/worker.ts', 'a folder of the engine imports only those beneath it'],
  [
    'packages/fix/src/kind/climber.ts',
    '../profile/profile.ts',
    'a folder of the fix room imports only those beneath it',
  ],
  [
    'packages/preflight/src/reading/climber.ts',
    '../checks/bleed/run.ts',
    'a folder of preflight imports only those beneath it',
  ],
  [
    'packages/impose/src/marks/climber.ts',
    '../layouts/layouts.ts',
    'a folder of the impose room imports only those beneath it',
  ],
  ['packages/engine/src/upstairs.ts', '../../../apps/api/src/main.ts', 'an app is nobody’s room'],
  [
    'apps/web/src/server.ts',
    '../../../packages/engine/src/engine.ts',
    'nothing the browser reaches may run on the server',
  ],
  ['apps/web/src/roles/roles-screen.tsx', '../frame/places.ts', 'a screen does not import the list of pages'],
  ['packages/engine/src/drawing.ts', 'react', 'nothing the server reaches may draw'],
  [
    'packages/preflight/src/checks/bleed/contract.ts',
    './run.ts',
    'a contract knows neither how it runs nor how it looks',
  ],
  ['packages/contract/src/greedy.ts', 'lodash', 'the contract imports zod only'],
  ['packages/preflight/src/checks/fonts/run.ts', '../bleed/run.ts', 'kinds do not know each other'],
  ['packages/preflight/src/engine-user.ts', 'mupdf', 'only the pdf room names a PDF or colour engine'],
  ['packages/engine/src/ringer.ts', 'bullmq', 'only the doorbell knows BullMQ'],
  ['apps/api/src/opener.ts', '../../../packages/pdf/src/open.ts', 'the api opens no PDF'],
];

test('every import rule has a probe that breaks it', () => {
  for (const file of [
    'packages/pdf/src/open.ts',
    'packages/preflight/src/run.ts',
    'packages/fix/src/run.ts',
    'packages/fix/src/profile/profile.ts',
    'packages/impose/src/run.ts',
    'packages/impose/src/layouts/layouts.ts',
    'packages/engine/src/engine.ts',
    'packages/engine/src/worker/worker.ts',
    'packages/storage/src/storage.ts',
    'packages/preflight/src/checks/bleed/run.ts',
    'apps/api/src/main.ts',
    'prisma/src/client.ts',
    'apps/web/src/frame/places.ts',
  ]) {
    put(file, 'export const here = 1;\n');
  }
  put('packages/pdf/src/circle-b.ts', "import './circle-a.ts';\n");
  put('apps/web/src/places.ts', "export const load = () => import('./a-screen.ts');\n");
  for (const name of ['react', 'lodash', 'mupdf', 'bullmq']) {
    put(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'index.js' }));
    put(`node_modules/${name}/index.js`, 'module.exports = {};\n');
  }
  put('package.json', JSON.stringify({ dependencies: { react: '1', lodash: '1', mupdf: '1', bullmq: '1' } }));
  for (const [file, imported] of probes) put(file, `import '${imported}';\n`);

  const cli = path.join(repository, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [cli, '--config', rulesFile, '--output-type', 'json', 'apps', 'packages', 'prisma'],
    { cwd: house, env: { ...process.env, IMPORT_RULES_ROOT: house }, encoding: 'utf8', maxBuffer: 1e8 },
  );
  const { summary } = JSON.parse(stdout || `{"summary":{"violations":[],"error":${JSON.stringify(stderr)}}}`) as {
    summary: { violations: { from: string; rule: { name: string } }[] };
  };
  const broken = new Set(summary.violations.map((violation) => `${violation.from} breaks ${violation.rule.name}`));
  for (const [file, , rule] of probes) expect([...broken]).toContain(`${file} breaks ${rule}`);

  const names = JSON.parse(
    execFileSync(
      process.execPath,
      ['-e', `console.log(JSON.stringify(require(${JSON.stringify(rulesFile)}).forbidden.map((r) => r.name)))`],
      { encoding: 'utf8' },
    ),
  ) as string[];
  expect(new Set(probes.map(([, , rule]) => rule))).toEqual(new Set(names));
});
