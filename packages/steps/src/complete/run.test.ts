import { workflowDefinitionSchema } from '@pdf2press/contract';
import { expect, test } from 'vitest';
import { checkWorkflow } from '../check-workflow.ts';
import { runStep } from '../runners.ts';
import type { MadeFile, StepContext } from '../step.ts';

const tools = { progress: () => undefined, runTask: () => Promise.reject(new Error('opens no PDF')) };

const made = (id: string, stepId: string, name: string, sha256 = id): MadeFile => ({
  id,
  stepId,
  name,
  sha256,
  mediaType: 'application/pdf',
  size: 10,
});
const now = { id: 'imposed', name: 'sheets.pdf', mediaType: 'application/pdf', sha256: 'imposed', size: 10 };

function complete(
  settings: object,
  {
    files = [] as MadeFile[],
    profile = undefined as object | undefined,
    result = null as string | null,
    arrivalResult = null as string | null,
  } = {},
) {
  return runStep(
    {
      settings,
      profile: profile && { settings: profile },
      step: { id: 'stp_12345678', kind: 'Complete', name: '' },
      session: {
        id: 'ses_1',
        fileName: 'in.pdf',
        runNo: 1,
        result,
        arrivalResult,
        variables: {},
        previous: {},
        createdAt: new Date(0),
      },
      workflow: { id: 'wfl_1', name: 'Flyers', version: 1, variables: [] },
      reader: { locale: 'en', unit: 'Millimeters', timeZone: 'UTC' },
      file: now,
      original: { id: 'original', name: 'in.pdf' },
      takeCounters: async () => ({ total: 7 }),
      readFiles: async () => files,
    } as unknown as StepContext,
    tools,
  );
}

test.each([
  [null, true, 'Completed'],
  ['Success', true, 'Completed'],
  ['Warning', true, 'CompletedWithWarnings'],
  ['Error', true, 'CompletedWithWarnings'],
  ['Error', false, 'Completed'],
] as const)('after a preflight with %s, followed %s, the session is %s', async (result, followsPreflight, status) => {
  expect(await complete({ followsPreflight }, { result })).toMatchObject({ end: 'session', status });
});

test.each([
  ['Warning', true, 'CompletedWithWarnings'],
  ['Warning', false, 'Completed'],
  ['Success', true, 'Completed'],
] as const)(
  'after an arrival with %s, followed %s, the session is %s',
  async (arrivalResult, followsPreflight, status) => {
    const ended = await complete({ followsPreflight }, { result: 'Success', arrivalResult });
    expect(ended).toMatchObject({ end: 'session', status });
  },
);

const files = [
  made('fixed', 'fix', 'in.pdf'),
  made('renamed', 'rename', 'job.pdf', 'fixed'),
  made('imposed', 'impose', 'sheets.pdf'),
];

test.each([
  ['the file as it is', {}, ['imposed sheets.pdf']],
  ['every file once, under its newest name', { files: 'all' }, ['renamed job.pdf', 'imposed sheets.pdf']],
  ['what a step made', { files: 'step', step: 'fix' }, ['fixed in.pdf']],
  ['the file as it is where a step made none', { files: 'step', step: 'check' }, ['imposed sheets.pdf']],
])('the result is %s', async (_, settings, wanted) => {
  const ended = await complete(settings, { files });
  const { decisions } = ended as { decisions: { result: { id: string; name: string }[] } };
  expect(decisions.result.map(({ id, name }) => `${id} ${name}`)).toEqual(wanted);
  expect(ended.summary).toEqual({ files: decisions.result.map(({ name }) => name) });
});

test('a profile names each file by what is known of it, and no two alike', async () => {
  const profile = { pattern: '{{counter|pad:3}} {{file.baseName|max:1}}' };
  expect(await complete({ files: 'all', profileId: 'p' }, { files, profile })).toMatchObject({
    decisions: { result: [{ name: '007 j.pdf' }, { name: '007 s.pdf' }] },
  });
  expect(await complete({ files: 'all', profileId: 'p' }, { files, profile: { pattern: 'job' } })).toMatchObject({
    decisions: { result: [{ name: 'job.pdf' }, { name: 'job_v2.pdf' }] },
  });
});

test('a name that the profile refuses fails the session', async () => {
  const profile = { pattern: 'job', collision: 'fail' };
  expect(await complete({ files: 'all', profileId: 'p' }, { files, profile })).toMatchObject({
    end: 'failure',
    failure: { code: 'RENAME_NAME_TAKEN', params: { name: 'job.pdf' } },
  });
});

test('a step that does not exist, and a profile whose texts name no variable of the workflow, are refused', () => {
  const issues = (settings: object, profile?: object) =>
    checkWorkflow(
      workflowDefinitionSchema.parse({
        steps: [
          { id: 'i', kind: 'Inject' },
          { id: 'c', kind: 'Complete', settings },
        ],
        edges: [{ id: 'e', from: 'i', outcome: 'done', to: 'c' }],
        variables: [{ name: 'product', type: 'String' }],
      }),
      { name: 'A' },
      null,
      { p: { settings: profile } },
    ).map(({ code, field, params }) => [code, field, params?.name]);
  expect(issues({ files: 'step', step: 'i' })).toEqual([]);
  expect(issues({ files: 'step' })).toEqual([['value.required', 'step', undefined]]);
  expect(issues({ files: 'step', step: 'gone' })).toEqual([['workflow.stepUnknown', 'step', undefined]]);
  expect(issues({ profileId: 'p' }, { pattern: '{{product}}' })).toEqual([]);
  expect(issues({ profileId: 'p' }, { pattern: '{{Grammage}}' })).toEqual([
    ['placeholder.unknownName', 'profileId', 'Grammage'],
  ]);
});
