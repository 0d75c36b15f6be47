import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PreflightReport } from '@pdf2press/contract';
import { runTask } from '@pdf2press/tasks';
import { afterAll, expect, test } from 'vitest';
import type { StepContext } from '../step.ts';
import type { StepTools } from '../step-runner.ts';
import { runPreflight } from './run.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A page of 300 × 300 points. */
function pdfOf(content: string): string {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R>>',
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj${object}endobj\n`;
    return at;
  });
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  return `${text}xref\n0 5\n0000000000 65535 f \n${table}trailer<</Root 1 0 R/Size 5>>\nstartxref\n${text.length}\n%%EOF\n`;
}

/** The report of the step on a page, after the report on the file before. */
async function report(content: string, before: PreflightReport | undefined, settings: object = {}) {
  const workDir = mkdtempSync(path.join(tmpdir(), 'preflight-step-'));
  folders.push(workDir);
  const file = path.join(workDir, 'in.pdf');
  writeFileSync(file, pdfOf(content));
  const checks = [{ key: 'SameAsBefore', settings }];
  const asked: string[] = [];
  const context = {
    session: { variables: {} },
    reader: { locale: 'en' },
    profile: {
      id: 'p',
      kind: 'preflight',
      name: 'Test',
      version: 1,
      settings: { boxPolicy: { onMissingTrim: 'Off' }, checks },
    },
    file: { id: 'f', path: file, name: 'in.pdf' },
    readMadeBefore: async (role: string) => {
      asked.push(role);
      return before;
    },
    workDir,
  } as unknown as Parameters<typeof runPreflight>[0] & StepContext;
  const tools = {
    progress: () => undefined,
    runTask: (task, params) => runTask(task, params, { workDir }),
  } as StepTools;
  const done = await runPreflight(context, tools);
  expect(done).toMatchObject({ end: 'outcome', outcome: 'done' });
  expect(asked).toEqual(['preflightReport']);
  return JSON.parse(readFileSync(path.join(workDir, 'preflight.json'), 'utf8')) as PreflightReport;
}

test('a corrected file that looks like the one before is told, and one that does not is not', async () => {
  const square = '0 0 0 1 k 100 100 50 50 re f';
  const first = await report(square, undefined);
  expect(first.findings).toEqual([]);
  const rules = async (content: string, settings?: object) =>
    (await report(content, first, settings)).findings.map(({ ruleKey, page }) => [ruleKey, page]);
  // The report was kept as JSON between the two.
  expect(await rules(`q ${square} Q`)).toEqual([['SameAsBefore.sameLook', null]]);
  expect(await rules(square)).toEqual([['SameAsBefore.sameFile', null]]);
  expect(await rules('0 0 0 1 k 110 100 50 50 re f')).toEqual([]);
  expect(await rules('0 0 0 1 k 110 100 50 50 re f', { expect: 'Unchanged' })).toEqual([
    ['SameAsBefore.pageDiffers', 1],
  ]);
});
