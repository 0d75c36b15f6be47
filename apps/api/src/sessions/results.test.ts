import { receiveFile } from '@pdf2press/engine';
import { newId, toJson } from '@pdf2press/prisma';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedSamples } from '../setup/seed-samples.ts';
import { type Lab, type SignedIn, startLab } from '../testing/lab.ts';

let lab: Lab;
let ana: SignedIn;
let stranger: SignedIn;
let viewer: SignedIn;
let workflowId: string;
let origin: string;

beforeAll(async () => {
  lab = await startLab();
  const home = await lab.makeSubscriber('Paper + Ink');
  ana = await lab.signIn(await lab.makeAdministrator(home, 'ana@example.com'));
  viewer = await lab.signIn(await lab.makePerson(home, 'viewer@example.com', ['sessions.view']));
  stranger = await lab.signIn(await lab.makeAdministrator(await lab.makeSubscriber('Other'), 'stranger@example.com'));
  await seedSamples(lab.deps, { subscriberId: home, userId: ana.id, name: 'Ana' });
  const { items } = (await lab.call<{ items: { id: string }[] }>('GET', '/workflows', { as: ana })).result;
  workflowId = items[0]?.id ?? '';
  origin = await lab.listen();
});
afterAll(() => lab.stop());

async function* once(bytes: Uint8Array) {
  yield bytes;
}
const inHouse = <T>(work: Parameters<typeof lab.deps.db.withSubscriber<T>>[1]) =>
  lab.deps.db.withSubscriber({ subscriberId: ana.subscriberId }, work);

/** A session that came in with these bytes, made a production file, and completed with a result of these files. */
async function completed(
  fileName: string,
  { made = [] as { name: string; text: string }[], result = undefined as string[] | undefined, isOpen = false } = {},
): Promise<string> {
  const { sessionId } = await receiveFile(lab.deps.engine, {
    context: { subscriberId: ana.subscriberId },
    workflowId,
    source: 'ManualInjected',
    fileName,
    bytes: once(Buffer.from(`%PDF-1.4 ${fileName}`)),
    createdBy: { kind: 'system', name: '' },
    ingest: { kind: 'test' },
  });
  const ids: string[] = [];
  for (const { name, text } of made) {
    const { sha256, size } = await lab.deps.storage.put({
      subscriberId: ana.subscriberId,
      bytes: once(Buffer.from(text)),
    });
    const id = newId('file');
    ids.push(id);
    await inHouse(async (tx) => {
      await tx.blob.upsert({
        where: { subscriberId_sha256: { subscriberId: ana.subscriberId, sha256 } },
        create: { sha256, size },
        update: {},
      });
      await tx.file.create({
        data: { id, sessionId, sha256, size, runNo: 1, kind: 'ProductionFile', name, mediaType: 'application/pdf' },
      });
    });
  }
  const decisions = result ? { result: result.map((name, at) => ({ id: ids[at], name })) } : {};
  if (!isOpen)
    await inHouse((tx) =>
      tx.session.update({
        where: { id: sessionId },
        data: { status: 'Completed', finishedAt: new Date(), decisions: toJson(decisions) },
        select: { id: true },
      }),
    );
  return sessionId;
}

async function get(path: string, as: SignedIn = ana) {
  const response = await fetch(`${origin}/api${path}`, { headers: { authorization: `Bearer ${as.token}` } });
  const bytes = Buffer.from(await response.arrayBuffer());
  const name = /filename\*=UTF-8''(.+)$/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? '';
  return { status: response.status, type: response.headers.get('content-type'), name: decodeURIComponent(name), bytes };
}
const codeOf = ({ bytes }: { bytes: Buffer }) => JSON.parse(bytes.toString()).errors[0].code;
const all = (ids: readonly string[]) => `/sessions/results.zip?${ids.map((id) => `ids[]=${id}`).join('&')}`;

/** The stored entries of a ZIP by its central directory (APPNOTE 4.3.12). */
function entriesOf(zip: Buffer): Record<string, string> {
  const entries: Record<string, string> = {};
  for (let at = zip.indexOf('PK\x01\x02'); at >= 0; at = zip.indexOf('PK\x01\x02', at + 4)) {
    const [size, nameLength, header] = [
      zip.readUInt32LE(at + 24),
      zip.readUInt16LE(at + 28),
      zip.readUInt32LE(at + 42),
    ];
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
    entries[name] = zip.toString('utf8', start, start + size);
  }
  return entries;
}

test('one file comes as it is, under the name of the result', async () => {
  const id = await completed('in.pdf', { made: [{ name: 'fixed.pdf', text: 'FIXED' }], result: ['4711 é.pdf'] });
  const answer = await get(`/sessions/${id}/result`);
  expect(answer).toMatchObject({ status: 200, type: 'application/pdf', name: '4711 é.pdf' });
  expect(answer.bytes.toString()).toBe('FIXED');
});

test('several files come as a ZIP that is named as the file that came in', async () => {
  const made = [
    { name: 'a.pdf', text: 'ONE' },
    { name: 'b.pdf', text: 'TWO' },
  ];
  const id = await completed('order.pdf', { made, result: ['job.pdf', 'JOB.pdf'] });
  const answer = await get(`/sessions/${id}/result`);
  expect(answer).toMatchObject({ status: 200, type: 'application/zip', name: 'order.zip' });
  expect(entriesOf(answer.bytes)).toEqual({ 'job.pdf': 'ONE', 'JOB (2).pdf': 'TWO' });
});

test('a session that completed before results were recorded gives its last file', async () => {
  const id = await completed('early.pdf', { made: [{ name: 'fixed.pdf', text: 'LAST' }] });
  expect((await get(`/sessions/${id}/result`)).bytes.toString()).toBe('LAST');
  const unchanged = await completed('plain.pdf');
  const answer = await get(`/sessions/${unchanged}/result`);
  expect([answer.name, answer.bytes.toString()]).toEqual(['plain.pdf', '%PDF-1.4 plain.pdf']);
});

test('a hundred sessions come in one ZIP, each name once; one more is refused @night', async () => {
  const ids: string[] = [];
  for (let number = 0; number < 100; number += 1)
    ids.push(
      await completed(`${number}.pdf`, { made: [{ name: 'x.pdf', text: `FILE ${number}` }], result: ['card.pdf'] }),
    );
  const answer = await get(all(ids));
  expect(answer).toMatchObject({ status: 200, type: 'application/zip' });
  expect(answer.name).toMatch(/^results-\d{4}-\d\d-\d\d\.zip$/);
  const entries = entriesOf(answer.bytes);
  expect(Object.keys(entries)).toHaveLength(100);
  expect([entries['card.pdf'], entries['card (2).pdf'], entries['card (100).pdf']]).toEqual([
    'FILE 0',
    'FILE 1',
    'FILE 99',
  ]);
  expect((await get(all([...ids, 'ses_one']))).status).toBe(400);
  const rows = await inHouse((tx) => tx.auditEntry.count({ where: { act: 'session.downloadResult' } }));
  expect(rows).toBeGreaterThanOrEqual(100);
}, 120_000);

test('nothing comes for somebody else, without the permission, or of a session without a result', async () => {
  const id = await completed('mine.pdf', { made: [{ name: 'mine.pdf', text: 'MINE' }], result: ['mine.pdf'] });
  const open = await completed('open.pdf', { isOpen: true });
  for (const path of [`/sessions/${id}/result`, all([id])]) {
    expect((await get(path, stranger)).status).toBe(404);
    expect((await get(path, viewer)).status).toBe(403);
  }
  const refused = await get(all([id, open]));
  expect([refused.status, codeOf(refused)]).toEqual([409, 'session.resultMissing']);
  await inHouse((tx) => tx.file.updateMany({ where: { sessionId: id }, data: { removedAt: new Date() } }));
  expect(codeOf(await get(`/sessions/${id}/result`))).toBe('session.resultMissing');
  await lab.call('DELETE', `/sessions/${open}`, { as: ana });
  expect((await get(`/sessions/${open}/result`)).status).toBe(410);
});

test('the list says where a result can be downloaded', async () => {
  const id = await completed('listed.pdf');
  const open = await completed('waiting.pdf', { isOpen: true });
  const actionsOf = async (sessionId: string, as: SignedIn) =>
    (await lab.call<{ openActions: string[] }>('GET', `/sessions/${sessionId}`, { as })).result.openActions;
  expect(await actionsOf(id, ana)).toContain('downloadResult');
  expect(await actionsOf(open, ana)).not.toContain('downloadResult');
  expect(await actionsOf(id, viewer)).not.toContain('downloadResult');
});
