/** The account of a cloud storage that files are delivered to, at a service on this machine. */

import { newId, toJson } from '@pdf2press/prisma';
import { startTestPostgres } from '@pdf2press/prisma/testing';
import { type CloudServer, startCloudServer } from '@pdf2press/sources/testing-cloud';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type InstanceKeys, keepSecret, openInstanceKeys, revealSecret } from '../../secrets/secrets.ts';
import { guardedFetch } from '../../sources/guarded-fetch.ts';
import { connectionSecretPurpose } from '../../sources/open-connection.ts';
import { type Lab, openLab } from '../../testing/lab.ts';
import { openCloudAccount } from './open-cloud.ts';

let server: Awaited<ReturnType<typeof startTestPostgres>>;
let lab: Lab;
let keys: InstanceKeys;
let cloud: CloudServer;
beforeAll(async () => {
  server = await startTestPostgres();
  lab = await openLab(server);
  keys = await openInstanceKeys({ dataDir: lab.folder });
  cloud = await startCloudServer('OneDrive');
});
afterAll(async () => {
  await cloud.stop();
  await lab.close();
  await server.stop();
});

/** A cloud storage that somebody has connected, and the id of its secret. */
const connect = (grant: { refreshToken: string; mayWrite: boolean }) =>
  lab.deps.database.withSubscriber(lab, async (tx) => {
    const { subscriberId } = lab;
    const id = newId('profile');
    const text = JSON.stringify(grant);
    const secretId = await keepSecret(tx, keys, { subscriberId, purpose: connectionSecretPurpose, text });
    await tx.profile.create({ data: { id, kind: 'cloudStorage', name: `Storage ${id}` } });
    const settings = toJson({ provider: 'OneDrive', secretId });
    await tx.profileVersion.create({ data: { id: newId('profileVersion'), profileId: id, no: 1, settings } });
    return { connectionId: id, secretId };
  });

function open(connectionId: string, subscriberId = lab.subscriberId) {
  const { clientId, clientSecret, address } = cloud;
  const { hostname, port } = new URL(address);
  const fetch = guardedFetch([{ host: hostname, port: Number(port), scheme: 'http' }]);
  const cloudApps = { OneDrive: { clientId, clientSecret, endpoint: address } };
  const signal = AbortSignal.timeout(60_000);
  return openCloudAccount(lab.deps, { keys, fetch, cloudApps }, { subscriberId, connectionId, signal });
}

async function* bytesOf(text: string) {
  yield Buffer.from(text);
}

test('a file is stored by it, and what the service makes of the grant is kept', async () => {
  const before = { refreshToken: cloud.grant(), mayWrite: true };
  const { connectionId, secretId } = await connect(before);
  const account = await open(connectionId);
  const place = { driveId: '', folderId: cloud.world.addFolder('Press') };
  const file = { name: 'card.pdf', size: 4, mediaType: 'application/pdf', bytes: bytesOf('ours') };
  expect(await account.upload(place, file)).toMatchObject({ size: 4, kind: 'file' });
  expect(cloud.world.namesIn(place.folderId)).toEqual(['card.pdf']);
  const kept = await lab.deps.database.withSubscriber(lab, (tx) =>
    revealSecret(tx, keys, { subscriberId: lab.subscriberId, id: secretId, purpose: connectionSecretPurpose }),
  );
  expect(JSON.parse(kept)).toMatchObject({ mayWrite: true });
  expect(JSON.parse(kept).refreshToken).not.toBe(before.refreshToken);
  // The next delivery signs in with it.
  expect(await (await open(connectionId)).named(place, 'card.pdf')).toMatchObject({ size: 4 });
});

test('one that is not connected any more, that may only be read, or that is another company’s is told as such', async () => {
  const { connectionId } = await connect({ refreshToken: cloud.grant(), mayWrite: true });
  const reading = await connect({ refreshToken: cloud.grant(), mayWrite: false });
  const stranger = await lab.addSubscriber();
  const signInNeeded = { code: 'delivery.signInNeeded' };
  await expect(open(reading.connectionId)).rejects.toMatchObject({
    ...signInNeeded,
    params: { name: `Storage ${reading.connectionId}` },
  });
  await expect(open(connectionId, stranger.subscriberId)).rejects.toMatchObject({
    ...signInNeeded,
    params: { name: '' },
  });
  await expect(open('pro_nothing')).rejects.toMatchObject(signInNeeded);
  const account = await open(connectionId);
  cloud.failNext(({ url }) => (url.pathname.endsWith('/items/x') ? { status: 429 } : undefined));
  await expect(account.find('', 'x')).rejects.toMatchObject({ code: 'delivery.busy' });
  cloud.revoke();
  await expect(account.find('', 'x')).rejects.toMatchObject(signInNeeded);
});
