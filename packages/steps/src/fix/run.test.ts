/** The fix step as a workflow runs it: profile, findings of the preflight before it, variables of the session. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FixReport } from '@pdf2press/contract';
import { runTask } from '@pdf2press/tasks';
import { expect, test } from 'vitest';
import { runStep } from '../runners.ts';
import type { StepContext } from '../step.ts';
import type { StepTools } from '../step-runner.ts';

/** Three pages with a thin line each, without a TrimBox. */
function threePages(): Buffer {
  const content = '0.1 w 0 0 0 1 K 10 10 m 90 90 l S';
  const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Contents 6 0 R/Resources<<>>>>';
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 3/Kids[3 0 R 4 0 R 5 0 R]>>',
    page,
    page,
    page,
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
  ];
  let text = '%PDF-1.4\n';
  const places = objects.map((object, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`;
  return Buffer.from(
    `${text}${table}trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF`,
  );
}
const pdf = threePages();

const finding = (checkKey: string) => ({ findings: [{ checkKey, severity: 'Fail', fixableBy: null }] });

interface Given {
  variables?: object;
  preflight?: object;
}

async function run(profile: object, session: Given = {}) {
  const workDir = mkdtempSync(path.join(tmpdir(), 'fix-step-'));
  const file = path.join(workDir, 'in.pdf');
  writeFileSync(file, pdf);
  const tools: StepTools = {
    progress: () => undefined,
    runTask: (task, params) => runTask(task, params, { workDir }),
  };
  const context = {
    settings: { profileId: 'fix_1' },
    step: { id: 's', kind: 'Fix', name: '' },
    session: { variables: session.variables ?? {} },
    profile: { id: 'fix_1', kind: 'fix', name: 'Test', version: 3, settings: profile },
    file: { id: 'f', path: file, name: 'in.pdf' },
    readMade: () => Promise.resolve(session.preflight),
    withFonts: (_: unknown, work: (fonts: []) => unknown) => work([]),
    workDir,
  } as unknown as StepContext;
  const done = await runStep(context, tools);
  expect(readFileSync(file)).toEqual(pdf);
  return { done, report: JSON.parse(readFileSync(path.join(workDir, 'fix.json'), 'utf8')) as FixReport };
}

async function fix(profile: object, session: Given = {}): Promise<FixReport> {
  const { done, report } = await run(profile, session);
  expect(done).toMatchObject({ end: 'outcome', outcome: 'done' });
  return report;
}

const outcomes = (report: FixReport): string[] => report.actions.map(({ action, outcome }) => `${action} ${outcome}`);
const always = { is: 'Always' };

test('actions run in the order of the engine, ranges mean what pages are left', async () => {
  const report = await fix({
    actions: [
      { key: 'ThickenLines', when: always, pages: '2' },
      { key: 'SetPageBoxes', when: always },
      { key: 'TruncatePages', when: always, settings: { keep: 'FirstN', count: 2 } },
    ],
  });
  expect(outcomes(report)).toEqual(['TruncatePages Applied', 'SetPageBoxes Applied', 'ThickenLines Applied']);
  expect(report.actions[2]?.pages).toEqual([2]);
  expect(report.out?.pageCount).toBe(2);
  expect(report.profile).toEqual({ id: 'fix_1', name: '', version: 3 });
});

test('as listed, an inverted pair is told; a range that names no page is skipped', async () => {
  const report = await fix({
    order: 'AsListed',
    actions: [
      { key: 'ThickenLines', when: always, pages: '9' },
      { key: 'SetPageBoxes', when: always },
    ],
  });
  expect(outcomes(report)).toEqual(['ThickenLines Skipped', 'SetPageBoxes Applied']);
  expect(report.actions[0]?.reason?.code).toBe('pages.none');
  expect(report.warnings).toMatchObject([
    { code: 'order.inverted', params: { first: 'ThickenLines', second: 'SetPageBoxes' } },
  ]);
});

test('an action follows the findings of the preflight before it, or an expression over variables', async () => {
  const actions = [
    { key: 'SetPageBoxes', when: { is: 'Expression', expression: 'product = "flyer"' } },
    { key: 'ThickenLines' },
  ];
  const hit = await fix({ actions }, { preflight: finding('ThinLines'), variables: { product: 'flyer' } });
  expect(outcomes(hit)).toEqual(['SetPageBoxes Applied', 'ThickenLines Applied']);
  const clean = await fix({ actions }, { preflight: finding('Fonts'), variables: { product: 'book' } });
  expect(outcomes(clean)).toEqual(['SetPageBoxes Skipped', 'ThickenLines Skipped']);
  expect(clean.actions.map(({ reason }) => reason?.code)).toEqual(['when.false', 'when.noFinding']);
  expect(clean.out?.isChanged).toBe(false);
});

test('settings are bound to variables of the session', async () => {
  const report = await fix(
    {
      variables: { 'TruncatePages.count': 'pages' },
      actions: [{ key: 'TruncatePages', when: always, settings: { keep: 'FirstN', count: 3 } }],
    },
    { variables: { pages: 1 } },
  );
  expect(report.out?.pageCount).toBe(1);
});

test('an action that fails ends the session with its reason; the log stays to be read, and no file is made', async () => {
  const { done, report } = await run({
    actions: [
      { key: 'TruncatePages', when: always, settings: { keep: 'RemoveRange', range: 'all' } },
      { key: 'ThickenLines', when: always },
    ],
  });
  expect(done).toMatchObject({
    end: 'failure',
    failure: { code: 'FIX_FAILED', params: { action: 'TruncatePages', reason: 'nothingLeft' } },
    level: 'Error',
  });
  expect(done.files?.map(({ kind, meta }) => [kind, meta?.role])).toEqual([['Others', 'fixReport']]);
  expect(outcomes(report)).toEqual(['TruncatePages Failed', 'ThickenLines Skipped']);
  expect(report.out).toBeNull();
});
