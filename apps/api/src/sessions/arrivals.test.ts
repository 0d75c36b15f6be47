import type { RouteResult, routes } from '@pdf2press/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Lab, type SignedIn, startLab } from '../testing/lab.ts';

let lab: Lab;
let ana: SignedIn;
let origin: string;

beforeAll(async () => {
  lab = await startLab();
  const subscriberId = await lab.makeSubscriber('Paper + Ink');
  ana = await lab.signIn(await lab.makeAdministrator(subscriberId, 'ana@example.com'));
  origin = await lab.listen();
});
afterAll(() => lab.stop());

/** A published workflow that only takes files, by these settings. */
async function publish(name: string, settings: object, variables: object[] = []): Promise<string> {
  const made = await lab.call<{ id: string; draftRevision: number }>('POST', '/workflows', { as: ana, body: { name } });
  const { id, draftRevision } = made.result;
  const draft = {
    steps: [
      { id: 'inject', kind: 'Inject', settings },
      { id: 'complete', kind: 'Complete' },
    ],
    edges: [{ id: 'a', from: 'inject', outcome: 'done', to: 'complete' }],
    variables,
  };
  expect(
    (await lab.call('PUT', `/workflows/${id}`, { as: ana, body: { name, draft, draftRevision } })).statusCode,
  ).toBe(200);
  expect((await lab.call('POST', `/workflows/${id}/publish`, { as: ana })).statusCode).toBe(200);
  return id;
}

interface Sent {
  sidecar?: { name: string; text: string };
}

/** Hands a file in by one call. */
async function post(workflowId: string, name: string, text: string, { sidecar }: Sent = {}) {
  const body = new FormData();
  body.append('workflowId', workflowId);
  body.append('file', new Blob([text]), name);
  if (sidecar) body.append('sidecar', new Blob([sidecar.text]), sidecar.name);
  const headers = { authorization: `Bearer ${ana.token}` };
  const response = await fetch(`${origin}/api/sessions`, { method: 'POST', body, headers });
  const { result, errors } = (await response.json()) as {
    result: { id: string } | null;
    errors: { code: string; message: string }[];
  };
  return { status: response.status, id: result?.id ?? '', errors };
}

type Session = RouteResult<typeof routes.sessions.get>;
const read = async (id: string) => (await lab.call<Session>('GET', `/sessions/${id}`, { as: ana })).result;

const copies = { name: 'copies', type: 'Number', isRequired: true };

test('a file with values goes with the call, and its values are typed', async () => {
  const id = await publish('Values', { takesSidecars: true }, [copies]);
  const sidecar = { name: 'job.xml', text: '<job><copies>250</copies></job>' };
  const sent = await post(id, 'a.pdf', '%PDF-1.4 a', { sidecar });
  expect(sent.status).toBe(201);
  expect((await read(sent.id)).variables).toEqual({ copies: 250 });
  const codes = async (given: Sent['sidecar']) => {
    const { status, errors } = await post(id, 'a.pdf', '%PDF-1.4 b', given && { sidecar: given });
    return [status, ...errors.map(({ code }) => code)];
  };
  expect(await codes(undefined)).toEqual([422, 'workflow.variableMissing']);
  expect(await codes({ name: 'job.xml', text: '<!DOCTYPE a [<!ENTITY b "c">]><a/>' })).toEqual([
    422,
    'sidecar.invalid',
  ]);
  expect(await codes({ name: 'job.csv', text: 'x'.repeat(70_000) })).toEqual([413, 'sidecar.tooLarge']);
});

test('a resumable upload carries the values of the file beside it, and is refused before its first byte', async () => {
  const id = await publish('Uploaded', { takesSidecars: true, fileTypes: ['PDF'] }, [copies]);
  const begin = (filename: string, sidecar = '') => {
    const pairs = Object.entries({ filename, workflowId: id, ...(sidecar && { sidecar }) });
    const metadata = pairs.map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`).join(',');
    const headers = { 'tus-resumable': '1.0.0', 'upload-length': '4', 'upload-metadata': metadata };
    return lab.call('POST', '/uploads', { as: ana, headers });
  };
  expect((await begin('a.jpg', '{"copies":5}')).envelope.errors).toMatchObject([{ code: 'file.typeNotAccepted' }]);
  expect((await begin('a.pdf')).envelope.errors).toMatchObject([{ code: 'workflow.variableMissing' }]);
  const begun = await begin('a.pdf', '{"copies":"5"}');
  expect(begun.statusCode).toBe(201);
  const done = await lab.call('PATCH', String(begun.headers.location).replace('/api', ''), {
    as: ana,
    body: Buffer.from('%PDF'),
    headers: { 'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' },
  });
  expect((await read(String(done.headers['x-session-id']))).variables).toEqual({ copies: 5 });
});

test('a refusal is told in a sentence; the earlier session is named', async () => {
  const off = await publish('No uploads', { ways: { manual: false } });
  expect(await post(off, 'a.pdf', '%PDF-1.4 c')).toMatchObject({
    status: 409,
    errors: [{ code: 'workflow.wayOff', message: 'This workflow takes no files that come in this way.' }],
  });
  const once = await publish('Once', { duplicates: 'refuse' });
  const first = await post(once, 'a.pdf', '%PDF-1.4 d');
  const again = await post(once, 'b.pdf', '%PDF-1.4 d');
  expect(again.errors.map(({ message }) => message)).toEqual([
    `The same file came in before and is not taken again: session ${first.id}.`,
  ]);
});

test('a session tells of the earlier one with the same bytes, a workflow of what it takes', async () => {
  const id = await publish('Warned', { duplicates: 'warn', namePattern: '{{copies}}_*', onOtherName: 'hold' }, [
    { ...copies, isRequired: false },
  ]);
  const first = await post(id, '5_a.pdf', '%PDF-1.4 e');
  const second = await post(id, 'b.pdf', '%PDF-1.4 e');
  expect(await read(first.id)).toMatchObject({ duplicateOf: null, hasOtherName: false, variables: { copies: 5 } });
  expect(await read(second.id)).toMatchObject({
    duplicateOf: { id: first.id, fileName: '5_a.pdf' },
    hasOtherName: true,
    partOf: null,
    parts: null,
    merged: null,
  });
  const { result } = await lab.call<RouteResult<typeof routes.workflows.get>>('GET', `/workflows/${id}`, { as: ana });
  expect(result.takes).toEqual({
    uploads: true,
    types: ['PDF', 'JPEG', 'PNG', 'TIFF'],
    zips: 'sessions',
    sidecars: false,
    named: ['copies'],
  });
});
