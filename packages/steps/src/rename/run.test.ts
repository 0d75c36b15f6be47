import { workflowDefinitionSchema } from '@pdf2press/contract';
import { loadRegularExpressions } from '@pdf2press/settings';
import { expect, test } from 'vitest';
import { checkWorkflow } from '../check-workflow.ts';
import { runStep } from '../runners.ts';
import type { StepContext } from '../step.ts';

const tools = { progress: () => undefined, runTask: () => Promise.reject(new Error('opens no PDF')) };

const inspection = { pdf: { version: '1.6', conformance: [] }, pages: [], fonts: [], images: [], inks: [] };

function run(settings: object, { taken = [] as string[], read = [] as string[] } = {}) {
  return runStep(
    {
      settings,
      step: { id: 'stp_0c2f4e6a8b', kind: 'Rename', name: '' },
      session: {
        id: 'ses_1',
        createdAt: new Date('2026-11-22T08:00:00Z'),
        runNo: 1,
        rerouteCount: 0,
        result: null,
        pageCount: 8,
        variables: { product: 'Flyer A5' },
        previous: { outcome: 'done', result: null },
        otherFileNames: taken,
      },
      workflow: { id: 'wfl_1', name: 'Flyers', version: 1, variables: [variable] },
      reader: { locale: 'en', unit: 'Millimeters', timeZone: 'UTC' },
      file: { name: 'in.pdf', size: 1000, sha256: 'x' },
      original: { name: 'in.pdf' },
      readMade: async (role: string) => {
        read.push(role);
        return inspection;
      },
    } as unknown as StepContext,
    tools,
  );
}
const variable = { name: 'product', type: 'String', default: null, isRequired: false, isPublic: false, options: [] };

test('the file goes on under its new name, made from facts and the workflow’s variables', async () => {
  const read: string[] = [];
  const pattern = '{{product|slug}}_{{pdf.pageCount}}pp_{{file.baseName}}';
  expect(await run({ pattern }, { read })).toEqual({
    end: 'outcome',
    outcome: 'done',
    renamedTo: 'flyer-a5_8pp_in.pdf',
    summary: { from: 'in.pdf', to: 'flyer-a5_8pp_in.pdf' },
  });
  // The number of pages is the session's own; nothing else of the PDF is asked for by the next name.
  read.length = 0;
  await run({ pattern: '{{product}}' }, { read });
  expect(read).toEqual([]);
});

test('a name that stays the same makes no file', async () => {
  expect(await run({})).toEqual({ end: 'outcome', outcome: 'done', summary: { from: 'in.pdf', to: 'in.pdf' } });
});

test('a regular expression is carried out, and one that cannot be read is a fault of the settings', async () => {
  const operations = (expression: string) => ({ operations: [{ action: 'regex', expression, replacement: 'out' }] });
  expect(await run(operations('^in$'))).toMatchObject({ renamedTo: 'out.pdf' });
  await expect(run(operations('('))).rejects.toMatchObject({ code: 'SETTINGS_INVALID' });
});

test('the step’s id makes a taken name unique, so that a second attempt gives the same name', async () => {
  const settings = { pattern: 'a', collision: 'unique' };
  const first = await run(settings, { taken: ['A.pdf'] });
  expect(first).toMatchObject({ renamedTo: 'a_2f4e6a8b.pdf' });
  expect(await run(settings, { taken: ['A.pdf'] })).toEqual(first);
});

test('a taken name stops the session where the rule says so', async () => {
  expect(await run({ pattern: 'a', collision: 'fail' }, { taken: ['A.pdf'] })).toEqual({
    end: 'failure',
    failure: { code: 'RENAME_NAME_TAKEN', params: { name: 'a.pdf' } },
    summary: { from: 'in.pdf', to: 'a.pdf' },
  });
});

test('unknown names, unreadable expressions and missing values are refused before publishing', async () => {
  const issues = async (settings: object) =>
    checkWorkflow(
      workflowDefinitionSchema.parse({
        steps: [
          { id: 'i', kind: 'Inject' },
          { id: 'r', kind: 'Rename', settings },
          { id: 'c', kind: 'Complete' },
        ],
        edges: [
          { id: 'e1', from: 'i', outcome: 'done', to: 'r' },
          { id: 'e2', from: 'r', outcome: 'done', to: 'c' },
        ],
        variables: [variable],
      }),
      { name: 'A' },
      await loadRegularExpressions(),
    ).map(({ code, field }) => [code, field]);
  expect(await issues({ pattern: '{{product}}' })).toEqual([]);
  expect(await issues({ pattern: '{{nobody}}' })).toEqual([['placeholder.unknownName', 'pattern']]);
  const operations = [
    { action: 'suffix', text: '{{nobody}}' },
    { action: 'regex', expression: '(' },
    { action: 'replace', replacement: 'x' },
    { action: 'keepSegment', separator: '' },
    { action: 'regex', expression: 'a+' },
  ];
  expect(await issues({ operations })).toEqual([
    ['rule.expressionInvalid', 'operations.1.expression'],
    ['value.required', 'operations.2.find'],
    ['value.required', 'operations.3.separator'],
    ['placeholder.unknownName', 'operations.0.text'],
  ]);
});
