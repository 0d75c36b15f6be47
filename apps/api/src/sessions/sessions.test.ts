import { createHash } from 'node:crypto';
import { isNight } from '@pdf2press/config/by-day';
import type { RouteResult, routes, SessionEvent } from '@pdf2press/contract';
import { askForPage, receiveFile, stopSession } from '@pdf2press/engine';
import { newId } from '@pdf2press/prisma';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cell } from '../frame/csv.ts';
import { seedSamples } from '../setup/seed-samples.ts';
import { type Lab, type SignedIn, startLab } from '../testing/lab.ts';
import { attachment, readRange } from './download.ts';

type List = RouteResult<typeof routes.sessions.list>;

// One long file: each file of these tests starts a database and an API of its own.
let lab: Lab;
let ana: SignedIn;
let key: string;
let origin: string;
let workflowId: string;

beforeAll(async () => {
  lab = await startLab();
  const subscriberId = await lab.makeSubscriber('Paper + Ink');
  ana = await lab.signIn(await lab.makeAdministrator(subscriberId, 'ana@example.com'));
  await seedSamples(lab.deps, { subscriberId, userId: ana.id, name: 'Ana' });
  workflowId =
    (await lab.call<{ items: { id: string }[] }>('GET', '/workflows', { as: ana })).result.items[0]?.id ?? '';
  const body = {
    name: 'press',
    permissions: ['sessions.view', 'sessions.inject', 'sessions.files.download', 'workflows.view'],
  };
  key = (await lab.call<{ key: string }>('POST', '/api-keys', { as: ana, body })).result.key;
  origin = await lab.listen();
});
afterAll(() => lab.stop());

const inject = (fileName: string, text = `%PDF-1.4 ${fileName}`) =>
  receiveFile(lab.deps.engine, {
    context: { subscriberId: ana.subscriberId },
    workflowId,
    source: 'ManualInjected',
    sourceName: 'Ana',
    fileName,
    bytes: (async function* once() {
      yield Buffer.from(text);
    })(),
    createdBy: { kind: 'system', name: '' },
    ingest: { kind: 'test' },
  });

const form = (
  fields: Record<string, string | undefined>,
  file?: { name: string; text: string },
  isFileFirst = false,
) => {
  const data = new FormData();
  const addFile = () => file && data.append('file', new Blob([file.text], { type: 'application/pdf' }), file.name);
  if (isFileFirst) addFile();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) data.append(name, value);
  if (!isFileFirst) addFile();
  return data;
};
const post = async (body: FormData, headers: Record<string, string> = {}) => {
  const response = await fetch(`${origin}/api/sessions`, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${key}`, ...headers },
  });
  return {
    status: response.status,
    body: (await response.json()) as {
      result: { id: string; isDuplicate: boolean; status: string } | null;
      errors: { code: string; field?: string }[];
    },
  };
};
const card = { name: 'card.pdf', text: '%PDF-1.4 card' };

describe('delivering a file in one call', () => {
  test.each([true, false])('works with the file first: %s', async (isFileFirst) => {
    const { status, body } = await post(form({ workflowId, variables: '{"order": "A-1"}' }, card, isFileFirst));
    expect(status).toBe(201);
    const session = await lab.call<{
      variables: object;
      sourceType: string;
      source: string;
      files: { kind: string; downloadUrl: string }[];
    }>('GET', `/sessions/${body.result?.id}`, { as: { token: key } });
    expect(session.result).toMatchObject({ variables: { order: 'A-1' }, sourceType: 'ExternalApi', source: 'press' });
    const file = session.result.files[0];
    const bytes = await fetch(origin + file?.downloadUrl, { headers: { 'x-api-key': key } });
    expect(await bytes.text()).toBe(card.text);
  });

  test('the same Idempotency-Key gives the same session, also in simultaneous requests and to another sender', async () => {
    const headers = { 'idempotency-key': 'order-77' };
    const answers = await Promise.all([1, 2, 3].map(() => post(form({ workflowId }, card), headers)));
    // Whoever repeats it after the key was exchanged for a new one is the same program with another key.
    const asAna = await post(form({ workflowId }, card), { ...headers, authorization: `Bearer ${ana.token}` });
    expect([...answers, asAna].map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set([...answers, asAna].map(({ body }) => body.result?.id)).size).toBe(1);
    expect(asAna.body.result?.isDuplicate).toBe(true);
    expect((await post(form({ workflowId }, card))).body.result?.id).not.toBe(
      (await post(form({ workflowId }, card))).body.result?.id,
    );
  });

  test('the number of the sender’s own system finds the session again, and stands in its texts', async () => {
    const { body } = await post(form({ workflowId, externalId: ' WEB-2026-81 ' }, card));
    const id = body.result?.id;
    await post(form({ workflowId, externalId: 'WEB-2026-811' }, card));
    const { result } = await lab.call<{ externalId: string; variables: object }>('GET', `/sessions/${id}`, { as: ana });
    expect(result).toMatchObject({ externalId: 'WEB-2026-81', variables: { 'order.externalId': 'WEB-2026-81' } });
    const ids = async (query: string) =>
      (await lab.call<List>('GET', `/sessions?${query}`, { as: ana })).result.items.map((item) => item.id);
    expect(await ids('externalId=WEB-2026-81')).toEqual([id]);
    expect(await ids('search=web-2026-81')).toHaveLength(2);
    const arrived = await lab.call<{ items: { session: { id: string } }[] }>('GET', '/arrivals?search=WEB-2026-81', {
      as: ana,
    });
    expect(arrived.result.items.map(({ session }) => session.id)).toContain(id);
    // A value of that name is the same, and one that is too long is refused.
    const named = await post(form({ workflowId, variables: '{"order.externalId": 4712}' }, card));
    expect(await ids('externalId=4712')).toEqual([named.body.result?.id]);
    const long = await post(form({ workflowId, externalId: 'x'.repeat(201) }, card));
    expect(long).toMatchObject({ status: 400, body: { errors: [{ code: 'value.maxLength', field: 'externalId' }] } });
  });

  test.each(['{"order": {"no": 1}}', '{"order": ["A-1"]}'])(
    'a value that is none is refused: %s',
    async (variables) => {
      expect(await post(form({ workflowId, variables }, card))).toMatchObject({
        status: 422,
        body: { errors: [{ code: 'workflow.variableInvalid', field: 'variables.order' }] },
      });
    },
  );

  test('the same Idempotency-Key with another file is refused: the file would be lost without a word', async () => {
    const other = { ...card, text: '%PDF-1.4 other bytes' };
    const known = { 'idempotency-key': 'order-78' };
    await post(form({ workflowId }, card), known);
    const later = await post(form({ workflowId }, other, true), known);
    expect([later.status, later.body.errors]).toMatchObject([409, [{ code: 'delivery.differs' }]]);
    // Nothing is known of either when they come at the same moment.
    const both = await Promise.all(
      [card, other].map((file) => post(form({ workflowId }, file), { 'idempotency-key': 'order-79' })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  test('bytes of a refused delivery are in the books of the collector', async () => {
    const text = '%PDF-1.4 refused';
    expect((await post(form({ workflowId: 'wfl_none' }, { ...card, text }))).status).toBe(404);
    const sha256 = createHash('sha256').update(text).digest('hex');
    const rows = await lab.deps.db.asHost((tx) => tx.blob.findMany({ where: { sha256 }, select: { size: true } }));
    expect(rows).toEqual([{ size: BigInt(text.length) }]);
  });

  test('an urgent delivery is urgent in the queue; a priority or variables that nobody knows refuse it, bytes and all', async () => {
    const { body } = await post(form({ workflowId, priority: 'Urgent' }, card));
    const id = body.result?.id ?? '';
    const steps = await lab.deps.db.asHost((tx) => tx.stepRun.findMany({ where: { sessionId: id } }));
    expect(steps.map(({ priority }) => priority)).toContain(1);
    for (const [no, wrong] of [{ priority: 'Soon' }, { variables: '{' }].entries()) {
      const text = `%PDF-1.4 refused ${no}`;
      const refused = await post(form({ workflowId, ...wrong } as Record<string, string>, { ...card, text }));
      expect([refused.status, refused.body.errors[0]?.code]).toEqual([400, 'value.invalid']);
      const sha256 = createHash('sha256').update(text).digest('hex');
      expect(await lab.deps.db.asHost((tx) => tx.blob.count({ where: { sha256 } }))).toBe(1);
    }
  });

  test('a disk with less than a tenth free takes no file, and says when to come again', async () => {
    const { room } = lab.deps.storage;
    lab.deps.storage.room = async () => ({ freeBytes: 9e9, totalBytes: 1e11 });
    try {
      const sent = await fetch(`${origin}/api/sessions`, {
        method: 'POST',
        body: form({ workflowId }, card),
        headers: { authorization: `Bearer ${key}` },
      });
      expect([sent.status, sent.headers.get('retry-after')]).toEqual([507, '60']);
      const begun = await lab.call('POST', '/uploads', {
        as: ana,
        headers: {
          'tus-resumable': '1.0.0',
          'upload-length': '1',
          'upload-metadata': `workflowId ${Buffer.from(workflowId).toString('base64')}`,
        },
      });
      expect([begun.statusCode, begun.headers['retry-after']]).toEqual([507, '60']);
    } finally {
      lab.deps.storage.room = room;
    }
  });

  test('reports what is missing', async () => {
    expect((await post(form({ workflowId }))).body.errors[0]?.code).toBe('file.missing');
    expect((await post(form({}, card))).body.errors[0]).toMatchObject({ code: 'value.required', field: 'workflowId' });
    expect((await post(form({ workflowId: 'wfl_none' }, card))).status).toBe(404);
    expect((await post(form({ workflowId, variables: '[1]' }, card))).body.errors[0]).toMatchObject({
      field: 'variables',
    });
    const json = await lab.call('POST', '/sessions', { as: { token: key }, body: { workflowId } });
    // In JSON the file is named by its address.
    expect([json.statusCode, json.envelope.errors[0]?.field]).toEqual([400, 'fileUrl']);
  });
});

describe('the list', () => {
  const list = async (query: string) => (await lab.call<List>('GET', `/sessions?${query}`, { as: ana })).result;

  test('filters, sorts, searches and pages; arrays are accepted in both notations', async () => {
    const names = ['zebra.pdf', 'Apple.pdf', 'mango.pdf'];
    for (const name of names) await inject(name);
    const byName = await list('sort=fileName&direction=asc&pageSize=100');
    const shown = byName.items.map(({ fileName }) => fileName);
    expect(shown).toEqual([...shown].sort());
    expect((await list('search=MANGO')).items.map(({ fileName }) => fileName)).toEqual(['mango.pdf']);
    const all = byName.total;
    expect((await list('status[]=InQueue&status[]=Failed')).total).toBe(all);
    expect((await list('status=InQueue&status=Failed')).total).toBe(all);
    expect((await list('status=Failed')).total).toBe(0);
    expect((await list('status=Failed')).statusCounts).toEqual({ InQueue: all });
    expect((await list('sourceType=ExternalApi')).items.every(({ sourceType }) => sourceType === 'ExternalApi')).toBe(
      true,
    );
    expect((await list(`to=${new Date(Date.now() - 3_600_000).toISOString()}`)).total).toBe(0);
    const pages = await Promise.all([1, 2, 3].map((page) => list(`page=${page}&pageSize=3`)));
    const ids = pages.flatMap(({ items }) => items.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    for (const sort of ['createdAt', 'status', 'workflow', 'sourceType', 'source'])
      expect((await list(`sort=${sort}&pageSize=100`)).items).toHaveLength(all);
    for (const wrong of ['pageSize=1000', 'page=0', 'sort=password', 'status=Nope', 'from=yesterday'])
      expect((await lab.call('GET', `/sessions?${wrong}`, { as: ana })).statusCode).toBe(400);
  });

  test('with thousands of rows, each row is on exactly one page', async () => {
    const many = isNight ? 10_000 : 2_000;
    const big = await lab.makeSubscriber('Big');
    const boss = await lab.signIn(await lab.makeAdministrator(big, 'big@example.com'));
    await seedSamples(lab.deps, { subscriberId: big, userId: boss.id, name: 'Big' });
    await lab.deps.db.asHost(
      (tx) => tx.$executeRaw`
        insert into sessions (id, subscriber_id, public_id, workflow_id, workflow_version_id, source, source_name, file_name, status, created_at, result)
        select 'ses_bulk' || n, subscriber_id, 'bulk' || n, workflow_id, workflow_version_id, source, 'Source ' || n % 50,
               'job-' || md5(n::text) || '.pdf',
               (array['Completed', 'Failed', 'CompletedWithWarnings', 'OnHold'])[1 + n % 4]::session_status,
               now() - n * interval '1 minute', 'Success'
          from (select * from sessions where subscriber_id = ${big} limit 1) as one, generate_series(1, ${many}::int) as n`,
      { timeout: 200_000 },
    );
    await lab.deps.db.asHost((tx) => tx.$executeRaw`analyze sessions`);
    const read = async (query: string) => (await lab.call<List>('GET', `/sessions?${query}`, { as: boss })).result;
    const { total, statusCounts } = await read('');
    expect(total).toBe(many + 2);
    expect(Object.values(statusCounts).reduce((sum, count) => sum + count, 0)).toBe(total);
    for (const [query, count] of [
      ['sort=fileName', many + 2],
      ['sort=source&status=OnHold', many / 4],
    ] as const) {
      const ids: string[] = [];
      for (let page = 1; page <= Math.ceil(count / 100); page += 1)
        ids.push(...(await read(`${query}&page=${page}&pageSize=100`)).items.map(({ id }) => id));
      expect([query, ids.length, new Set(ids).size]).toEqual([query, count, count]);
    }
  });

  test('exports CSV in which a spreadsheet finds no formula', async () => {
    await inject('=HYPERLINK("http:__evil").pdf');
    await inject('comma, and "quotes".pdf');
    const answer = await lab.call('GET', '/sessions/export.csv?sort=fileName&direction=asc', { as: ana });
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="sessions-\d{4}-\d\d-\d\d\.csv"/);
    const lines = answer.body.replace('\ufeff', '').trim().split('\r\n');
    expect(lines[0]).toMatch(/^id,fileName,status/);
    expect(lines.length - 1).toBe((await list('pageSize=1')).total);
    expect(answer.body).toContain('"\'=HYPERLINK(');
    for (const [value, shown] of [
      ['plain', 'plain'],
      ['=1+1', '"\'=1+1"'],
      ['  @x', '"\'  @x"'],
      ['\uff1dfull width', '"\'\uff1dfull width"'],
      ['a,"b"', '"a,""b"""'],
      [5, '5'],
      [null, ''],
    ] as const)
      expect(cell(value)).toBe(shown);

    // The columns that the reader shows, in the order of the export.
    const narrow = await lab.call('GET', '/sessions/export.csv?columns=status&columns=fileName', { as: ana });
    const rows = narrow.body.replace('\ufeff', '').trim().split('\r\n');
    expect(rows[0]).toBe('fileName,status');
    expect(rows.length).toBe(lines.length);
    expect((await lab.call('GET', '/sessions/export.csv?columns=password', { as: ana })).statusCode).toBe(400);
  });
});

describe('commands', () => {
  test('a session is made urgent and normal again, where the caller may and its status allows it', async () => {
    const { sessionId } = await inject('urgent.pdf');
    const bulk = (action: string) =>
      lab.call<{ success: boolean; error?: { code: string } }[]>('POST', '/sessions/bulk', {
        as: ana,
        body: { action, ids: [sessionId] },
      });
    const read = async () =>
      (await lab.call<{ isUrgent: boolean; openActions: string[] }>('GET', `/sessions/${sessionId}`, { as: ana }))
        .result;
    expect(await read()).toMatchObject({ isUrgent: false, openActions: expect.arrayContaining(['prioritize']) });
    expect((await bulk('prioritize')).result).toMatchObject([{ success: true }]);
    expect(await read()).toMatchObject({ isUrgent: true, openActions: expect.arrayContaining(['deprioritize']) });
    expect((await bulk('prioritize')).result).toMatchObject([{ error: { code: 'session.actionNotAllowed' } }]);
    expect((await bulk('deprioritize')).result).toMatchObject([{ success: true }]);
    expect(await read()).toMatchObject({ isUrgent: false });
    const events = (await lab.call<SessionEvent[]>('GET', `/sessions/${sessionId}/events`, { as: ana })).result;
    expect(events.map(({ kind }) => kind).slice(-2)).toEqual(['Prioritized', 'Deprioritized']);
  });

  test('stop, resume, restart and delete work in their statuses, check the version and write an event', async () => {
    const { sessionId } = await inject('command.pdf');
    const command = (act: string, body: object = {}) =>
      lab.call<{ status: string; version: number; openActions: string[]; isStopped: boolean; runNumber: number }>(
        'POST',
        `/sessions/${sessionId}/${act}`,
        { as: ana, body },
      );
    const stopped = (await command('stop')).result;
    expect(stopped).toMatchObject({ status: 'OnHold', isStopped: true });
    expect(stopped.openActions).toContain('resume');
    expect((await command('stop')).envelope.errors[0]?.code).toBe('session.actionNotAllowed');
    expect((await command('resume', { version: stopped.version - 1 })).statusCode).toBe(409);
    expect((await command('resume', { version: stopped.version })).result.status).toBe('InQueue');
    await command('stop');
    expect((await command('restart')).result).toMatchObject({ runNumber: 2, status: 'InQueue' });
    expect((await lab.call('DELETE', `/sessions/${sessionId}`, { as: ana })).statusCode).toBe(200);
    const gone = (
      await lab.call<{ isDeleted: boolean; files: unknown[]; openActions: string[] }>('GET', `/sessions/${sessionId}`, {
        as: ana,
      })
    ).result;
    expect(gone).toMatchObject({ isDeleted: true, files: [], openActions: [] });
    expect((await command('restart')).statusCode).toBe(410);
    const events = (await lab.call<SessionEvent[]>('GET', `/sessions/${sessionId}/events`, { as: ana })).result;
    expect(events.map(({ kind }) => kind)).toEqual([
      'Created',
      'FileReceived',
      'Stopped',
      'Resumed',
      'Stopped',
      'Restarted',
      'Deleted',
    ]);
    expect(events[2]?.actor).toEqual({ kind: 'user', name: 'ana Test' });
  });

  type Read = RouteResult<typeof routes.sessions.get>;
  const read = async (id: string) => (await lab.call<Read>('GET', `/sessions/${id}`, { as: ana })).result;
  const stop = (id: string) => lab.call('POST', `/sessions/${id}/stop`, { as: ana, body: {} });
  const acts = async (object: string) =>
    (
      await lab.deps.db.withSubscriber({ subscriberId: ana.subscriberId }, (tx) =>
        tx.auditEntry.findMany({ where: { object }, orderBy: { no: 'asc' } }),
      )
    ).map(({ act }) => act);

  test('replacing the file runs the workflow again on it, where the status allows it', async () => {
    const { sessionId } = await inject('draft.pdf');
    const replace = async (fields: Record<string, string>, file?: { name: string; text: string }) => {
      const response = await fetch(`${origin}/api/sessions/${sessionId}/file`, {
        method: 'POST',
        body: form(fields, file),
        headers: { authorization: `Bearer ${ana.token}` },
      });
      return (await response.json()) as { result: Read | null; errors: { code: string; field?: string }[] };
    };
    const better = { name: 'final.pdf', text: '%PDF-1.4 final' };
    expect((await replace({}, better)).errors[0]?.code).toBe('session.actionNotAllowed');
    await stop(sessionId);
    const { version } = await read(sessionId);
    expect((await replace({})).errors[0]).toMatchObject({ code: 'file.missing', field: 'file' });
    expect((await replace({ version: 'x' }, better)).errors[0]).toMatchObject({ field: 'version' });
    expect((await replace({ version: String(version - 1) }, better)).errors[0]?.code).toBe('resource.conflict');
    const { result } = await replace({ version: String(version) }, better);
    expect(result).toMatchObject({
      status: 'InQueue',
      runNumber: 2,
      fileName: 'final.pdf',
      sourceType: 'ReplacedFileAndRestartedWorkflow',
    });
    expect(result?.files.map(({ name }) => name)).toEqual(['draft.pdf', 'final.pdf']);
    const bytes = await fetch(origin + result?.files[1]?.downloadUrl, {
      headers: { authorization: `Bearer ${ana.token}` },
    });
    expect(await bytes.text()).toBe(better.text);
    expect(await acts(sessionId)).toEqual(['session.replaceFile']);
  });

  test('a session is rerouted to a different workflow; both sessions name each other', async () => {
    const { sessionId } = await inject('elsewhere.pdf');
    const reroute = (to: string) =>
      lab.call<Read>('POST', `/sessions/${sessionId}/reroute`, { as: ana, body: { workflowId: to } });
    expect((await reroute('wfl_none')).statusCode).toBe(404);
    const { result } = await reroute(workflowId);
    expect(result.status).toBe('Rerouted');
    const there = await read(result.redirectedTo?.id ?? '');
    expect(there).toMatchObject({
      fileName: 'elsewhere.pdf',
      sourceType: 'InjectedFromPreviousWorkflow',
      redirectedFrom: { id: sessionId },
    });
    expect((await reroute(workflowId)).statusCode).toBe(409);
    expect(await acts(sessionId)).toEqual(['session.reroute']);
  });

  test('cancel ends a session that has not ended; continue works for a hold step only', async () => {
    const { sessionId } = await inject('unwanted.pdf');
    const go = (act: string) => lab.call<Read>('POST', `/sessions/${sessionId}/${act}`, { as: ana, body: {} });
    await stop(sessionId);
    expect((await go('continue')).envelope.errors[0]?.code).toBe('session.actionNotAllowed');
    const canceled = (await go('cancel')).result;
    expect(canceled).toMatchObject({ status: 'CanceledByOperator', hold: null });
    expect(canceled.openActions).toEqual(expect.arrayContaining(['restart', 'replaceFile', 'delete']));
    expect(canceled.openActions).not.toContain('cancel');
    expect((await go('cancel')).statusCode).toBe(409);
    expect(await acts(sessionId)).toEqual(['session.cancel']);
  });

  test('in bulk return a result for each session', async () => {
    const [one, two] = [await inject('one.pdf'), await inject('two.pdf')];
    await stopSession(
      lab.deps.engine,
      { subscriberId: ana.subscriberId },
      { sessionId: two.sessionId, by: { kind: 'system', name: '' } },
    );
    const bulk = await lab.call<{ id: string; success: boolean; error?: { code: string; message: string } }[]>(
      'POST',
      '/sessions/bulk',
      {
        as: ana,
        body: { action: 'stop', ids: [one.sessionId, two.sessionId, 'ses_none'] },
        headers: { 'accept-language': 'fr' },
      },
    );
    expect(bulk.result.map(({ success, error }) => [success, error?.code])).toEqual([
      [true, undefined],
      [false, 'session.actionNotAllowed'],
      [false, 'resource.notFound'],
    ]);
  });
});

describe('downloads', () => {
  test('support ranges and conditional requests, as an attachment that no browser opens on our origin', async () => {
    const { sessionId } = await inject('Öl & Farbe.pdf', '0123456789');
    const session = (
      await lab.call<{ files: { downloadUrl: string; sha256: string }[] }>('GET', `/sessions/${sessionId}`, { as: ana })
    ).result;
    const url = session.files[0]?.downloadUrl.replace('/api', '') ?? '';
    const get = (headers: Record<string, string> = {}) => lab.call('GET', url, { as: ana, headers });
    const whole = await get();
    expect(whole.body).toBe('0123456789');
    expect(whole.headers).toMatchObject({
      'content-type': 'application/pdf',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'accept-ranges': 'bytes',
    });
    expect(whole.headers['content-disposition']).toBe(
      `attachment; filename="_l & Farbe.pdf"; filename*=UTF-8''%C3%96l%20%26%20Farbe.pdf`,
    );
    const part = await get({ range: 'bytes=2-4' });
    expect([part.statusCode, part.body, part.headers['content-range']]).toEqual([206, '234', 'bytes 2-4/10']);
    expect((await get({ range: 'bytes=-3' })).body).toBe('789');
    expect((await get({ range: 'bytes=20-' })).statusCode).toBe(416);
    const etag = String(whole.headers.etag);
    expect((await get({ 'if-none-match': etag })).statusCode).toBe(304);
    expect((await get({ range: 'bytes=0-1', 'if-range': '"other"' })).body).toBe('0123456789');
    await lab.call('DELETE', `/sessions/${sessionId}`, { as: ana });
    expect((await get()).statusCode).toBe(410);
  });

  test.each([
    [undefined, undefined],
    ['bytes=0-', { start: 0, end: 9 }],
    ['bytes=5-100', { start: 5, end: 9 }],
    ['bytes=-100', { start: 0, end: 9 }],
    ['bytes=5-2', null],
    ['bytes=-', undefined],
    ['items=0-1', undefined],
    ['bytes=0-1,3-4', undefined],
  ])('range %s', (header, range) => expect(readRange(header, 10)).toEqual(range));

  test('names cannot add a header', () => expect(attachment('a"\r\nX: y.pdf')).not.toMatch(/[\r\n]/));
});

describe('pages', () => {
  test('are reported as not ready before the worker has inspected the file', async () => {
    const { sessionId } = await inject('pages.pdf');
    const pages = await lab.call('GET', `/sessions/${sessionId}/pages`, { as: ana });
    expect([pages.statusCode, pages.envelope.errors[0]?.code, pages.headers['retry-after']]).toEqual([
      202,
      'page.notReady',
      '1',
    ]);
    expect(
      (await lab.call('GET', `/sessions/${sessionId}/pages/1/original/rgb/72/0_0.webp`, { as: ana })).statusCode,
    ).toBe(202);
    expect((await lab.call('GET', `/sessions/${sessionId}/thumbnails/1`, { as: ana })).statusCode).toBe(202);
    expect((await lab.call('GET', `/sessions/${sessionId}/pages?version=production`, { as: ana })).statusCode).toBe(
      404,
    );
    expect(
      (await lab.call('GET', `/sessions/${sessionId}/pages/1/original/..%2f/72/0_0.webp`, { as: ana })).statusCode,
    ).toBe(400);
  });

  test('tell which of them cannot be rendered; what only the store could not give may still come', async () => {
    const { sessionId } = await inject('half.pdf');
    const context = { subscriberId: ana.subscriberId };
    const box = [0, 0, 100, 100];
    const boxes = { media: box, crop: box, bleed: box, trim: box, art: box };
    const numbers = [1, 2, 3];
    const pages = numbers.map((number) => ({ number, label: '', effective: boxes, rotate: 0, userUnit: 1 }));
    const list = await lab.deps.storage.put({
      ...context,
      bytes: (async function* once() {
        yield Buffer.from(JSON.stringify({ binding: 'Left', pages }));
      })(),
    });
    const fileId = await lab.deps.db.withSubscriber(context, async (tx) => {
      const { id } = await tx.file.findFirstOrThrow({ where: { sessionId, kind: 'OriginalFile' } });
      await tx.blob.create({ data: list });
      await tx.file.create({
        data: {
          ...list,
          id: newId('file'),
          sessionId,
          runNo: 1,
          kind: 'Others',
          name: 'pages.json',
          mediaType: 'application/json',
          meta: { role: 'pages', of: id },
        },
      });
      return id;
    });
    const faults = { 2: 'PDF_LIMIT_PIXELS', 3: 'STORAGE_UNAVAILABLE' };
    for (const [page, fault] of Object.entries(faults)) {
      await askForPage(lab.deps.engine, context, { fileId, page: Number(page) });
      await lab.deps.db.withSubscriber(
        context,
        (tx) => tx.$executeRaw`
          update effects set state = 'Dead', last_error = ${fault} where key = ${`tiles ${fileId} ${page}`}`,
      );
    }
    const told = await lab.call<RouteResult<typeof routes.sessions.pages>>('GET', `/sessions/${sessionId}/pages`, {
      as: ana,
    });
    expect(told.result.pages.map(({ isReady, isUndrawable }) => [isReady, isUndrawable])).toEqual([
      [false, undefined],
      [false, true],
      [false, undefined],
    ]);
  });
});

describe('live events', () => {
  interface Line {
    events: { id: number; event: SessionEvent }[];
    until: (count: number) => Promise<void>;
    close: () => void;
    ended: Promise<void>;
  }
  const listen = async (token: string, headers: Record<string, string> = {}, query = ''): Promise<Line> => {
    const abort = new AbortController();
    const response = await fetch(`${origin}/api/sessions/live${query}`, {
      headers: { authorization: `Bearer ${token}`, ...headers },
      signal: abort.signal,
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const line: Line = {
      events: [],
      until: async () => undefined,
      close: () => abort.abort(),
      ended: Promise.resolve(),
    };
    let text = '';
    line.ended = (async () => {
      for await (const part of response.body ?? []) {
        text += Buffer.from(part).toString();
        const blocks = text.split('\n\n');
        text = blocks.pop() ?? '';
        for (const block of blocks) {
          const data = /^data: (.*)$/m.exec(block)?.[1];
          if (data)
            line.events.push({ id: Number(/^id: (\d+)$/m.exec(block)?.[1]), event: JSON.parse(data) as SessionEvent });
        }
      }
    })().catch(() => undefined);
    line.until = async (count) => {
      await expect.poll(() => line.events.length).toBeGreaterThanOrEqual(count);
    };
    return line;
  };

  test('arrive as they happen and resume after the last one seen, none twice', async () => {
    const line = await listen(ana.token);
    const { sessionId } = await inject('live.pdf');
    await line.until(2);
    expect(line.events.map(({ event }) => event.kind)).toEqual(['Created', 'FileReceived']);
    line.close();
    await lab.call('POST', `/sessions/${sessionId}/stop`, { as: ana, body: {} });
    const second = await listen(ana.token, { 'last-event-id': String(line.events[0]?.id) });
    await second.until(2);
    expect(second.events.map(({ event }) => event.kind)).toEqual(['FileReceived', 'Stopped']);
    const other = await inject('other.pdf');
    const one = await listen(ana.token, { 'last-event-id': '0' }, `?sessionId=${other.sessionId}`);
    await one.until(2);
    expect(new Set(one.events.map(({ event }) => event.sessionId))).toEqual(new Set([other.sessionId]));
    second.close();
    one.close();
  });

  test('are sent to their own subscriber only', async () => {
    const stranger = await lab.signIn(
      await lab.makeAdministrator(await lab.makeSubscriber('Other'), 'stranger@example.com'),
    );
    const theirs = await listen(stranger.token, { 'last-event-id': '0' });
    const ours = await listen(ana.token);
    const { sessionId } = await inject('ours.pdf');
    await ours.until(2);
    expect(theirs.events).toEqual([]);
    expect(
      (
        await fetch(`${origin}/api/sessions/live?sessionId=${sessionId}`, {
          headers: { authorization: `Bearer ${stranger.token}` },
        })
      ).status,
    ).toBe(404);
    theirs.close();
    ours.close();
  });
});
