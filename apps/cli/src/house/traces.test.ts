import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { soundPdf } from '../testing/hard-pdfs.ts';
import { administrator, type House, startHouse } from '../testing/test-house.ts';

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  service: string;
  attributes: Record<string, unknown>;
  isFault: boolean;
}
interface Attribute {
  key: string;
  value: Record<string, unknown>;
}
/** As OTLP has it in JSON (opentelemetry.io/docs/specs/otlp). */
interface Sent {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: {
      spans: {
        traceId: string;
        spanId: string;
        parentSpanId?: string;
        name: string;
        attributes: Attribute[];
        status?: { code?: number };
      }[];
    }[];
  }[];
}

const spans: Span[] = [];
const paths = new Set<string>();
const bodies: string[] = [];
let collector: Server;
let house: House;

const plain = (attributes: readonly Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

beforeAll(async () => {
  collector = createServer((request, response) => {
    void (async () => {
      const sent = (await json(request)) as Sent;
      paths.add(`${request.method} ${request.url} ${request.headers['x-shop']}`);
      bodies.push(JSON.stringify(sent));
      for (const { resource, scopeSpans } of sent.resourceSpans)
        for (const { traceId, spanId, parentSpanId, name, attributes, status } of scopeSpans.flatMap(
          (one) => one.spans,
        ))
          spans.push({
            ...{ traceId, spanId, name, attributes: plain(attributes), isFault: status?.code === 2 },
            ...(parentSpanId && { parentSpanId }),
            service: String(plain(resource.attributes)['service.name']),
          });
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    })();
  });
  await new Promise<void>((done) => collector.listen(0, '127.0.0.1', done));
  house = await startHouse({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-shop=one',
    OTEL_BSP_SCHEDULE_DELAY: '200',
  });
});
afterAll(async () => {
  await house?.stop();
  collector.close();
});

/** A workflow that checks a file and delivers it into a folder; made by a person, because a key of the tests may not. */
async function makeWorkflow(): Promise<{ workflowId: string; authorization: string }> {
  const { authToken } = await house.client.call<{ authToken: string }>('POST', '/TokenAuth/login', administrator);
  const authorization = `Bearer ${authToken}`;
  const call = <T>(method: string, path: string, body: object) =>
    house.client.call<T>(method, path, body, { authorization });
  const target = await call<{ id: string }>('POST', '/profiles/delivery', {
    name: 'Press',
    settings: { kind: 'folder', path: 'press' },
  });
  const { id, draftRevision } = await call<{ id: string; draftRevision: number }>('POST', '/workflows', {
    name: 'Traced',
  });
  const draft = {
    steps: [
      { id: 'i', kind: 'Inject' },
      { id: 'c', kind: 'Complete', settings: { deliveries: [{ targetId: target.id }] } },
    ],
    edges: [{ id: 'e', from: 'i', outcome: 'done', to: 'c' }],
  };
  await call('PUT', `/workflows/${id}`, { name: 'Traced', draft, draftRevision });
  await call('POST', `/workflows/${id}/publish`, {});
  return { workflowId: id, authorization };
}

test('one trace leads from the request over session, step and child process to the delivered effect', async () => {
  const { workflowId, authorization } = await makeWorkflow();
  const form = new FormData();
  form.set('workflowId', workflowId);
  form.set('file', new Blob([new Uint8Array(soundPdf('traced'))]), 'of-a-customer.pdf');
  const caller = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
  const answer = await house.client.ask('/sessions', {
    method: 'POST',
    body: form,
    headers: { authorization, traceparent: `00-${caller.traceId}-${caller.spanId}-01` },
  });
  expect(answer.status).toBe(201);
  const { result } = (await answer.json()) as { result: { id: string } };
  await house.client.ended(result.id);
  const ofTrace = () => spans.filter(({ traceId }) => traceId === caller.traceId);
  const named = (name: string) => ofTrace().find((span) => span.name === name);
  await expect.poll(() => named('effect delivery')?.name, { timeout: 60_000, interval: 200 }).toBe('effect delivery');
  await expect.poll(() => named('step Complete')?.name, { timeout: 20_000, interval: 200 }).toBe('step Complete');

  const parentOf = (name: string) => named(name)?.parentSpanId;
  expect(parentOf('POST /api/sessions')).toBe(caller.spanId);
  expect(parentOf('session')).toBe(named('POST /api/sessions')?.spanId);
  expect(parentOf('step Inject')).toBe(named('session')?.spanId);
  expect(parentOf('child inspect')).toBe(named('step Inject')?.spanId);
  expect(parentOf('step Complete')).toBe(named('session')?.spanId);
  expect(parentOf('effect delivery')).toBe(named('step Complete')?.spanId);
  expect(named('POST /api/sessions')).toMatchObject({
    service: 'pdf2press-api',
    attributes: { 'http.route': '/api/sessions', 'http.response.status_code': expect.anything() },
  });
  expect(named('effect delivery')).toMatchObject({
    service: 'pdf2press-worker',
    isFault: false,
    attributes: { 'pdf2press.session': result.id },
  });
  expect(named('session')?.attributes['pdf2press.session']).toBe(result.id);
  expect([...paths]).toEqual(['POST /v1/traces one']);
  // Ids and kinds only: nothing that tells whose file it is or opens anything.
  expect(bodies.join()).not.toMatch(/of-a-customer|admin@pdf2press|Bearer|press\//);
});

test('a child process for which a request waits hangs below the request, with its fault', async () => {
  const { authToken } = await house.client.call<{ authToken: string }>('POST', '/TokenAuth/login', administrator);
  const form = new FormData();
  form.set('file', new Blob(['no font']), 'of-a-customer.otf');
  const answer = await house.client.ask('/fonts', {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${authToken}` },
  });
  expect(answer.status).toBe(422);
  const child = () => spans.find(({ name }) => name === 'child font');
  await expect.poll(() => child()?.name, { timeout: 20_000, interval: 200 }).toBe('child font');
  const request = () => spans.find(({ spanId }) => spanId === child()?.parentSpanId);
  await expect.poll(() => request()?.name, { timeout: 20_000, interval: 200 }).toBe('POST /api/fonts');
  expect(child()).toMatchObject({ service: 'pdf2press-api', isFault: true });
  expect(bodies.join()).not.toMatch(/of-a-customer/);
});

test('health checks are not traced', () => {
  expect(spans.filter(({ name }) => name.includes('healthz'))).toEqual([]);
});
