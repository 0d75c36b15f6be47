import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  cleanFileName,
  type ErrorParams,
  ProblemError,
  type SessionSource,
  waysIn,
  workflowDefinitionSchema,
} from '@pdf2press/contract';
import { startTestPostgres } from '@pdf2press/prisma/testing';
import type { StepContext, StepResult } from '@pdf2press/steps/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { continueSession, replaceFile } from '../commands/hold-commands.ts';
import { restartSession } from '../commands/session-commands.ts';
import type { ExecuteStep } from '../steps/run-step.ts';
import { type Lab, openLab, tester } from '../testing/lab.ts';
import { startWorker } from '../worker/worker.ts';
import { type Delivery, receiveFile } from './receive-file.ts';

let server: Awaited<ReturnType<typeof startTestPostgres>>;
let lab: Lab;
beforeAll(async () => {
  server = await startTestPostgres();
  lab = await openLab(server);
});
afterAll(async () => {
  await lab.close();
  await server.stop();
});

const context = () => ({ subscriberId: lab.subscriberId });
let lastNo = 1;

/** Publishes a workflow that only takes files, by these settings. */
async function publish(settings: object, variables: object[] = []): Promise<void> {
  lastNo += 1;
  const definition = workflowDefinitionSchema.parse({
    steps: [
      { id: 'inject', kind: 'Inject', settings },
      { id: 'complete', kind: 'Complete' },
    ],
    edges: [{ id: 'a', from: 'inject', outcome: 'done', to: 'complete' }],
    variables,
  });
  const data = { id: `wfv_${lab.subscriberId}_${lastNo}`, workflowId: lab.workflowId, no: lastNo };
  await lab.deps.database.withSubscriber(context(), async (tx) => {
    await tx.workflowVersion.create({ data: { ...data, definition: definition as object, profiles: {}, hash: '' } });
    await tx.workflow.update({ where: { id: lab.workflowId }, data: { publishedNo: lastNo } });
  });
}

async function* once(bytes: Uint8Array) {
  yield bytes;
}
let bytesNo = 0;

/** Hands a file in; resolves to its session's row, or to the code and the parameters of why it was refused. */
async function hand(fileName: string, more: Partial<Omit<Delivery, 'bytes'>> & { bytes?: string } = {}) {
  bytesNo += 1;
  const { bytes = `file ${bytesNo}`, ...rest } = more;
  try {
    const { sessionId, isDuplicate } = await receiveFile(lab.deps, {
      context: context(),
      workflowId: lab.workflowId,
      source: 'ManualInjected',
      fileName,
      bytes: once(Buffer.from(bytes)),
      ingest: { kind: 'test' },
      createdBy: tester,
      ...rest,
    });
    const { rows } = await lab.sql.query('select id, variables, arrival from sessions where id = $1', [sessionId]);
    return { ...rows[0], isKnown: isDuplicate };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const [{ code, params } = { code: '' }] = error.problems as { code: string; params?: ErrorParams }[];
    return { refused: code, params };
  }
}
const countSessions = async () => (await lab.sql.query('select count(*)::int as n from sessions')).rows[0].n;

const sources: Record<
  (typeof waysIn)[number],
  { source: SessionSource; way?: 'hotFolder' | 'sftpFolder' | 'pressero' }
> = {
  manual: { source: 'ManualInjected' },
  uploadPage: { source: 'PublicFileUpload' },
  api: { source: 'ExternalApi' },
  pressero: { source: 'ExternalApi', way: 'pressero' },
  email: { source: 'Email' },
  cloudFolder: { source: 'CloudFolder' },
  hotFolder: { source: 'CloudFolder', way: 'hotFolder' },
  sftpFolder: { source: 'CloudFolder', way: 'sftpFolder' },
  previousWorkflow: { source: 'InjectedFromPreviousWorkflow' },
};

test.each(waysIn)(
  '%s switched off: refused with a code, and nothing is kept; every other way stays open',
  async (off) => {
    await publish({ ways: { [off]: false } });
    const before = await countSessions();
    for (const way of waysIn) {
      const answer = await hand('a.pdf', sources[way]);
      if (way === off) expect(answer).toEqual({ refused: 'workflow.wayOff', params: { way } });
      else expect(answer, way).toMatchObject({ id: expect.any(String) });
    }
    expect(await countSessions()).toBe(before + waysIn.length - 1);
  },
);

test('a name says the type of a file: one that is not taken is refused, one that says none is looked at later', async () => {
  await publish({ fileTypes: ['PDF', 'ZIP'] });
  const refusal = { refused: 'file.typeNotAccepted', params: { types: 'PDF, ZIP' } };
  expect(await hand('a.JPG')).toEqual(refusal);
  for (const name of ['a.pdf', 'a.zip', 'a', 'a.bin']) expect(await hand(name), name).toHaveProperty('id');
});

const needed = [
  { name: 'order', type: 'String', isRequired: true },
  { name: 'copies', type: 'Number', default: 1 },
];

test('a name gives variables, which count more than what was given for the whole delivery', async () => {
  await publish({ namePattern: '{{order}}_{{copies}}_*.pdf' }, needed);
  expect(await hand('47_500_a.pdf')).toMatchObject({ variables: { order: '47', copies: 500 } });
  expect(await hand('47_500_a.pdf', { variables: { copies: 7, paper: 'A4' } })).toMatchObject({
    variables: { order: '47', copies: 500, paper: 'A4' },
  });
  expect(await hand('47_many_a.pdf')).toEqual({
    refused: 'file.nameNotAccepted',
    params: { pattern: '{{order}}_{{copies}}_*.pdf' },
  });
});

test('a name that does not fit: required values are still required, unless they were given', async () => {
  await publish({ namePattern: '{{order}}_*.pdf', onOtherName: 'ignore' }, needed);
  expect(await hand('a.pdf')).toMatchObject({ refused: 'workflow.variableMissing' });
  expect(await hand('a.pdf', { variables: { order: '1' } })).toMatchObject({ variables: { order: '1' }, arrival: {} });
  await publish({ namePattern: '{{order}}_*.pdf', onOtherName: 'hold' }, needed);
  expect(await hand('a.pdf', { variables: { order: '1' } })).toMatchObject({ arrival: { hasOtherName: true } });
  // A package has no values of its own yet.
  await publish({ namePattern: '{{order}}_*.pdf', fileTypes: ['ZIP', 'PDF'] }, needed);
  expect(await hand('all.zip')).toMatchObject({ variables: { order: null, copies: 1 }, arrival: {} });
  // One that is a single document has the values of any other file.
  await publish({ namePattern: '{{order}}_*', fileTypes: ['ZIP', 'PDF'], zips: 'document' }, needed);
  expect(await hand('47_book.zip')).toMatchObject({ variables: { order: '47', copies: 1 } });
  expect(await hand('book.zip')).toMatchObject({ refused: 'file.nameNotAccepted' });
});

test('a sidecar gives typed variables, which count most', async () => {
  await publish({ takesSidecars: true, namePattern: '{{order}}_*.pdf' }, needed);
  const sidecar = (text: string) => ({ sidecar: { name: 'a.json', text } });
  expect(await hand('1_a.pdf', sidecar('{"order":"2","copies":"30"}'))).toMatchObject({
    variables: { order: '2', copies: 30 },
  });
  expect(await hand('1_a.pdf', sidecar('{"copies":"many"}'))).toMatchObject({
    refused: 'workflow.variableInvalid',
    params: { name: 'copies' },
  });
  expect(await hand('1_a.pdf', sidecar('['))).toMatchObject({ refused: 'sidecar.invalid' });
  await publish({}, []);
  expect(await hand('1_a.pdf', sidecar('{}'))).toMatchObject({ refused: 'sidecar.notTaken' });
});

test('the same bytes again: taken, taken with a warning, or refused with the earlier session', async () => {
  const same = { bytes: 'one flyer' };
  await publish({});
  const first = await hand('a.pdf', same);
  expect(await hand('b.pdf', same)).toMatchObject({ arrival: {} });
  await publish({ duplicates: 'warn' });
  expect(await hand('c.pdf', same)).toMatchObject({ arrival: { duplicateOf: first.id } });
  expect(await hand('other.pdf')).toMatchObject({ arrival: {} });
  await publish({ duplicates: 'refuse' });
  expect(await hand('d.pdf', same)).toEqual({ refused: 'file.duplicate', params: { session: first.id } });
  // The same delivery is no second one.
  const key = { bytes: 'two flyers', ingest: { kind: 'api', key: 'order 1' } };
  const known = await hand('e.pdf', key);
  expect(await hand('e.pdf', key)).toMatchObject({ id: known.id, isKnown: true });
  expect(await hand('e.pdf', { bytes: 'two flyers', source: 'InjectedFromPreviousWorkflow' })).toHaveProperty('id');
});

test('sessions that failed or were canceled do not count, nor do those of other workflows unless asked', async () => {
  await publish({ duplicates: 'refuse' });
  const first = await hand('a.pdf', { bytes: 'three' });
  await lab.sql.query("update sessions set status = 'CanceledByOperator', finished_at = now() where id = $1", [
    first.id,
  ]);
  expect(await hand('a.pdf', { bytes: 'three' })).toHaveProperty('id');
  const other = 'wfl_other';
  await lab.deps.database.withSubscriber(context(), async (tx) => {
    await tx.workflow.create({ data: { id: other, name: 'Other', draft: {}, publishedNo: 1 } });
    const { definition } = await tx.workflowVersion.findFirstOrThrow({ where: { no: lastNo } });
    const data = {
      id: 'wfv_other',
      workflowId: other,
      no: 1,
      definition: definition as object,
      profiles: {},
      hash: '',
    };
    await tx.workflowVersion.create({ data });
  });
  const there = await hand('b.pdf', { bytes: 'four', workflowId: other });
  expect(await hand('b.pdf', { bytes: 'four' })).toHaveProperty('id');
  expect(await hand('b.pdf', { bytes: 'five', workflowId: other })).toHaveProperty('id');
  await publish({ duplicates: 'refuse', duplicatesIn: 'everywhere' });
  expect(await hand('c.pdf', { bytes: 'four' })).toEqual({ refused: 'file.duplicate', params: { session: there.id } });
});

test('twenty at the same time with the same bytes: one is taken', async () => {
  await publish({ duplicates: 'refuse' });
  const answers = await Promise.all(Array.from({ length: 20 }, () => hand('a.pdf', { bytes: 'many at once' })));
  const taken = answers.filter(({ id }) => id);
  expect(taken).toHaveLength(1);
  expect(answers.filter(({ params }) => params?.session === taken[0]?.id)).toHaveLength(19);
});

/** Runs steps until nothing is open: the injection step does as told, and the last one ends the session. */
async function run(
  inject: (context: StepContext) => Promise<StepResult>,
  whenIdle?: () => Promise<void>,
): Promise<void> {
  const execute: ExecuteStep = (step) =>
    step.step.kind === 'Inject' ? inject(step) : Promise.resolve({ end: 'session', status: 'Completed' });
  const worker = await startWorker(lab.deps, {
    databaseUrl: lab.url,
    instance: 'a',
    doorbell: { kind: 'none' },
    slots: 2,
    execute,
    workFolder: `${lab.folder}/work`,
    engineVersion: '1',
    timing: { grace: 300 },
  });
  await lab.settled();
  await whenIdle?.();
  await lab.settled();
  await worker.stop();
}
const goesOn: StepResult = { end: 'outcome', outcome: 'done' };

test('files of a ZIP are each taken or refused by the rules, and the log of the ZIP tells which and why', async () => {
  await run(async () => goesOn);
  const rules = {
    fileTypes: ['ZIP', 'PDF'],
    takesSidecars: true,
    duplicates: 'refuse',
    namePattern: '{{order}}_*.pdf',
  };
  await publish(rules, needed);
  const zip = await hand('all.zip', { variables: { copies: 9 } });
  const entries = [
    { name: '1_a.pdf', text: 'a' },
    { name: '2_b.pdf', text: 'b', sidecar: { name: '2_b.csv', text: 'copies\n70' } },
    { name: '3_c.pdf', text: 'a' },
    { name: 'd.pdf', text: 'd' },
  ];
  await run(async ({ session, workDir }) => {
    if (session.arrival.part) return goesOn;
    await mkdir(workDir, { recursive: true });
    for (const { name, text } of entries) await writeFile(path.join(workDir, name), text);
    return {
      end: 'session',
      status: 'Completed',
      summary: { skipped: [{ name: 'x.doc', code: 'ZIP_TYPE' }] },
      parts: entries.map(({ name, sidecar }) => ({
        path: name,
        name: cleanFileName(name),
        mediaType: 'application/pdf',
        from: { entry: `in/${name}` },
        ...(sidecar && { sidecar }),
      })),
    };
  });
  const { rows } = await lab.sql.query(
    'select id, file_name, variables, arrival, status::text from sessions where parent_session_id = $1 order by created_at, id',
    [zip.id],
  );
  expect(rows).toMatchObject([
    {
      file_name: '1_a.pdf',
      variables: { order: '1', copies: 9 },
      arrival: { part: { entry: 'in/1_a.pdf', fileName: 'all.zip' } },
    },
    { file_name: '2_b.pdf', variables: { order: '2', copies: 70 }, status: 'Completed' },
  ]);
  expect(await lab.status(zip.id)).toBe('CompletedWithWarnings');
  const [step] = (await lab.sql.query('select output from step_runs where session_id = $1', [zip.id])).rows;
  expect(step.output.summary).toMatchObject({
    parts: 2,
    skipped: [
      { name: 'x.doc', code: 'ZIP_TYPE' },
      { name: '3_c.pdf', code: 'file.duplicate', params: { session: rows[0]?.id } },
      { name: 'd.pdf', code: 'file.nameNotAccepted' },
    ],
  });
});

test('a ZIP whose files are all refused fails, and no session begins', async () => {
  await publish({ fileTypes: ['ZIP', 'PDF'], namePattern: '{{order}}_*.pdf' }, needed);
  const zip = await hand('none.zip');
  await run(async ({ workDir }) => {
    await writeFile(path.join(workDir, '1'), 'x');
    const part = { path: '1', name: 'x.pdf', mediaType: 'application/pdf', from: { entry: 'x.pdf' } };
    return { end: 'session', status: 'Completed', parts: [part] };
  });
  expect(await lab.status(zip.id)).toBe('Failed');
  const { rows } = await lab.sql.query('select count(*)::int as n from sessions where parent_session_id = $1', [
    zip.id,
  ]);
  expect(rows).toEqual([{ n: 0 }]);
});

test('a session held for its name goes on by the port of the step; run again or with another file it is not held', async () => {
  const rules = { namePattern: '{{order}}_*.pdf', onOtherName: 'hold', duplicates: 'refuse' };
  await publish(rules, [{ name: 'order', type: 'String' }]);
  const inject = async ({ session }: StepContext): Promise<StepResult> =>
    session.arrival.hasOtherName && session.runNo === 1
      ? { end: 'wait', wait: { kind: 'hold', allowed: ['continue', 'replaceFile'], leavesBy: 'done' } }
      : goesOn;
  const [first, { id }, replaced] = [await hand('1_x.pdf', { bytes: 'x' }), await hand('y.pdf'), await hand('z.pdf')];
  const about = (sessionId: string) => ({ sessionId, by: tester });
  await run(inject, async () => {
    expect([await lab.status(id), await lab.status(replaced.id)]).toEqual(['OnHold', 'OnHold']);
    await continueSession(lab.deps, context(), about(id));
    const { rows } = await lab.sql.query('select sha256, size::int from files where session_id = $1', [first.id]);
    // The file that it is replaced by came before, which is what the person wants.
    await replaceFile(lab.deps, context(), { ...about(replaced.id), file: { ...rows[0], name: 'x.pdf' } });
  });
  const outcomes = "select run_no, outcome from step_runs where session_id = $1 and kind = 'Inject' order by run_no";
  expect((await lab.sql.query(outcomes, [id])).rows).toEqual([{ run_no: 1, outcome: 'done' }]);
  await restartSession(lab.deps, context(), about(id));
  await run(inject);
  expect([await lab.status(id), await lab.status(replaced.id)]).toEqual(['Completed', 'Completed']);
});
