import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { storedSecretMark } from '@pdf2press/contract';
import { newId } from '@pdf2press/prisma';
import { hasSshd, startTestSshd, type TestSshd } from '@pdf2press/sftp/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Lab, type SignedIn, startLab } from '../testing/lab.ts';

interface Server {
  id: string;
  name: string;
  version: number;
  settings: Record<string, unknown>;
  usedBy: { name: string }[];
}
interface Trial {
  failed: { stage: string; code: string; message: string } | null;
  hostKey: string | null;
  files: number | null;
}

let lab: Lab;
let owner: SignedIn;
let stranger: SignedIn;
let subscriberId: string;
let folder: string;
let sshd: TestSshd | undefined;
beforeAll(async () => {
  lab = await startLab({ limitFactor: 1_000 });
  folder = await mkdtemp(path.join(os.tmpdir(), 'servers-'));
  if (hasSshd) sshd = await startTestSshd(path.join(folder, 'ssh'));
  // The server of this test is on a private network.
  Object.assign(lab.deps.env, { outboundAllowedHosts: [{ host: '127.0.0.1', port: sshd?.port ?? 22, scheme: null }] });
  subscriberId = await lab.makeSubscriber('Print');
  owner = await lab.signIn(await lab.makeAdministrator(subscriberId, 'owner@example.com'));
  stranger = await lab.signIn(await lab.makeAdministrator(await lab.makeSubscriber('Other'), 'other@example.com'));
});
afterAll(async () => {
  await lab.stop();
  await sshd?.stop();
  await rm(folder, { recursive: true, force: true });
});

const key = `SHA256:${'A'.repeat(43)}`;
const given = { host: 'files.example.com', username: 'ana', password: 'a secret of nobody', hostKey: key };
const make = (settings: object, as = owner) =>
  lab.call<Server>('POST', '/profiles/sftpServer', { as, body: { name: newId('profile'), settings } });
const save = ({ id, name, version, settings }: Server, change: object) =>
  lab.call<Server>('PUT', `/profiles/sftpServer/${id}`, {
    as: owner,
    body: { name, version, settings: { ...settings, ...change } },
  });
const tried = (body: object, as = owner) => lab.call<Trial>('POST', '/profiles/sftpServer-test', { as, body });

test('a server is made and changed; its password goes in and never comes out, and is stored encrypted', async () => {
  const made = await make(given);
  expect(made.statusCode).toBe(201);
  expect(made.result.settings).toMatchObject({ password: storedSecretMark, privateKey: '', port: 22 });
  const renewed = await save(made.result, { password: 'another secret' });
  expect(renewed.statusCode).toBe(200);
  for (const { body } of [made, renewed, await lab.call('GET', '/profiles/sftpServer', { as: owner })])
    expect(body).not.toMatch(/secret of|another secret|secretId/);
  const stored = await lab.deps.db.withSubscriber({ subscriberId }, (tx) =>
    tx.profileVersion.findMany({ where: { profileId: made.result.id } }),
  );
  expect(JSON.stringify(stored)).not.toMatch(/secret of|another secret/);
  expect((await lab.call('GET', `/profiles/sftpServer/${made.result.id}`, { as: stranger })).statusCode).toBe(404);
});

test.each([
  { host: 'evil.example.com' },
  { port: 2222 },
  { username: 'root' },
  { hostKey: `SHA256:${'B'.repeat(43)}` },
])('the stored password is not sent elsewhere: %j asks for it again', async (change) => {
  const { result } = await make(given);
  const answer = await save(result, change);
  expect(answer.envelope.errors[0]).toMatchObject({ code: 'value.required', field: 'settings.password' });
  expect((await tried({ id: result.id, settings: { ...result.settings, ...change } })).statusCode).toBe(422);
  expect((await save(result, { ...change, password: 'given again' })).statusCode).toBe(200);
});

test('what is incomplete is not stored', async () => {
  for (const change of [{ host: '' }, { username: '' }, { password: '' }, { hostKey: '' }, { port: 0 }])
    expect((await make({ ...given, ...change })).statusCode, JSON.stringify(change)).toBe(422);
});

test('private networks and unusual ports are refused before anything is sent, in the language of the reader', async () => {
  const { result } = await tried({ settings: { ...given, host: '10.0.0.1' } });
  expect(result).toMatchObject({ failed: { stage: 'name', code: 'source.hostBlocked' }, hostKey: null, files: null });
  expect(result.failed?.message).toContain('10.0.0.1:22');
  expect((await tried({ settings: { ...given, host: '93.184.216.34', port: 25 } })).result.failed).toMatchObject({
    stage: 'name',
    code: 'source.hostBlocked',
  });
});

test('a server that a workflow fetches files from is not deleted; one that is gone keeps a workflow from being published', async () => {
  const { result: server } = await make(given);
  const name = newId('workflow');
  const made = await lab.call<{ id: string; draftRevision: number }>('POST', '/workflows', {
    as: owner,
    body: { name },
  });
  const { id, draftRevision } = made.result;
  const draft = {
    steps: [
      { id: 'i', kind: 'Inject', settings: { sources: [{ kind: 'sftp', settings: { connectionId: server.id } }] } },
      { id: 'c', kind: 'Complete' },
    ],
    edges: [{ id: 'e', from: 'i', outcome: 'done', to: 'c' }],
  };
  await lab.call('PUT', `/workflows/${id}`, { as: owner, body: { name, draft, draftRevision } });
  const published = await lab.call('POST', `/workflows/${id}/publish`, { as: owner, body: {} });
  expect(published.statusCode, published.body).toBe(200);
  const used = await lab.call<Server>('GET', `/profiles/sftpServer/${server.id}`, { as: owner });
  expect(used.result.usedBy).toEqual([{ id, name }]);
  const remove = () => lab.call('DELETE', `/profiles/sftpServer/${server.id}`, { as: owner });
  expect((await remove()).statusCode).toBe(409);
  await lab.deps.db.withSubscriber({ subscriberId }, async (tx) => {
    await tx.workflow.update({ where: { id }, data: { publishedNo: null, draft: {} }, select: { id: true } });
  });
  expect((await remove()).statusCode).toBe(200);
  await lab.deps.db.withSubscriber({ subscriberId }, (tx) =>
    tx.workflow.update({ where: { id }, data: { draft }, select: { id: true } }),
  );
  const refused = await lab.call('POST', `/workflows/${id}/publish`, { as: owner, body: {} });
  expect(refused.statusCode).toBe(422);
  expect(refused.body).toContain('workflow.profileGone');
});

test('whoever puts a connection right need not wait until it is tried again', async () => {
  const { result } = await make(given);
  const workflow = await lab.call<{ id: string }>('POST', '/workflows', {
    as: owner,
    body: { name: newId('workflow') },
  });
  await lab.deps.db.asHost(
    (tx) => tx.$executeRaw`
      insert into inlets (id, subscriber_id, workflow_id, connection_id, kind, place, failing_since, error_code, due_at)
      values ('inl_sftp', ${subscriberId}, ${workflow.result.id}, ${result.id}, 'sftp', '', clock_timestamp(), 'source.denied',
              clock_timestamp() + interval '10 minutes')`,
  );
  const told = await lab.call<{ failing: object[] }>('GET', '/arrivals', { as: owner });
  expect(told.result.failing).toMatchObject([{ way: 'sftpFolder', place: result.name }]);
  await save(result, { password: 'the right one' });
  expect((await lab.call<{ failing: object[] }>('GET', '/arrivals', { as: owner })).result.failing).toEqual([]);
});

describe.runIf(hasSshd)('a server that is there', () => {
  test('is tried before its key is known, then with what is stored; another key is told at its stage', async () => {
    const { host, port, username, privateKey, hostKey } = sshd as TestSshd;
    await writeFile(path.join(folder, 'card.pdf'), '%PDF-1.4');
    const settings = { host, port, username, path: folder, privateKey };
    const first = (await tried({ settings })).result;
    expect(first).toEqual({ failed: null, hostKey, files: 1 });
    const { result } = await make({ ...settings, hostKey });
    expect((await tried({ id: result.id, settings: result.settings })).result).toEqual(first);
    expect((await tried({ id: result.id, settings: result.settings }, stranger)).statusCode).toBe(404);
    expect((await tried({ settings: { ...settings, hostKey: key } })).result).toMatchObject({
      failed: { stage: 'hostKey', code: 'source.hostKeyChanged' },
      files: null,
    });
  });
});
