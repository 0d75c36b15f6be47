import { deleteSession, openFileLink, receiveFile } from '@pdf2press/engine';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { seedSamples } from '../setup/seed-samples.ts';
import { type Lab, type SignedIn, startLab } from '../testing/lab.ts';

let lab: Lab;
let ana: SignedIn;
let workflowId: string;
let sessionId: string;
let path: string;
let links = 0;

beforeAll(async () => {
  lab = await startLab({ limitFactor: 1_000 });
  const subscriberId = await lab.makeSubscriber('Paper + Ink');
  ana = await lab.signIn(await lab.makeAdministrator(subscriberId, 'ana@example.com'));
  await seedSamples(lab.deps, { subscriberId, userId: ana.id, name: 'Ana' });
  workflowId =
    (await lab.call<{ items: { id: string }[] }>('GET', '/workflows', { as: ana })).result.items[0]?.id ?? '';
});
afterAll(() => lab.stop());

const open = (days = 3) =>
  lab.deps.db.withSubscriber(ana, async (tx) => {
    links += 1;
    const file = await tx.file.findFirstOrThrow({ where: { sessionId } });
    const about = { subscriberId: ana.subscriberId, sessionId, fileId: file.id, name: 'card job.pdf' };
    return openFileLink(tx, lab.deps.keys, { ...about, cause: `delivery ${links}`, locale: 'fr', days });
  });
const get = (url = path, headers: Record<string, string> = {}) => lab.call<object>('GET', url, { headers });

beforeEach(async () => {
  ({ sessionId } = await receiveFile(lab.deps.engine, {
    context: { subscriberId: ana.subscriberId },
    workflowId,
    source: 'ManualInjected',
    fileName: 'card.pdf',
    bytes: (async function* once() {
      yield Buffer.from('%PDF-1.4 card');
    })(),
    createdBy: { kind: 'system', name: '' },
    ingest: { kind: 'test' },
  }));
  ({ path } = await open());
});

test('whoever has the link sees what it leads to and fetches it, whole or in part; asking changes nothing', async () => {
  const before = await lab.deps.db.asHost((tx) => tx.fileLink.findMany());
  const shown = await get();
  expect(shown.result).toMatchObject({
    name: 'card job.pdf',
    sizeBytes: 13,
    house: { title: expect.any(String), organization: null },
    locale: 'fr',
  });
  expect(shown.headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex, nofollow' });
  expect(JSON.stringify(shown.result)).not.toMatch(/ses_|fil_|sub_/);
  const file = await get(`${path}/file`);
  expect(file).toMatchObject({ statusCode: 200, body: '%PDF-1.4 card' });
  expect(file.headers['content-disposition']).toContain('card job.pdf');
  expect(file.headers['cache-control']).toBe('no-store');
  const part = await get(`${path}/file`, { range: 'bytes=9-' });
  expect(part).toMatchObject({ statusCode: 206, body: 'card' });
  expect(await lab.deps.db.asHost((tx) => tx.fileLink.findMany())).toEqual(before);
  const acts = await lab.deps.db.asHost((tx) => tx.auditEntry.findMany({ where: { act: 'file.download' } }));
  expect(acts).toHaveLength(1);
  // The same delivery has one link, however often it is asked for.
  links -= 1;
  expect((await open()).path).toBe(path);
});

test('wrong, expired, without its file or without its session, it is one that never existed', async () => {
  const unknown = (await get(`/delivered/${'A'.repeat(43)}`)).body;
  const gone = async () => {
    for (const url of [path, `${path}/file`]) {
      const answer = await get(url);
      expect([answer.statusCode, answer.body]).toEqual([404, unknown]);
    }
  };
  for (const wrong of ['/delivered/short', `${path}x`]) expect((await get(wrong)).body).toBe(unknown);
  const host = (work: Parameters<typeof lab.deps.db.asHost>[0]) => lab.deps.db.asHost(work);
  await host(
    (tx) => tx.$executeRaw`update file_links set expires_at = now() - interval '1 s' where session_id = ${sessionId}`,
  );
  await gone();
  ({ path } = await open());
  await host((tx) => tx.$executeRaw`update files set removed_at = now() where session_id = ${sessionId}`);
  await gone();
  await host((tx) => tx.$executeRaw`update files set removed_at = null where session_id = ${sessionId}`);
  expect((await get()).statusCode).toBe(200);
  await deleteSession(
    lab.deps.engine,
    { subscriberId: ana.subscriberId },
    { sessionId, by: { kind: 'user', name: 'Ana' } },
  );
  await gone();
});
