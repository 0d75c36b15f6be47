import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isNight, sampled } from '@pdf2press/config/by-day';
import { newId, toJson } from '@pdf2press/prisma';
import { startTestPostgres } from '@pdf2press/prisma/testing';
import { hasSshd, startTestSshd, type TestSshd } from '@pdf2press/sftp/testing';
import { startTestS3, type TestS3 } from '@pdf2press/storage/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { keepSecret, openInstanceKeys } from '../../secrets/secrets.ts';
import { patient } from '../../testing/in-lab.ts';
import { chain, type Lab, openLab } from '../../testing/lab.ts';
import { startProcess, type WorkerProcess } from '../../testing/processes.ts';
import { workflowIssues } from '../../workflows/publish-workflow.ts';
import { deliverySecretPurpose } from './contract.ts';
import { resendDelivery } from './resend.ts';

let server: Awaited<ReturnType<typeof startTestPostgres>>;
let folder: string;
let s3: TestS3;
let sshd: TestSshd | undefined;
beforeAll(async () => {
  server = await startTestPostgres();
  folder = await mkdtemp(path.join(os.tmpdir(), 'delivery-'));
  s3 = await startTestS3(path.join(folder, 's3'));
  if (hasSshd) sshd = await startTestSshd(path.join(folder, 'ssh'));
});
afterAll(async () => {
  await s3.stop();
  await sshd?.stop();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

let started: WorkerProcess[] = [];
let lab: Lab | undefined;
/** Where the files of a test lie. */
let out: string;
beforeEach(async () => {
  started = [];
  out = await mkdtemp(path.join(folder, 'out-'));
});
afterEach(async () => {
  for (const { child } of started) child.kill('SIGKILL');
  await Promise.all(started.map(({ ended }) => ended));
  await lab?.close();
});

function start(at: Lab, options: Parameters<typeof startProcess>[1] = {}) {
  const ports = [Number(new URL(s3.endpoint).port), sshd?.port ?? 22];
  const one = startProcess(at, {
    timing: patient,
    deliveryRoot: out,
    allowedHosts: [
      ...ports.map((port) => ({ host: '127.0.0.1', port, scheme: null })),
      { host: '127.0.0.1', port: ports[0] ?? 80, scheme: 'http' as const },
    ],
    ...options,
  });
  started.push(one);
  return one;
}

type Kind = 'folder' | 's3' | 'sftp';

/** Settings and secret of a target whose files lie in `out`. */
function targetOf(kind: Kind): { settings: object; secret: object | null } {
  const place = path.basename(out);
  if (kind === 'folder') return { settings: { kind, path: 'press' }, secret: null };
  if (kind === 's3') {
    const { endpoint, region, bucket, accessKeyId, secretAccessKey } = s3;
    return { settings: { kind, endpoint, region, bucket, accessKeyId, path: place }, secret: { secretAccessKey } };
  }
  const { host, port, username, hostKey, privateKey } = sshd as TestSshd;
  return { settings: { kind, host, port, username, hostKey, path: out }, secret: { privateKey } };
}

async function makeTarget(at: Lab, { settings, secret }: ReturnType<typeof targetOf>): Promise<string> {
  const keys = await openInstanceKeys({ dataDir: at.folder });
  const { subscriberId } = at;
  return at.deps.database.withSubscriber({ subscriberId }, async (tx) => {
    const text = JSON.stringify(secret);
    const id = newId('profile');
    const kept = secret && {
      secretId: await keepSecret(tx, keys, { subscriberId, purpose: deliverySecretPurpose, text }),
    };
    await tx.profile.create({ data: { id, kind: 'delivery', name: 'Press' } });
    await tx.profileVersion.create({
      data: { id: newId('profileVersion'), profileId: id, no: 1, settings: toJson({ ...settings, ...kept }) },
    });
    return id;
  });
}

/** A house whose workflow delivers in its last step, or in an Action before it. */
async function openDelivering(
  kind: Kind,
  {
    by = 'Complete',
    delivery = {},
    settings = {},
  }: { by?: 'Complete' | 'Action'; delivery?: object; settings?: object } = {},
): Promise<Lab & { targetId: string }> {
  const opened = await openLab(server);
  lab = opened;
  const targetId = await makeTarget(opened, targetOf(kind));
  const deliveries = [{ targetId, folder: '{{workflow.name}}', name: '{{file.baseName}} job', ...delivery }];
  const definition =
    by === 'Complete'
      ? chain(['Inject', 'Complete'], { 1: { deliveries, ...settings } })
      : chain(['Inject', 'Action', 'Complete'], { 1: { does: 'delivery', deliveries, ...settings } });
  await opened.sql.query(`alter table workflow_versions disable trigger immutable`);
  await opened.sql.query(`update workflow_versions set definition = $1`, [JSON.stringify(definition)]);
  return Object.assign(opened, { targetId });
}

/** Names of all that lies there, temporary files included. */
async function lying(kind: Kind): Promise<string[]> {
  const at = kind === 's3' ? path.join(folder, 's3', s3.bucket, path.basename(out)) : out;
  if (!existsSync(at)) return [];
  const entries = await readdir(at, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !/\._S3rver_(metadata|object\.md5|.*json)/.test(entry.name))
    .map((entry) => entry.name.replace(/\._S3rver_object$/, ''))
    .sort();
}

const effectsOf = async (at: Lab) =>
  (
    await at.sql.query(
      `select id, state::text, remote_ref, answer, progress from effects where kind = 'delivery' order by key`,
    )
  ).rows;
/** Lets what waits for its turn, or whose worker died, be taken up at once. */
const hurry = (at: Lab) =>
  at.sql.query(
    `update effects set next_at = now(), lease_until = now() - interval '1 s' where state in ('Pending', 'Sending')`,
  );
const delivered = (at: Lab, states: string[]) =>
  expect.poll(async () => (await effectsOf(at)).map(({ state }) => state), { timeout: 60_000 }).toEqual(states);

const kinds = (['folder', 's3', 'sftp'] as const).filter((kind) => kind !== 'sftp' || hasSshd);

describe.each(kinds)('to a target of kind %s', (kind) => {
  test('the files of the result go out under their names, and the session tells where they lie', async () => {
    const at = await openDelivering(kind);
    start(at);
    const id = await at.hand();
    await at.settled();
    await delivered(at, ['Done']);
    expect(await at.status(id)).toBe('Completed');
    expect(await lying(kind)).toEqual(['test job.pdf']);
    const [effect] = await effectsOf(at);
    expect(effect.remote_ref).toMatch(/\/test job\.pdf$/);
    const { rows } = await at.sql.query(`select data from session_events where kind = 'Delivered'`);
    expect(rows).toEqual([{ data: { name: 'test job.pdf', target: 'Press' } }]);
    expect(await at.broken()).toEqual([]);
  });

  const all = ['beforeEffect', 'afterProgress', 'afterEffect', 'insideEffectCommit', 'afterEffectCommit'] as const;
  // By day where the file lies there and nothing says so; a server of SFTP is a folder elsewhere.
  const places = isNight ? all : all.filter((place) => place === 'afterEffect' && kind !== 'sftp');
  // A store needs no note of what it is about to do: what it holds says whose it is.
  test.each(places.filter((place) => kind !== 's3' || place !== 'afterProgress'))(
    'a worker killed (SIGKILL) at %s leaves one file',
    async (place) => {
      const at = await openDelivering(kind);
      await at.hand();
      expect(await start(at, { failpoints: `${place}:kill` }).ended).toBe('SIGKILL');
      await hurry(at);
      await at.sql.query(`update step_runs set lease_until = now() - interval '1 s' where status = 'Running'`);
      start(at);
      await at.settled();
      await delivered(at, ['Done']);
      expect(await lying(kind)).toEqual(['test job.pdf']);
      expect(await at.broken()).toEqual([]);
    },
  );
});

test('a file that the press fetched before a killed worker could write that it lies there is not delivered once more', async () => {
  const at = await openDelivering('folder');
  await at.hand();
  expect(await start(at, { failpoints: 'afterEffect:kill' }).ended).toBe('SIGKILL');
  const [name = ''] = await lying('folder');
  await rm(path.join(out, 'press', 'Test', name));
  await hurry(at);
  start(at);
  await delivered(at, ['Done']);
  expect(await lying('folder')).toEqual([]);
});

test('a worker frozen past its lease writes nothing when it continues, and one file lies there @night', async () => {
  const at = await openDelivering('folder');
  await at.hand();
  const frozen = start(at, { failpoints: 'afterProgress:freeze' });
  await expect.poll(async () => (await effectsOf(at))[0]?.progress ?? null, { timeout: 60_000 }).not.toBeNull();
  await hurry(at);
  start(at);
  await delivered(at, ['Done']);
  frozen.child.kill('SIGCONT');
  await frozen.until('effect.failed').catch(() => undefined);
  expect(await lying('folder')).toEqual(['test job.pdf']);
  expect(await at.broken()).toEqual([]);
});

test('what cannot be delivered is tried again, given up and told; a person sends it once more', async () => {
  const at = await openDelivering('folder', { delivery: { collision: 'refuse' } });
  await mkdir(path.join(out, 'press', 'Test'), { recursive: true });
  const other = path.join(out, 'press', 'Test', 'test job.pdf');
  await writeFile(other, 'of others');
  const worker = start(at);
  const id = await at.hand();
  await delivered(at, ['Dead']);
  // The session itself is over, and stays what it is.
  expect(await at.status(id)).toBe('Completed');
  const [effect] = await effectsOf(at);
  expect(effect.answer).toEqual({ code: 'delivery.nameTaken', params: { name: 'test job.pdf' }, target: 'Press' });
  await rm(other);
  const again = () => at.deps.database.withSubscriber(at, (tx) => resendDelivery(tx, { sessionId: id, id: effect.id }));
  expect(await again()).toBe(true);
  await delivered(at, ['Done']);
  expect(await lying('folder')).toEqual(['test job.pdf']);
  // Delivered once more on purpose; two people at the same moment, and one while it is on its way, send it once.
  worker.child.kill('SIGKILL');
  await worker.ended;
  await Promise.all([again(), again()]);
  expect(await again()).toBe(true);
  start(at);
  await delivered(at, ['Done', 'Dead']);
  expect(await lying('folder')).toEqual(['test job.pdf']);
});

const rules = [
  ['fail', 'Failed', null],
  ['warn', 'Completed', 'DELIVERY_FAILED'],
] as const;
test.each(sampled(rules, 2))('an Action that cannot deliver ends by its rule: %s', async (onError, status, problem) => {
  const at = await openDelivering('folder', { by: 'Action', delivery: { collision: 'refuse' }, settings: { onError } });
  await mkdir(path.join(out, 'press', 'Test'), { recursive: true });
  await writeFile(path.join(out, 'press', 'Test', 'test job.pdf'), 'of others');
  start(at);
  const id = await at.hand();
  await at.settled();
  expect(await at.status(id)).toBe(status);
  const { rows } = await at.sql.query(
    `select session.error_code, session.error_params, step.output->'summary'->'problem'->>'code' as problem
       from sessions session join step_runs step on step.session_id = session.id where step.kind = 'Action'`,
  );
  expect(rows[0]).toMatchObject({
    problem,
    ...(status === 'Failed' && { error_code: 'DELIVERY_FAILED', error_params: { to: 'Press' } }),
  });
  expect(await at.broken()).toEqual([]);
});

test('an Action waits until the file lies there; then the session goes on', async () => {
  const at = await openDelivering('folder', { by: 'Action', delivery: { files: ['result', 'original'] } });
  start(at);
  const id = await at.hand();
  await at.settled();
  expect(await at.status(id)).toBe('Completed');
  // The same file by both names: neither takes the other's.
  expect(await lying('folder')).toEqual(['test job (2).pdf', 'test job.pdf']);
});

test('in a trial nothing is delivered, and the step tells what would be', async () => {
  for (const by of ['Complete', 'Action'] as const) {
    const at = await openDelivering('folder', { by });
    const id = await at.hand();
    await at.sql.query(`update sessions set is_trial = true`);
    start(at);
    await at.settled();
    expect(await at.status(id)).toBe('Completed');
    expect(await effectsOf(at)).toEqual([]);
    expect(await lying('folder')).toEqual([]);
    const { rows } = await at.sql.query(`select output->'summary' as summary from step_runs where kind = $1`, [by]);
    expect(rows[0].summary).toMatchObject({ trial: { would: 'act' }, sent: [{ to: 'Test/test job.pdf' }] });
    await at.close();
    lab = undefined;
    for (const { child } of started) child.kill('SIGKILL');
  }
});

test('a target that was deleted, or belongs to another house, keeps a workflow from being published', async () => {
  const at = await openDelivering('folder');
  const issuesOf = (targetId: string) =>
    at.deps.database.withSubscriber(at, async (tx) => {
      const definition = chain(['Inject', 'Complete'], { 1: { deliveries: [{ targetId, name: '{{nonsense}}' }] } });
      return (await workflowIssues(tx, { name: 'A', organizationId: null }, definition)).issues.map(
        ({ code, field }) => `${code} ${field}`,
      );
    });
  const unknown = 'placeholder.unknownName deliveries.0.name';
  expect(await issuesOf(at.targetId)).toEqual([unknown]);
  expect(await issuesOf('pro_nothing')).toEqual(['workflow.profileGone deliveries.0.targetId', unknown]);
  const other = await at.addSubscriber();
  const foreign = await at.deps.database.withSubscriber(other, async (tx) => {
    const id = newId('profile');
    await tx.profile.create({ data: { id, kind: 'delivery', name: 'Theirs' } });
    await tx.profileVersion.create({
      data: { id: newId('profileVersion'), profileId: id, no: 1, settings: { kind: 'folder', path: '' } },
    });
    return id;
  });
  expect(await issuesOf(foreign)).toEqual(['workflow.profileGone deliveries.0.targetId', unknown]);
  await at.sql.query(`update profiles set deleted_at = now() where id = $1`, [at.targetId]);
  expect(await issuesOf(at.targetId)).toEqual(['workflow.profileGone deliveries.0.targetId', unknown]);
});

test('each house delivers below a folder of its own', async () => {
  const at = await openDelivering('folder');
  const other = await at.addSubscriber();
  const target = await makeTarget(Object.assign(Object.create(at), other) as Lab, targetOf('folder'));
  const definition = chain(['Inject', 'Complete'], { 1: { deliveries: [{ targetId: target }] } });
  await at.sql.query(`update workflow_versions set definition = $1 where subscriber_id = $2`, [
    JSON.stringify(definition),
    other.subscriberId,
  ]);
  start(at);
  await at.hand({ to: other });
  await at.settled();
  await delivered(at, ['Done']);
  expect(existsSync(path.join(out, other.subscriberId, 'press', 'test.pdf'))).toBe(true);
});
