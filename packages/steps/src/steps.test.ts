import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FileFaultError, holdAnswers, locales } from '@pdf2press/contract';
import { describe, expect, test } from 'vitest';
import { stepContracts, stepGroups, stepMessages } from './contracts.ts';
import { runStep } from './runners.ts';
import type { StepContext, WorkflowNames } from './step.ts';
import type { StepTools } from './step-runner.ts';

const contracts = Object.values(stepContracts);

describe.each(contracts.map((contract) => [contract.kind, contract] as const))('%s', (kind, contract) => {
  test('is found by its name, and drawn by path data inside its grid', () => {
    expect(stepContracts[kind]).toBe(contract);
    expect(stepGroups).toContain(contract.group);
    expect(contract.icon).toMatch(/^M[\d\s.,MmLlHhVvCcAaZz-]+$/);
  });

  test('has a label, a help text and words for its settings and outcomes', () => {
    const settings = Object.keys(contract.settings.shape).map((name) => `settings.${name}`);
    const outcomes = contract.outcomes.map((outcome) => `outcomes.${outcome}`);
    expect(Object.keys(contract.messages.en)).toEqual(
      expect.arrayContaining(['label', 'help', ...outcomes, ...settings]),
    );
  });
});

test('the groups of the palette are named in every language', () => {
  for (const locale of locales)
    expect(Object.keys(stepMessages[locale]), locale).toEqual(stepGroups.map((group) => `groups.${group}`));
});

const tools: StepTools = {
  progress: () => undefined,
  runTask: () => Promise.reject(new Error('not in this test')),
};
const context = (kind: StepContext['step']['kind'], settings: unknown, session: object = {}) =>
  ({
    settings,
    step: { id: 's', kind, name: '' },
    session: { result: null, arrival: {}, runNo: 1, ...session },
    now: new Date('2026-11-23T16:00:00Z'),
    reader: { locale: 'en', unit: 'Millimeters', timeZone: 'Europe/Berlin' },
  }) as StepContext;

test('cancels with a reason for the history', async () => {
  const ended = await runStep(context('Cancel', { reason: 'Wrong paper', status: 'CanceledByUser' }), tools);
  expect(ended).toEqual({ end: 'session', status: 'CanceledByUser', summary: { reason: 'Wrong paper' } });
});

test.each([
  ['Always', null, true],
  ['Always', 'Success', true],
  ['WarningsAndErrors', 'Warning', true],
  ['WarningsAndErrors', 'Success', false],
  ['Errors', 'Error', true],
  ['Errors', 'Warning', false],
  ['Errors', null, false],
])('hold %s after preflight %s: %s', async (when, result, isHeld) => {
  const step = await runStep(context('Hold', { when, reason: ' Is the paper there? ' }, { result }), tools);
  expect(step).toEqual(
    isHeld
      ? {
          end: 'wait',
          wait: { kind: 'hold', allowed: [...holdAnswers], data: { reason: 'Is the paper there?', fields: [] } },
        }
      : { end: 'outcome', outcome: 'continue' },
  );
});

test('a cancellation sends its message, filled in, once to each address; without a good address it cancels all the same', async () => {
  const settings = { reason: 'No', to: ['{{who}}'], subject: 'About {{who}}', text: 'Sorry' };
  const about = (who: string | null) =>
    ({
      ...context('Cancel', settings, {
        id: 'ses_1',
        createdAt: new Date(0),
        runNo: 1,
        variables: { who },
        previous: {},
      }),
      workflow: {
        id: 'wfl_1',
        name: 'W',
        version: 1,
        variables: [{ name: 'who', type: 'String', default: null, isRequired: false, isPublic: false, options: [] }],
      },
      file: { name: 'a.pdf', size: 1 },
      original: { name: 'a.pdf' },
    }) as unknown as StepContext;
  const content = { subject: 'About a@x.example, b@x.example, a@x.example', text: 'Sorry' };
  expect(await runStep(about('a@x.example, b@x.example, a@x.example'), tools)).toMatchObject({
    end: 'session',
    status: 'CanceledByOperator',
    effects: ['a@x.example', 'b@x.example'].map((to) => ({
      kind: 'mail',
      payload: { template: 'message', to, content, maxTries: null },
    })),
    summary: { reason: 'No', sent: [{ to: 'a@x.example' }, { to: 'b@x.example' }] },
  });
  expect(await runStep(about(null), tools)).toMatchObject({
    end: 'session',
    status: 'CanceledByOperator',
    level: 'Warning',
    effects: [],
    summary: { problem: { code: 'ACTION_ADDRESS_MISSING' } },
  });
});

test.each([
  [{}, []],
  [{ to: ['a@x.example'], subject: 'S', text: 'T' }, []],
  [{ to: ['a@x.example'] }, ['subject', 'text']],
  [{ text: 'T' }, ['to', 'subject']],
  [{ to: ['nobody', '{{user.email}}'], subject: 'S', text: 'T' }, ['to.0']],
])('a cancellation that begins a message has to complete it: %j lacks %j', (settings, fields) => {
  const read = stepContracts.Cancel.settings.parse(settings);
  const issues = stepContracts.Cancel.check?.(read, { variables: [] } as unknown as WorkflowNames) ?? [];
  expect(issues.map(({ field }) => field)).toEqual(fields);
});

test.each([
  [{}, 'wait'],
  [{ ticket: '' }, 'wait'],
  [{ ticket: null, paper: 'matt' }, 'wait'],
  [{ ticket: 'T-1' }, 'wait'],
  [{ ticket: 'T-1', paper: 'matt' }, 'outcome'],
  [{ ticket: 0, paper: false }, 'outcome'],
])('a hold for a variable, with %j: %s', async (variables, end) => {
  const settings = { releaseWhen: 'ticket', fields: [{ variable: 'paper', use: 'required' }] };
  const ran = await runStep(context('Hold', settings, { variables }), tools);
  expect(ran).toMatchObject(
    end === 'wait' ? { end, wait: { data: { releaseWhen: 'ticket' } } } : { end, outcome: 'continue' },
  );
});

test('a hold cannot wait for a variable that the workflow has not', () => {
  const read = stepContracts.Hold.settings.parse({ releaseWhen: 'gone' });
  expect(stepContracts.Hold.check?.(read, { variables: [] } as unknown as WorkflowNames)).toEqual([
    { code: 'workflow.variableUnknown', field: 'releaseWhen', params: { name: 'gone' } },
  ]);
});

test.each(['Hold', 'Cancel'] as const)('the reason of %s is told with its placeholders filled in', async (kind) => {
  const told = await runStep(
    {
      ...context(kind, { reason: '{{file.baseName|upper}}: {{paper}}' }),
      session: { result: null, previous: {}, createdAt: new Date(), variables: { paper: 'A4' }, id: 's', runNo: 1 },
      workflow: { variables: [{ name: 'paper', type: 'String', default: null, options: [] }] },
      reader: { locale: 'en', unit: 'Millimeters', timeZone: 'UTC' },
      file: { name: 'flyer.pdf', size: 1 },
      original: { name: 'flyer.pdf' },
    } as unknown as StepContext,
    tools,
  );
  expect(told.end === 'wait' ? told.wait.data : told.summary).toMatchObject({ reason: 'FLYER: A4' });
});

test.each([
  [{ timeoutHours: 2 }, '2026-11-23T18:00:00.000Z'],
  [{ timeoutHours: 0 }, undefined],
  // 16:00 UTC is 17:00 in Berlin.
  [{ limit: 'clock', timeoutClock: '18:30' }, '2026-11-23T17:30:00.000Z'],
  [{ limit: 'clock', timeoutClock: '17:00' }, '2026-11-24T16:00:00.000Z'],
  [{ limit: 'moment', timeoutMoment: '2026-12-24' }, '2026-12-23T23:00:00.000Z'],
  [{ limit: 'moment', timeoutMoment: '2026-12-24 08:15' }, '2026-12-24T07:15:00.000Z'],
  [{ limit: 'moment', timeoutMoment: '2026-12-24T17:00:00Z' }, '2026-12-24T17:00:00.000Z'],
  [{ limit: 'moment', timeoutMoment: 'next week' }, undefined],
])('a hold with the time limit %j ends at %s', async (settings, ends) => {
  const held = await runStep(context('Hold', { ...settings, onTimeout: 'cancel' }), tools);
  if (held.end !== 'wait') throw new Error('it does not wait');
  expect(held.wait.dueAt?.toISOString()).toBe(ends);
  expect(held.wait.onDue).toBe(ends && 'cancel');
});

test('a hold tells whose decision it is, when they are reminded, and when it becomes whose', async () => {
  const settings = {
    assignee: 'usr_1',
    answers: ['continue'],
    reminderHours: 4,
    escalationHours: 24,
    escalateTo: 'rol_1',
  };
  const fields = [{ variable: 'paper', use: 'required' }];
  const held = await runStep(context('Hold', { ...settings, fields }), tools);
  expect(held).toMatchObject({
    wait: {
      allowed: ['continue'],
      data: { fields },
      assigneeId: 'usr_1',
      remindAt: new Date('2026-11-23T20:00:00Z'),
      escalation: { at: new Date('2026-11-24T16:00:00Z'), to: 'rol_1' },
    },
  });
});

test.each([
  [{ limit: 'moment' }, [['value.required', 'timeoutMoment']]],
  [{ reminderHours: 1 }, [['value.required', 'assignee']]],
  [{ escalationHours: 1 }, [['value.required', 'escalateTo']]],
  [{ fields: [{ variable: 'weight' }] }, [['workflow.variableUnknown', 'fields.0.variable']]],
  [{ fields: [{ variable: 'paper' }, { variable: 'paper' }] }, [['workflow.fieldTwice', 'fields.1.variable']]],
  [{ fields: [{ variable: 'paper' }], reminderHours: 1, assignee: 'usr_1' }, []],
])('the settings %j of a hold are told to lack %j', (settings, wanted) => {
  const { Hold } = stepContracts;
  const variables = [{ name: 'paper' }] as unknown as WorkflowNames['variables'];
  const issues = Hold.check?.(Hold.settings.parse(settings), { variables } as WorkflowNames) ?? [];
  expect(issues.map(({ code, field }) => [code, field])).toEqual(wanted);
});

test('how long files are kept is decided for the session', async () => {
  const kept = { keepsThumbnails: true, keepsRecord: true, archives: 'byPolicy', archivingPolicyId: '' };
  const decided = { daysSource: 7, daysFinal: 90, start: 'completed', noticeDays: 7, isLegalHold: true, ...kept };
  const done = await runStep(context('Retention', { daysSource: 7, isLegalHold: true }), tools);
  expect(done).toEqual({
    end: 'outcome',
    outcome: 'done',
    decisions: { retention: { ...decided, policy: null } },
    summary: decided,
  });
  expect(() => runStep(context('Retention', { daysFinal: 3651 }), tools)).toThrow('SETTINGS_INVALID');
});

test('a setting that is not allowed is named', () => {
  expect(() => runStep(context('Cancel', { status: 'Gone' }), tools)).toThrow(
    expect.objectContaining({ code: 'SETTINGS_INVALID', params: { field: 'status' } }),
  );
});

test('a picture that comes in goes on as a PDF, unless it is to be refused', async () => {
  const workDir = mkdtempSync(path.join(tmpdir(), 'inject-'));
  const asked: string[] = [];
  const runTask = ((task: string, params: { path: string }) => {
    asked.push(`${task} ${path.basename(params.path)}`);
    if (task === 'fix') return Promise.resolve({ out: { path: 'x', pageCount: 1 } });
    return params.path.endsWith('.jpg')
      ? Promise.reject(new FileFaultError('PDF_NOT_PDF'))
      : Promise.resolve({ pageCount: 1 });
  }) as unknown as StepTools['runTask'];
  const file = { id: 'f', path: '/in/photo.jpg', name: 'photo.jpg' };
  const step = (settings: object) =>
    ({ ...context('Inject', { drawThumbnails: false, ...settings }), file, workDir }) as StepContext;
  const done = await runStep(step({}), { ...tools, runTask });
  expect(asked).toEqual(['inspect photo.jpg', 'fix photo.jpg', 'inspect from-picture.pdf']);
  expect(done).toMatchObject({
    pageCount: 1,
    files: [{ kind: 'Others' }, { kind: 'ProductionFile', name: 'photo.pdf', mediaType: 'application/pdf' }],
  });
  await expect(runStep(step({ fileTypes: ['PDF'] }), { ...tools, runTask })).rejects.toThrow('PDF_NOT_PDF');
});

test('preflight without its profile is a fault of the settings, not of the file', async () => {
  await expect(runStep(context('Preflight', { profileId: 'prf_1' }), tools)).rejects.toBeInstanceOf(FileFaultError);
});
