import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {
  type CloudProvider,
  cloudProviders,
  type DeliveryCollision,
  DeliveryFaultError,
  type DeliveryKind,
} from '@pdf2press/contract';
import { hasSshd, startTestSshd, type TestSshd } from '@pdf2press/sftp/testing';
import { openForWriting } from '@pdf2press/sources/cloud';
import { cloudSettingsSchema } from '@pdf2press/sources/contracts';
import { type CloudServer, startCloudServer } from '@pdf2press/sources/testing-cloud';
import { startTestS3, type TestS3 } from '@pdf2press/storage/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deliveryContracts } from './contracts.ts';
import { deliverFile, type Parcel, type Placing, type StoredTarget, tryTarget } from './runners.ts';
import { noMails } from './testing/no-mails.ts';

let folder: string;
let s3: TestS3;
let sshd: TestSshd | undefined;
let other: TestSshd | undefined;
const clouds = {} as Record<CloudProvider, CloudServer>;

/** A kind of target, or a service of the kind `cloud`. */
type Way = DeliveryKind | CloudProvider;
const isCloud = (way: Way): way is CloudProvider => (cloudProviders as readonly string[]).includes(way);
const kindOf = (way: Way): DeliveryKind => (isCloud(way) ? 'cloud' : way);

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'deliveries-'));
  s3 = await startTestS3(path.join(folder, 's3'));
  for (const provider of cloudProviders) clouds[provider] = await startCloudServer(provider);
  if (hasSshd)
    [sshd, other] = [await startTestSshd(path.join(folder, 'ssh')), await startTestSshd(path.join(folder, 'ssh2'))];
});
afterAll(async () => {
  await s3.stop();
  for (const provider of cloudProviders) await clouds[provider].stop();
  await sshd?.stop();
  await other?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** A folder of its own for each test: what lies in it is what was delivered. */
let place: string;
let no = 0;
const cloudFolders = {} as Record<CloudProvider, string>;
beforeEach(async () => {
  no += 1;
  place = `place${no}`;
  await mkdir(path.join(folder, 'root', place), { recursive: true });
  for (const provider of cloudProviders) cloudFolders[provider] = clouds[provider].world.addFolder(place);
});

const tools = (addressOf?: StoredTarget['tools']['addressOf']): StoredTarget['tools'] => ({
  root: path.join(folder, 'root'),
  addressOf: addressOf ?? (async ({ host }) => host),
  mail: noMails,
  openCloud: (connectionId) => openAccount(connectionId as CloudProvider),
});
const openAccount = (provider: CloudProvider, mayWrite = true) => {
  const { clientId, clientSecret, address, grant } = clouds[provider];
  return openForWriting({
    settings: cloudSettingsSchema.parse({ provider }),
    grant: { refreshToken: grant(), mayWrite },
    tools: {
      fetch: (to, { body = null, ...request }) => fetch(to, { ...request, body }),
      cloudApps: { [provider]: { clientId, clientSecret, endpoint: address } },
      renewSecret: async () => undefined,
    },
    signal: AbortSignal.timeout(60_000),
  });
};
function targetOf(way: Way, change: object = {}, secret: object = {}): StoredTarget {
  const common = { tools: tools(), signal: AbortSignal.timeout(60_000) };
  const kind = kindOf(way);
  if (isCloud(way)) {
    const at = { driveId: '', folderId: cloudFolders[way], path: place };
    return { ...common, settings: { kind, connectionId: way, folder: at, ...change }, secret };
  }
  if (kind === 'folder') return { ...common, settings: { kind, path: place, ...change }, secret };
  if (kind === 's3')
    return {
      ...common,
      settings: {
        kind,
        ...{ endpoint: s3.endpoint, region: s3.region, bucket: s3.bucket, accessKeyId: s3.accessKeyId },
        path: place,
        ...change,
      },
      secret: { secretAccessKey: s3.secretAccessKey, ...secret },
    };
  const { host, port, username, hostKey, privateKey } = sshd as TestSshd;
  return {
    ...common,
    settings: { kind, host, port, username, hostKey, path: path.join(folder, 'root', place), ...change },
    secret: { privateKey, ...secret },
  };
}

/** The files of a folder of a cloud service, with those of its subfolders. */
const filesOf = (provider: CloudProvider, folderId: string, way: string): [string, string][] =>
  clouds[provider].world
    .childrenOf(folderId)
    .flatMap(({ id, name, isFolder, content }): [string, string][] =>
      isFolder ? filesOf(provider, id, `${way}${name}/`) : [[`${way}${name}`, content.toString()]],
    );

/** Somebody fetches a file. */
async function takeAway(way: Way, name: string): Promise<void> {
  if (!isCloud(way)) return rm(path.join(folder, 'root', place, name));
  const { world } = clouds[way];
  world.drop(world.childrenOf(cloudFolders[way]).find((entry) => entry.name === name)?.id ?? '');
}

/** What lies at the target, by name; its own temporary files, too. */
async function lyingAt(kind: Way): Promise<Record<string, string>> {
  if (isCloud(kind))
    return Object.fromEntries(filesOf(kind, cloudFolders[kind], '').sort(([a], [b]) => a.localeCompare(b)));
  const at = kind === 's3' ? path.join(folder, 's3', s3.bucket, place) : path.join(folder, 'root', place);
  const names = await readdir(at, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = names.filter((entry) => entry.isFile() && !/\._S3rver_(?!object$)/.test(entry.name));
  const read = files.map(async (entry) => {
    const file = path.join(entry.parentPath, entry.name);
    return [path.relative(at, file).replace(/\._S3rver_object$/, ''), await readFile(file, 'utf8')] as const;
  });
  return Object.fromEntries((await Promise.all(read)).sort(([a], [b]) => a.localeCompare(b)));
}

let parcels = 0;
async function parcel(text: string, change: Partial<Parcel> = {}): Promise<Parcel> {
  parcels += 1;
  const file = path.join(folder, `file${parcels}`);
  await writeFile(file, text);
  const bytes = Buffer.from(text);
  return {
    file: {
      path: file,
      size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      mediaType: 'application/pdf',
    },
    folder: [],
    name: 'card.pdf',
    collision: 'number',
    key: `key ${parcels}`,
    tryNo: 1,
    placing: null,
    sentTo: [],
    keep: async () => undefined,
    ...change,
  };
}
/** Holds what a try keeps, as the engine's row does. */
function notebook() {
  const note = {
    kept: null as Placing | null,
    keep: async (placing: Placing | null) => {
      note.kept = placing;
    },
  };
  return note;
}
const send = async (kind: Way, text: string, change: Partial<Parcel> = {}) =>
  deliverFile(targetOf(kind), await parcel(text, change));
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => (error instanceof DeliveryFaultError ? error.code : error),
  );

const kinds = (Object.keys(deliveryContracts) as DeliveryKind[])
  // A receiver of calls or of mail has no place to look into: these have tests of their own.
  .filter((kind) => kind !== 'webhook' && kind !== 'email' && (kind !== 'sftp' || hasSshd))
  .flatMap((kind): readonly Way[] => (kind === 'cloud' ? cloudProviders : [kind]));

describe.each(kinds)('to a target of kind %s', (kind) => {
  test('a file is delivered with its name, and tells where it lies', async () => {
    const address = await send(kind, 'first', { folder: ['Müller & Co', '2026'], name: 'card 1.pdf' });
    expect(address).toMatch(/place\d+\/Müller & Co\/2026\/card 1\.pdf$/);
    expect(await lyingAt(kind)).toEqual({ 'Müller & Co/2026/card 1.pdf': 'first' });
  });

  test('a name that is taken gets a number, is replaced, or is refused', async () => {
    await send(kind, 'first');
    await send(kind, 'second');
    await send(kind, 'third');
    expect(await lyingAt(kind)).toEqual({ 'card (2).pdf': 'second', 'card (3).pdf': 'third', 'card.pdf': 'first' });
    await send(kind, 'fourth', { collision: 'replace' });
    expect(await codeOf(send(kind, 'fifth', { collision: 'refuse' }))).toBe('delivery.nameTaken');
    expect(await lyingAt(kind)).toEqual({ 'card (2).pdf': 'second', 'card (3).pdf': 'third', 'card.pdf': 'fourth' });
  });

  test('the same bytes sent twice on purpose are two files', async () => {
    await send(kind, 'same');
    await send(kind, 'same');
    expect(Object.keys(await lyingAt(kind))).toEqual(['card (2).pdf', 'card.pdf']);
  });

  test.each(['number', 'replace', 'refuse'] as const)(
    'a try that is repeated after its end was lost leaves one file (%s)',
    async (collision: DeliveryCollision) => {
      if (collision === 'number') await send(kind, 'of others');
      const note = notebook();
      const sent = await parcel('ours', { collision, keep: note.keep });
      const address = await deliverFile(targetOf(kind), sent);
      const lying = await lyingAt(kind);
      expect(await deliverFile(targetOf(kind), { ...sent, tryNo: 2, placing: note.kept })).toBe(address);
      expect(await lyingAt(kind)).toEqual(lying);
    },
  );

  test('bytes that were changed on the way are found, and nothing is left of them', async () => {
    const sent = await parcel('as it was');
    const wrong = { ...sent, file: { ...sent.file, sha256: createHash('sha256').update('other').digest('hex') } };
    // What compares checks of its own: a store checks the sum that is sent along, so only the size is told here.
    const bad = kind === 's3' || isCloud(kind) ? { ...sent, file: { ...sent.file, size: 4 } } : wrong;
    expect(await codeOf(deliverFile(targetOf(kind), bad))).not.toBeNull();
    expect(await lyingAt(kind)).toEqual({});
  });

  test('a large file arrives whole @night', async () => {
    const text = randomBytes(6 * 1024 * 1024).toString('hex');
    await send(kind, text, { name: 'large.pdf' });
    expect((await lyingAt(kind))['large.pdf'] === text).toBe(true);
  });

  test('a trial passes every stage and leaves nothing', async () => {
    expect(await tryTarget(targetOf(kind))).toMatchObject({
      stages: deliveryContracts[kindOf(kind)].stages,
      failed: null,
      hostKey: kind === 'sftp' ? sshd?.hostKey : null,
    });
    expect(await lyingAt(kind)).toEqual({});
  });
});

describe.each(kinds.filter((kind) => kind !== 's3'))('to a folder by %s', (kind) => {
  test('the name is kept before it is given; a later try goes on there, or knows that it is done', async () => {
    const kept: (Placing | null)[] = [];
    const stop = async (placing: Placing | null) => {
      kept.push(placing);
      throw new Error('killed');
    };
    const sent = await parcel('ours');
    await expect(deliverFile(targetOf(kind), { ...sent, keep: stop })).rejects.toThrow('killed');
    const [placing] = kept;
    expect(Object.keys(await lyingAt(kind))).toEqual([placing?.temporary]);
    // Another file has got the name meanwhile.
    await send(kind, 'of others');
    const again = { ...sent, tryNo: 2, placing: placing ?? null };
    const note = notebook();
    expect(path.basename(await deliverFile(targetOf(kind), { ...again, keep: note.keep }))).toBe('card (2).pdf');
    expect(await lyingAt(kind)).toEqual({ 'card (2).pdf': 'ours', 'card.pdf': 'of others' });
    // Somebody fetches it: it is not delivered once more.
    await takeAway(kind, 'card (2).pdf');
    await deliverFile(targetOf(kind), { ...again, tryNo: 3, placing: note.kept });
    expect(Object.keys(await lyingAt(kind))).toEqual(['card.pdf']);
  });

  test('a delivery that is refused for good forgets what it kept, so that sending it again sends it', async () => {
    await send(kind, 'of others');
    const note = notebook();
    const sent = await parcel('ours', { collision: 'refuse', keep: note.keep });
    expect(await codeOf(deliverFile(targetOf(kind), sent))).toBe('delivery.nameTaken');
    expect(note.kept).toBeNull();
    await takeAway(kind, 'card.pdf');
    await deliverFile(targetOf(kind), { ...sent, tryNo: 2, placing: note.kept });
    expect(await lyingAt(kind)).toEqual({ 'card.pdf': 'ours' });
  });

  test('what tries before have left half written is removed', async () => {
    const sent = await parcel('ours');
    let temporary = '';
    const keep = async (placing: Placing | null) => {
      temporary = placing?.temporary ?? '';
      throw new Error('killed');
    };
    await expect(deliverFile(targetOf(kind), { ...sent, keep })).rejects.toThrow('killed');
    expect(temporary).not.toBe('');
    await deliverFile(targetOf(kind), { ...sent, tryNo: 2 });
    expect(await lyingAt(kind)).toEqual({ 'card.pdf': 'ours' });
  });
});

test('no path and no link leads out of the folder that is set aside', async () => {
  await symlink(os.tmpdir(), path.join(folder, 'root', place, 'away'));
  for (const wanted of ['../..', '/etc', `${place}/away`])
    expect(await codeOf(deliverFile(targetOf('folder', { path: wanted }), await parcel('ours'))), wanted).toBe(
      'delivery.outside',
    );
});

test('a bucket that is not there, keys that are wrong, a service that does not answer and one that is not allowed are told at their stage', async () => {
  const failed = async (target: StoredTarget) => {
    const { failed: at } = await tryTarget(target);
    return at && [at.stage, at.fault.code];
  };
  expect(await failed(targetOf('s3', { bucket: 'nothing' }))).toEqual(['signIn', 'delivery.folderMissing']);
  expect(await failed(targetOf('s3', {}, { secretAccessKey: 'not its secret' }))).toEqual([
    'signIn',
    'delivery.denied',
  ]);
  expect(await failed(targetOf('s3', { accessKeyId: 'NOBODY' }))).toEqual(['signIn', 'delivery.denied']);
  expect(await failed(targetOf('s3', { endpoint: 'http://127.0.0.1:9' }))).toEqual(['connect', 'delivery.unreachable']);
  const blocked = tools(() => Promise.reject(new DeliveryFaultError('delivery.hostBlocked')));
  expect(await failed({ ...targetOf('s3'), tools: blocked })).toEqual(['name', 'delivery.hostBlocked']);
});

describe.runIf(hasSshd)('a server of SFTP', () => {
  const failed = async (target: StoredTarget) => {
    const trial = await tryTarget(target);
    return trial.failed && [trial.failed.stage, trial.failed.fault.code];
  };

  test('says who it is at the first trial, and is given nothing when it shows another key', async () => {
    expect(await tryTarget(targetOf('sftp', { hostKey: '' }))).toMatchObject({ failed: null, hostKey: sshd?.hostKey });
    const strange = targetOf('sftp', { port: other?.port });
    expect(await tryTarget(strange)).toMatchObject({ hostKey: other?.hostKey, failed: { stage: 'connect' } });
    expect(await failed(strange)).toEqual(['connect', 'delivery.hostKeyChanged']);
    expect(await codeOf(deliverFile(strange, await parcel('ours')))).toBe('delivery.hostKeyChanged');
    // A delivery never takes a key on trust.
    expect(await codeOf(deliverFile(targetOf('sftp', { hostKey: '' }), await parcel('ours')))).toBe(
      'delivery.settingsInvalid',
    );
  });

  test('that refuses, lacks the folder or does not answer is told at its stage', async () => {
    expect(await failed(targetOf('sftp', {}, { privateKey: other?.privateKey }))).toEqual([
      'signIn',
      'delivery.denied',
    ]);
    expect(await failed(targetOf('sftp', {}, { privateKey: 'none' }))).toEqual([
      'connect',
      'delivery.secretUnreadable',
    ]);
    expect(await failed(targetOf('sftp', { path: '/nothing/there' }))).toEqual(['write', 'delivery.folderMissing']);
    expect(await failed(targetOf('sftp', { port: 9 }))).toEqual(['connect', 'delivery.unreachable']);
  });

  test('that ends in the middle fails the try, and the next one delivers', async () => {
    const own = await startTestSshd(path.join(folder, 'ssh3'));
    const target = targetOf('sftp', { port: own.port, hostKey: own.hostKey }, { privateKey: own.privateKey });
    let kept: Placing | null = null;
    const sent = await parcel('ours', {
      keep: async (note) => {
        kept = note as Placing;
        await own.changeHostKey();
      },
    });
    const first = await codeOf(deliverFile(target, sent));
    // The connection under way outlives the server that took it, or ends with it; either way there is one file.
    expect([null, 'delivery.unreachable']).toContain(first);
    await own.stop();
    await deliverFile(targetOf('sftp'), { ...sent, tryNo: 2, placing: kept });
    expect(await lyingAt('sftp')).toEqual({ 'card.pdf': 'ours' });
  });
});

describe.each(cloudProviders)('a cloud storage at %s', (provider) => {
  test('takes a file piece by piece, none of them signed in by the account', async () => {
    const text = randomBytes(8 * 1024 * 1024).toString('hex');
    const before = clouds[provider].asked.length;
    await send(provider, text, { name: "Anna's large \\ file.pdf" });
    expect((await lyingAt(provider))["Anna's large \\ file.pdf"] === text).toBe(true);
    const pieces = clouds[provider].asked.slice(before).filter((asked) => asked.startsWith('PUT '));
    expect(pieces).toHaveLength(2);
  });

  test('whose upload breaks off fails the try, and the next one leaves one file', async () => {
    const sent = await parcel('ours');
    clouds[provider].failNext(({ method }) => (method === 'PUT' ? { status: 503 } : undefined));
    await expect(deliverFile(targetOf(provider), sent)).rejects.toThrow();
    await deliverFile(targetOf(provider), { ...sent, tryNo: 2 });
    expect(await lyingAt(provider)).toEqual({ 'card.pdf': 'ours' });
  });

  test('whose folder is gone is told, and nothing is made in its place', async () => {
    clouds[provider].world.drop(cloudFolders[provider]);
    expect(await codeOf(send(provider, 'ours'))).toBe('delivery.folderMissing');
    expect((await tryTarget(targetOf(provider))).failed).toMatchObject({
      stage: 'signIn',
      fault: { code: 'delivery.folderMissing' },
    });
  });

  test('that has allowed reading only is not written to', async () => {
    await expect(openAccount(provider, false)).rejects.toMatchObject({ code: 'source.denied' });
  });
});
