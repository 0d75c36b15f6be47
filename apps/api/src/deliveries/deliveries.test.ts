import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type SessionDelivery, storedSecretMark } from '@pdf2press/contract';
import { receiveFile } from '@pdf2press/engine';
import { newId } from '@pdf2press/prisma';
import { hasSshd, startTestSshd, type TestSshd } from '@pdf2press/sftp/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Lab, type SignedIn, startLab } from '../testing/lab.ts';

interface Target {
  id: string;
  name: string;
  version: number;
  settings: Record<string, unknown>;
  usedBy: { name: string }[];
}
interface Trial {
  stages: string[];
  failed: { stage: string; code: string; message: string } | null;
  hostKey: string | null;
}

let lab: Lab;
let owner: SignedIn;
let stranger: SignedIn;
let subscriberId: string;
let folder: string;
let sshd: TestSshd | undefined;
beforeAll(async () => {
  lab = await startLab({ limitFactor: 1_000 });
  folder = await mkdtemp(path.join(os.tmpdir(), 'targets-'));
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

const make = (settings: object) =>
  lab.call<Target>('POST', '/profiles/delivery', { as: owner, body: { name: newId('profile'), settings } });
const save = ({ id, name, version, settings }: Target, change: object) =>
  lab.call<Target>('PUT', `/profiles/delivery/${id}`, {
    as: owner,
    body: { name, version, settings: { ...settings, ...change } },
  });
const tried = (body: object, as = owner) => lab.call<Trial>('POST', '/profiles/delivery-test', { as, body });

const bucket = {
  ...{ kind: 's3', endpoint: 'https://s3.example.com', bucket: 'press', accessKeyId: 'AK', path: 'in' },
  secretAccessKey: 'a secret of nobody',
};

test('a target is made, changed and deleted; its secret goes in and never comes out', async () => {
  const made = await make(bucket);
  expect(made.statusCode).toBe(201);
  expect(made.result.settings).toMatchObject({ secretAccessKey: storedSecretMark, region: 'us-east-1' });
  const changed = await save(made.result, { path: 'other' });
  expect(changed.result.settings).toMatchObject({ secretAccessKey: storedSecretMark, path: 'other' });
  const renewed = await save(changed.result, { secretAccessKey: 'another secret' });
  const list = await lab.call('GET', '/profiles/delivery', { as: owner });
  for (const { body } of [made, changed, renewed, list]) expect(body).not.toMatch(/secret of|another secret|secretId/);
  const stored = await lab.deps.db.withSubscriber({ subscriberId }, async (tx) => ({
    versions: await tx.profileVersion.findMany({ where: { profileId: made.result.id } }),
    secrets: await tx.secret.count({ where: { purpose: 'delivery.target' } }),
  }));
  expect(JSON.stringify(stored.versions)).not.toMatch(/secret of|another secret/);
  expect(stored.secrets).toBe(1);
  expect((await lab.call('DELETE', `/profiles/delivery/${made.result.id}`, { as: owner })).statusCode).toBe(200);
});

test.each([
  { endpoint: 'https://evil.example.com' },
  { region: 'eu-west-1' },
  { bucket: 'other' },
  { accessKeyId: 'other' },
])('the stored secret is not sent elsewhere: %j asks for it again', async (change) => {
  const { result } = await make(bucket);
  const answer = await save(result, change);
  expect(answer.statusCode).toBe(422);
  expect(answer.envelope.errors[0]).toMatchObject({ code: 'value.required', field: 'settings.secretAccessKey' });
  expect((await tried({ id: result.id, settings: { ...result.settings, ...change } })).statusCode).toBe(422);
  expect((await save(result, { ...change, secretAccessKey: 'given again' })).statusCode).toBe(200);
});

test('what is incomplete is not stored', async () => {
  for (const settings of [
    { ...bucket, secretAccessKey: '' },
    { ...bucket, secretAccessKey: storedSecretMark },
    { ...bucket, bucket: '../x' },
    { kind: 'sftp', host: 'a.example', username: 'a', password: 'b' },
    { kind: 'email', to: '' },
    { kind: 'email', to: 'a@b.example', text: '{{no.such}}' },
    { kind: 'nothing' },
    {},
  ])
    expect((await make(settings)).statusCode, JSON.stringify(settings)).toBe(422);
});

test('a folder is tried by writing, reading and removing a file, and stays within what is set aside', async () => {
  expect((await tried({ settings: { kind: 'folder', path: 'press/in' } })).result).toEqual({
    stages: ['write', 'readBack', 'remove'],
    failed: null,
    hostKey: null,
  });
  const root = lab.deps.env.deliveryFolderDir;
  expect(await readdir(path.join(root, 'press/in'))).toEqual([]);
  expect((await tried({ settings: { kind: 'folder', path: '../..' } })).result.failed).toMatchObject({
    stage: 'write',
    code: 'delivery.outside',
  });
  // Another house writes below a folder of its own.
  await tried({ settings: { kind: 'folder', path: 'theirs' } }, stranger);
  expect(existsSync(path.join(root, 'theirs'))).toBe(false);
  expect(existsSync(path.join(root, stranger.subscriberId, 'theirs'))).toBe(true);
});

test('private networks, unusual ports and unknown names are refused before anything is sent', async () => {
  const server = { kind: 'sftp', username: 'a', password: 'b' };
  for (const [settings, code] of [
    [{ ...server, host: '10.0.0.1' }, 'delivery.hostBlocked'],
    [{ ...server, host: 'localhost' }, 'delivery.hostBlocked'],
    [{ ...server, host: '93.184.216.34', port: 25 }, 'delivery.hostBlocked'],
    [{ ...server, host: 'nothing.invalid' }, 'delivery.hostUnknown'],
    [{ ...bucket, endpoint: 'http://93.184.216.34' }, 'delivery.hostBlocked'],
    [{ ...bucket, endpoint: 'https://[::1]' }, 'delivery.hostBlocked'],
    [{ ...bucket, endpoint: 'https://169.254.169.254' }, 'delivery.hostBlocked'],
  ] as const)
    expect((await tried({ settings })).result, JSON.stringify(settings)).toMatchObject({
      failed: { stage: 'name', code },
    });
});

test('mail addresses are stored with their placeholders; without a mail server the trial says so, and writes to nobody', async () => {
  const settings = { kind: 'email', to: '{{email.from}}, press@house.example', subject: 'Job {{file.name}}' };
  const { result } = await make(settings);
  expect(result.settings).toMatchObject({ ...settings, attachUpToMb: 10, linkDays: 14 });
  expect((await tried({ settings })).result).toEqual({
    stages: ['connect', 'write'],
    failed: { stage: 'connect', code: 'delivery.noMailServer', message: expect.any(String) },
    hostKey: null,
  });
});

describe.runIf(hasSshd)('a server of SFTP', () => {
  test('is tried with the stored key as long as it is the same server', async () => {
    const { host, port, username, privateKey, hostKey } = sshd as TestSshd;
    const settings = { kind: 'sftp', host, port, username, path: folder, privateKey };
    const first = (await tried({ settings })).result;
    expect(first).toMatchObject({ failed: null, hostKey });
    const { result } = await make({ ...settings, hostKey });
    expect(result.settings).toMatchObject({ privateKey: storedSecretMark, password: '', hostKey });
    expect((await tried({ id: result.id, settings: result.settings })).result.failed).toBeNull();
    const other = { ...result.settings, hostKey: `SHA256:${'A'.repeat(43)}` };
    expect((await tried({ id: result.id, settings: other })).statusCode).toBe(422);
    expect((await tried({ settings: { ...other, privateKey } })).result.failed).toMatchObject({
      stage: 'connect',
      code: 'delivery.hostKeyChanged',
    });
  });
});

async function makeSession(targetId: string): Promise<{ sessionId: string; workflowId: string }> {
  const { result: workflow } = await lab.call<{ id: string; draftRevision: number }>('POST', '/workflows', {
    as: owner,
    body: { name: newId('workflow') },
  });
  const draft = {
    steps: [
      { id: 'i', kind: 'Inject' },
      { id: 'c', kind: 'Complete', settings: { deliveries: [{ targetId }] } },
    ],
    edges: [{ id: 'e', from: 'i', outcome: 'done', to: 'c' }],
  };
  await lab.call('PUT', `/workflows/${workflow.id}`, {
    as: owner,
    body: { name: newId('workflow'), draft, draftRevision: workflow.draftRevision },
  });
  const published = await lab.call('POST', `/workflows/${workflow.id}/publish`, { as: owner, body: {} });
  expect(published.statusCode, published.body).toBe(200);
  const { sessionId } = await receiveFile(lab.deps.engine, {
    context: { subscriberId },
    workflowId: workflow.id,
    source: 'ManualInjected',
    fileName: 'card.pdf',
    bytes: (async function* once() {
      yield Buffer.from('%PDF-1.4');
    })(),
    createdBy: { kind: 'system', name: '' },
    ingest: { kind: 'api' },
  });
  return { sessionId, workflowId: workflow.id };
}

test('a session shows its deliveries; one that was given up is sent again; whoever may not see it finds nothing', async () => {
  const { result: target } = await make({ kind: 'folder', path: 'press' });
  const { sessionId, workflowId } = await makeSession(target.id);
  const used = await lab.call<Target>('GET', `/profiles/delivery/${target.id}`, { as: owner });
  expect(used.result.usedBy).toEqual([expect.objectContaining({ id: workflowId })]);
  const remove = () => lab.call('DELETE', `/profiles/delivery/${target.id}`, { as: owner });
  expect((await remove()).statusCode).toBe(409);
  // The version that is live goes on delivering there, whatever the draft says by now.
  await lab.deps.db.withSubscriber({ subscriberId }, (tx) =>
    tx.workflow.update({ where: { id: workflowId }, data: { draft: { steps: [], edges: [] } }, select: { id: true } }),
  );
  expect((await remove()).statusCode).toBe(409);

  const file = await lab.deps.db.withSubscriber({ subscriberId }, (tx) =>
    tx.file.findFirstOrThrow({ where: { sessionId } }),
  );
  const effect = (id: string, change: object) =>
    lab.deps.db.withSubscriber({ subscriberId }, (tx) =>
      tx.effect.create({
        data: {
          id,
          key: id,
          kind: 'delivery',
          sessionId,
          attempt: 3,
          payload: {
            targetId: target.id,
            file: { id: file.id, sha256: file.sha256, size: 8, mediaType: 'application/pdf' },
            folder: ['May'],
            name: 'card.pdf',
            collision: 'number',
            runNo: 1,
            maxTries: null,
          },
          ...change,
        },
      }),
    );
  await effect('eff_dead', {
    state: 'Dead',
    answer: { code: 'delivery.full', params: {}, target: target.name },
  });
  await effect('eff_done', { state: 'Done', doneAt: new Date(), answer: { address: 'press/May/card.pdf' } });
  const url = `/sessions/${sessionId}/deliveries`;
  const listed = await lab.call<SessionDelivery[]>('GET', url, { as: owner });
  const byId = (list: SessionDelivery[], id: string) => list.find((each) => each.id === id);
  expect(byId(listed.result, 'eff_dead')).toMatchObject({
    state: 'GivenUp',
    fileName: 'May/card.pdf',
    tries: 3,
    target: { id: target.id, name: target.name, kind: 'folder' },
    problem: { code: 'delivery.full', message: 'The target has no room left.' },
  });
  expect(byId(listed.result, 'eff_done')).toMatchObject({
    state: 'Delivered',
    address: 'press/May/card.pdf',
    problem: null,
  });
  const again = (id: string, as = owner) =>
    lab.call<SessionDelivery[]>('POST', `${url}/${id}/resend`, { as, body: {} });
  expect((await lab.call('GET', url, { as: stranger })).statusCode).toBe(404);
  expect((await again('eff_dead', stranger)).statusCode).toBe(404);
  expect(byId((await again('eff_dead')).result, 'eff_dead')).toMatchObject({ state: 'Waiting' });
  // It is on its way by now.
  expect((await again('eff_dead')).statusCode).toBe(409);
  expect((await again('eff_nothing')).statusCode).toBe(404);
  const sent = await again('eff_done');
  expect(sent.result).toHaveLength(3);
  expect((await again('eff_done')).result).toHaveLength(3);
});
