import { workflowDefinitionSchema } from '@pdf2press/contract';
import { loadRegularExpressions } from '@pdf2press/settings';
import { expect, test } from 'vitest';
import { checkWorkflow } from '../check-workflow.ts';
import { runStep } from '../runners.ts';
import type { StepContext } from '../step.ts';

const tools = { progress: () => undefined, runTask: () => Promise.reject(new Error('opens no PDF')) };

const inspection = { pdf: { version: '1.6', conformance: [] }, pages: [], fonts: [], images: [], inks: [] };

function run(
  settings: object,
  { taken = [] as string[], read = [] as string[], isOriginal = false, profile = undefined as object | undefined } = {},
) {
  return runStep(
    {
      settings,
      step: { id: 'stp_0c2f4e6a8b', kind: 'Rename', name: '' },
      session: {
        id: 'ses_1',
        createdAt: new Date('2026-11-22T08:00:00Z'),
        runNo: 1,
        fileName: 'in.pdf',
        rerouteCount: 0,
        result: null,
        pageCount: 8,
        variables: { product: 'Flyer A5' },
        previous: { outcome: 'done', result: null },
        otherFileNames: taken,
      },
      workflow: { id: 'wfl_1', name: 'Flyers', version: 1, variables: [variable] },
      reader: { locale: 'en', unit: 'Millimeters', timeZone: 'UTC' },
      file: { id: isOriginal ? 'fil_1' : 'fil_2', name: 'in.pdf', size: 1000, sha256: 'x' },
      original: { id: 'fil_1', name: 'in.pdf' },
      profile,
      takeCounters: async (kinds: readonly string[]) => {
        read.push(...kinds);
        return { total: 12, daily: 3, all: 88 };
      },
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

test('the file that came in gets the name where the rules say so, and both get it where they name both', async () => {
  const pattern = '{{file.baseName}}_x';
  expect(await run({ pattern, scope: 'source' })).toEqual({
    end: 'outcome',
    outcome: 'done',
    originalRenamedTo: 'in_x.pdf',
    summary: { from: 'in.pdf', to: 'in_x.pdf' },
  });
  const both = { from: 'in.pdf', to: 'in_x.pdf', source: { from: 'in.pdf', to: 'in_x.pdf' } };
  expect(await run({ pattern, scope: 'all' }, { taken: ['in.pdf'] })).toEqual({
    end: 'outcome',
    outcome: 'done',
    renamedTo: 'in_x.pdf',
    originalRenamedTo: 'in_x.pdf',
    summary: both,
  });
  // Where no step has made a file, the file that came in is the one the session works on.
  expect(await run({ pattern, scope: 'all' }, { isOriginal: true })).toMatchObject({ originalRenamedTo: 'in_x.pdf' });
  expect(await run({ pattern, scope: 'all' }, { isOriginal: true })).not.toHaveProperty('renamedTo');
});

test('a profile has the rules, and the settings beside it count for nothing', async () => {
  const profile = { settings: { pattern: '{{product}}', operations: [{ action: 'case', letters: 'upper' }] } };
  const settings = { profileId: 'prf_1', pattern: 'own' };
  expect(await run(settings, { profile })).toMatchObject({ renamedTo: 'FLYER A5.pdf' });
  await expect(run(settings)).rejects.toMatchObject({ code: 'SETTINGS_INVALID' });
});

test('only the numbers that the rules use are taken', async () => {
  const read: string[] = [];
  const counter = (counts: string) => ({ operations: [{ action: 'counter', counts, place: 'end' }] });
  expect(await run(counter('all'), { read })).toMatchObject({ renamedTo: 'in_0088.pdf' });
  expect(read).toEqual(['house']);
  expect(await run(counter('day'), { read })).toMatchObject({ renamedTo: 'in_0003.pdf' });
  expect(read).toEqual(['house', 'workflow']);
  // A text of an operation that is not chosen takes none.
  await run({ operations: [{ action: 'trim', text: '{{counter}}' }] }, { read });
  expect(read).toEqual(['house', 'workflow']);
});
