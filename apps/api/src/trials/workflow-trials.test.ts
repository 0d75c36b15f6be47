import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { isNight } from '@pdf2press/config/by-day';
import type { RouteResult, routes, Session } from '@pdf2press/contract';
import { readEvents, receiveFile } from '@pdf2press/engine';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { form } from '../testing/form.ts';
import { type Lab, type SignedIn, startLab } from '../testing/lab.ts';

/** Drafts of workflows are tried on real sessions: a real worker process runs both. */
type Trial = RouteResult<typeof routes.trials.get>;
type Comparison = RouteResult<typeof routes.trials.compare>;

const main = fileURLToPath(new URL('../../../worker/dist/joined/main.js', import.meta.url));
/** For what the worker does: far longer than it takes on a busy machine. */
const patience = { timeout: 200_000, interval: 200 };

let lab: Lab;
let ana: SignedIn;
let stranger: SignedIn;
let worker: ChildProcess;
let profileId: string;
let workflowId: string;
/** Numbers of pages of the past files: at night each up to 20, by day those around the limits of the test. */
const tried = isNight ? Array.from({ length: 20 }, (_, at) => at + 1) : [3, 4, 10, 11, 15, 16, 20];
const between = (above: number, last: number) => tried.filter((pages) => pages > above && pages <= last);
/** By the number of pages of the file. */
const sessions = new Map<number, string>();

/** A PDF of empty pages, of which some lie on their side. */
function pdfOf(pages: number, lying: readonly number[] = []): Buffer {
  const kids = Array.from({ length: pages }, (_, index) => `${3 + index} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages} >>`,
    ...Array.from({ length: pages }, (_, index) => {
      const size = lying.includes(index + 1) ? '200 100' : '100 200';
      return `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${size}] /Resources << >> >>`;
    }),
  ];
  let text = '%PDF-1.7\n';
  const offsets = objects.map((object, index) => {
    const place = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return place;
  });
  const xref = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  for (const offset of offsets) text += `${String(offset).padStart(10, '0')} 00000 n \n`;
  return Buffer.from(`${text}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${xref}\n%%EOF\n`);
}

const limited = (max: number) => ({ checks: [{ key: 'PageCount', settings: { max } }] });

const draft = () => ({
  steps: [
    { id: 'in', kind: 'Inject', settings: { drawThumbnails: false } },
    { id: 'check', kind: 'Preflight', settings: { profileId } },
    { id: 'hold', kind: 'Hold', settings: { when: 'Errors', reason: 'Too many pages' } },
    { id: 'out', kind: 'Complete' },
  ],
  edges: [
    { id: 'a', from: 'in', outcome: 'done', to: 'check' },
    { id: 'b', from: 'check', outcome: 'done', to: 'hold' },
    { id: 'c', from: 'hold', outcome: 'continue', to: 'out' },
  ],
});

async function* deliver(bytes: Uint8Array) {
  yield bytes;
}

const get = async <T>(url: string): Promise<T> => (await lab.call<T>('GET', url, { as: ana })).result;

const begin = (trial: object, { as = ana, file }: { as?: SignedIn; file?: Buffer } = {}) =>
  lab.call<{ id: string }>('POST', '/workflow-trials', {
    as,
    ...form(
      { trial: JSON.stringify({ workflowId, name: 'Checked', draft: draft(), ...trial }) },
      file && { name: 'dropped.pdf', bytes: file },
    ),
  });

async function ended(id: string): Promise<Trial> {
  const open = async () =>
    (await get<Trial>(`/workflow-trials/${id}`)).rows.filter(({ now }) => /InQueue|Processing|OnHold/.test(now.status))
      .length;
  await expect.poll(open, patience).toBe(0);
  return get<Trial>(`/workflow-trials/${id}`);
}

/** All that a trial must leave as it was. */
async function outside() {
  const context = { subscriberId: ana.subscriberId };
  const counted = await lab.deps.db.withSubscriber(context, async (tx) => ({
    effects: await tx.effect.count(),
    notifications: await tx.notification.count(),
    waits: await tx.wait.count(),
    inlets: await tx.inlet.count(),
    live: await tx.session.count({ where: { isTrial: false } }),
  }));
  const list = await get<{ total: number; statusCounts: object }>('/sessions?pageSize=1');
  const [workflow] = (await get<{ items: { sessionCount: number }[] }>('/workflows')).items;
  return {
    ...counted,
    total: list.total,
    statusCounts: list.statusCounts,
    sessionCount: workflow?.sessionCount,
    versions: await get(`/workflows/${workflowId}/versions`),
    usage: await get(`/workflows/${workflowId}/usage`),
    standing: await get(`/workflows/${workflowId}/standing`),
    events: (await readEvents(lab.deps.db, context, { after: 0, limit: 5000 })).length,
  };
}

beforeAll(async () => {
  lab = await startLab();
  const subscriberId = await lab.makeSubscriber('Paper + Ink');
  ana = await lab.signIn(await lab.makeAdministrator(subscriberId, 'ana@example.com'));
  stranger = await lab.signIn(await lab.makeAdministrator(await lab.makeSubscriber('Elsewhere'), 'eve@example.com'));
  const made = await lab.call<{ id: string }>('POST', '/profiles/preflight', {
    as: ana,
    body: { name: 'Pages', settings: limited(15) },
  });
  profileId = made.result.id;
  const workflow = await lab.call<{ id: string }>('POST', '/workflows', { as: ana, body: { name: 'Checked' } });
  workflowId = workflow.result.id;
  const body = { name: 'Checked', draft: draft(), draftRevision: 1 };
  await lab.call('PUT', `/workflows/${workflowId}`, { as: ana, body });
  expect((await lab.call('POST', `/workflows/${workflowId}/publish`, { as: ana })).statusCode).toBe(200);
  worker = spawn(process.execPath, [main], {
    env: {
      PATH: process.env.PATH,
      NODE_NO_WARNINGS: '1',
      DATABASE_URL: lab.deps.env.databaseUrl,
      DATA_DIR: lab.deps.env.dataDir,
      WORKER_SLOTS: '2',
    },
    stdio: 'ignore',
  });
  for (const pages of tried) {
    const { sessionId } = await receiveFile(lab.deps.engine, {
      context: { subscriberId },
      workflowId,
      source: 'ManualInjected',
      fileName: `${pages} pages.pdf`,
      bytes: deliver(pdfOf(pages)),
      createdBy: { kind: 'system', name: '' },
      ingest: { kind: 'test' },
    });
    sessions.set(pages, sessionId);
  }
  const settled = async () => (await get<{ statusCounts: object }>('/sessions')).statusCounts;
  const [well, held] = [between(0, 15).length, between(15, 20).length];
  await vi.waitFor(async () => expect(await settled()).toEqual({ Completed: well, OnHold: held }), patience);
  for (const [pages, id] of sessions)
    if (pages > 15) await lab.call('POST', `/sessions/${id}/continue`, { as: ana, body: {} });
  const after = { Completed: well, CompletedWithWarnings: held };
  await vi.waitFor(async () => expect(await settled()).toEqual(after), patience);
}, 600_000);
afterAll(async () => {
  worker.kill('SIGTERM');
  await once(worker, 'exit');
  await lab.stop();
});

test('the draft on past sessions finds exactly the sessions whose result a changed limit alters', async () => {
  await lab.call('PUT', `/profiles/preflight/${profileId}`, {
    as: ana,
    body: { name: 'Pages', settings: limited(10), version: 1 },
  });
  const before = await outside();
  const { result } = await begin({ last: 20 });
  const { rows } = await ended(result.id);

  expect(rows).toHaveLength(tried.length);
  const different = rows.filter(({ differences }) => differences?.length !== 0);
  expect(different.map(({ past }) => past?.id).sort()).toEqual(
    between(10, 15)
      .map((n) => sessions.get(n))
      .sort(),
  );
  for (const row of different) {
    expect(row.differences).toEqual(['status', 'findings']);
    expect([row.past?.status, row.now.status]).toEqual(['Completed', 'CompletedWithWarnings']);
    expect(row.findings).toEqual({ new: 1, gone: 0, fixed: 0 });
  }
  expect(await outside()).toEqual(before);

  // Those above the new limit would have been held; each says so, and went on.
  const held = await lab.deps.db.withSubscriber({ subscriberId: ana.subscriberId }, (tx) =>
    tx.stepRun.count({ where: { output: { path: ['summary', 'trial', 'would'], equals: 'wait' } } }),
  );
  expect(held).toBe(between(10, 20).length);

  const [one] = different;
  const comparison = await get<Comparison>(`/workflow-trials/${result.id}/sessions/${one?.now.id}`);
  expect(comparison.path.now).toEqual(comparison.path.past);
  expect(comparison.path.now.map(({ stepId }) => stepId)).toEqual(['in', 'check', 'hold', 'out']);
  expect(comparison.changed).toMatchObject([{ fate: 'new', checkKey: 'PageCount', ruleKey: 'PageCount.tooMany' }]);
  expect(comparison.changed[0]?.message).not.toBe('');
});

test('pages beyond those that steps draw are compared, too @night', async () => {
  const { sessionId } = await receiveFile(lab.deps.engine, {
    context: { subscriberId: ana.subscriberId },
    workflowId,
    source: 'ManualInjected',
    fileName: '60 pages.pdf',
    bytes: deliver(pdfOf(60, [55, 58])),
    createdBy: { kind: 'system', name: '' },
    ingest: { kind: 'test' },
  });
  const read = () => get<Session>(`/sessions/${sessionId}`);
  await expect.poll(async () => (await read()).status, patience).toBe('OnHold');
  await lab.call('POST', `/sessions/${sessionId}/continue`, { as: ana, body: {} });
  await expect.poll(async () => (await read()).status, patience).toBe('CompletedWithWarnings');
  const settings = { actions: [{ key: 'RotatePages', settings: { turn: 'ToPortrait' } }] };
  const fix = await lab.call<{ id: string }>('POST', '/profiles/fix', { as: ana, body: { name: 'Upright', settings } });
  expect(fix.statusCode, JSON.stringify(fix.envelope.errors)).toBe(201);
  const { steps, edges } = draft();
  const other = {
    steps: [...steps, { id: 'upright', kind: 'Fix', settings: { profileId: fix.result.id } }],
    // Before the check: behind it, the action would act only on what the check found.
    edges: [
      ...edges.map((edge) => (edge.id === 'a' ? { ...edge, to: 'upright' } : edge)),
      { id: 'd', from: 'upright', outcome: 'done', to: 'check' },
    ],
  };
  const { result } = await begin({ sessionIds: [sessionId], draft: other });
  await ended(result.id);
  const address = `/workflow-trials/${result.id}`;
  await expect.poll(async () => (await get<Trial>(address)).rows[0]?.differences, patience).toContain('pages');
  const [row] = (await get<Trial>(address)).rows;
  expect(row?.pages).toBe(2);
  const { changedPages } = await get<Comparison>(`${address}/sessions/${row?.now.id}`);
  expect(changedPages).toEqual([55, 58]);
});

test('a dropped file runs on the draft as it was sent, by the answer that was chosen', async () => {
  const other = draft();
  const bad = { ...other, edges: other.edges.slice(1) };
  const refused = await begin({ draft: bad }, { file: pdfOf(2) });
  expect(refused.statusCode).toBe(422);
  expect(refused.envelope.errors[0]?.code).toBe('workflow.invalid');

  const before = await outside();
  const { result } = await begin({ answers: { hold: 'cancel' } }, { file: pdfOf(18) });
  const { rows } = await ended(result.id);
  expect(rows).toMatchObject([
    { fileName: 'dropped.pdf', past: null, differences: null, now: { status: 'CanceledByOperator' } },
  ]);
  const trial = rows[0]?.now.id ?? '';
  const { steps, openActions } = await get<Session>(`/sessions/${trial}`);
  expect(steps.find(({ stepId }) => stepId === 'hold')?.summary).toEqual({
    trial: { would: 'wait', answer: 'cancel' },
  });
  expect(openActions).toEqual([]);
  expect((await lab.call('POST', `/sessions/${trial}/restart`, { as: ana, body: {} })).statusCode).toBe(409);
  expect(await outside()).toEqual(before);
});

test('a trial ends when it is removed, and nobody else sees it', async () => {
  const { result } = await begin({ sessionIds: [sessions.get(3), sessions.get(4)] });
  const address = `/workflow-trials/${result.id}`;
  const [row] = (await get<Trial>(address)).rows;
  for (const url of [address, `${address}/sessions/${row?.now.id}`])
    expect((await lab.call('GET', url, { as: stranger })).statusCode).toBe(404);
  expect((await lab.call('DELETE', address, { as: stranger })).statusCode).toBe(404);
  expect((await begin({ last: 5 }, { as: stranger })).statusCode).toBe(404);

  expect((await lab.call('DELETE', address, { as: ana })).statusCode).toBe(200);
  expect((await lab.call('GET', address, { as: ana })).statusCode).toBe(404);
  const open = await lab.deps.db.withSubscriber({ subscriberId: ana.subscriberId }, (tx) =>
    tx.stepRun.count({
      where: { status: { in: ['Ready', 'Running'] }, session: { workflowVersionId: result.id } },
    }),
  );
  expect(open).toBe(0);
});

test('too many files, none, and sessions that are not there are refused', async () => {
  const many = Array.from({ length: 50 }, () => 'ses_unknown');
  expect((await begin({ sessionIds: [...many, 'ses_x'] })).statusCode).toBe(400);
  expect((await begin({ sessionIds: ['ses_unknown'] })).statusCode).toBe(404);
  expect((await begin({})).envelope.errors[0]?.code).toBe('trial.noFile');
  expect((await begin({ workflowId: 'wfl_unknown', last: 1 })).statusCode).toBe(404);
  const viewer = await lab.signIn(await lab.makePerson(ana.subscriberId, 'v@example.com', ['workflows.edit']));
  expect((await begin({ last: 1 }, { as: viewer })).statusCode).toBe(403);
});
