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

/** A little house in which each file breaks one rule: file → its import, and the rule it must break. */
const probes: [file: string, imported: string, rule: string][] = [
  ['packages/pdf/src/circle-a.ts', './circle-b.ts', 'no circles'],
  ['packages/contract/src/nosy.ts', '../../pdf/src/open.ts', 'contract imports only nothing of ours'],
  ['packages/pdf/src/nosy.ts', '../../prepress/src/preflight.ts', 'pdf imports only contract'],
  ['packages/prepress/src/nosy.ts', '../../engine/src/engine.ts', 'prepress imports only contract, pdf'],
  ['packages/steps/src/nosy.ts', '../../engine/src/engine.ts', 'steps imports only contract, prepress, ui'],
  ['packages/sources/src/nosy.ts', '../../engine/src/engine.ts', 'sources imports only contract, ui'],
  ['packages/storage/src/nosy.ts', '../../engine/src/engine.ts', 'storage imports only contract'],
  ['packages/mail/src/nosy.ts', '../../engine/src/engine.ts', 'mail imports only contract'],
  ['packages/engine/src/nosy.ts', '../../pdf/src/open.ts', 'engine imports only contract, storage, mail, steps'],
  ['packages/ui/src/nosy.ts', '../../engine/src/engine.ts', 'ui imports only contract'],
  ['packages/config/src/nosy.ts', '../../engine/src/engine.ts', 'config imports only nothing of ours'],
  ['packages/engine/src/climber.ts', '../../storage/src/storage.ts', 'a room opens only its own doors'],
  ['packages/engine/src/upstairs.ts', '../../../apps/api/src/main.ts', 'an app is nobody’s room'],
  [
    'apps/web/src/server.ts',
    '../../../packages/engine/src/engine.ts',
    'nothing the browser reaches may run on the server',
  ],
  ['packages/engine/src/drawing.ts', 'react', 'nothing the server reaches may draw'],
  [
    'packages/prepress/src/checks/bleed/contract.ts',
    './run.ts',
    'a contract knows neither how it runs nor how it looks',
  ],
  ['packages/contract/src/greedy.ts', 'lodash', 'the contract imports zod only'],
  ['packages/prepress/src/checks/fonts/run.ts', '../bleed/run.ts', 'kinds do not know each other'],
  ['packages/prepress/src/engine-user.ts', 'mupdf', 'only the pdf room names a PDF or colour engine'],
  ['packages/engine/src/ringer.ts', 'bullmq', 'only the doorbell knows BullMQ'],
  ['apps/api/src/opener.ts', '../../../packages/pdf/src/open.ts', 'the api opens no PDF'],
];

test('every import rule has a probe that breaks it', () => {
  for (const file of [
    'packages/pdf/src/open.ts',
    'packages/prepress/src/preflight.ts',
    'packages/engine/src/engine.ts',
    'packages/storage/src/storage.ts',
    'packages/prepress/src/checks/bleed/run.ts',
    'apps/api/src/main.ts',
    'prisma/src/client.ts',
  ]) {
    put(file, 'export const here = 1;\n');
  }
  put('packages/pdf/src/circle-b.ts', "import './circle-a.ts';\n");
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
