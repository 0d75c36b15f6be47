import { cloudProviders } from '@pdf2press/contract';
import { deliverDue, endConsents, guardedFetch } from '@pdf2press/engine';
import { revealSecret } from '@pdf2press/engine/secrets';
import { newId } from '@pdf2press/prisma';
import { type CloudServer, startCloudServer } from '@pdf2press/sources/testing-cloud';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Lab, type SignedIn, startLab } from '../testing/lab.ts';

interface Storage {
  id: string;
  name: string;
  version: number;
  settings: Record<string, unknown>;
}

let lab: Lab;
let owner: SignedIn;
let colleague: SignedIn;
let subscriberId: string;
beforeAll(async () => {
  lab = await startLab({ limitFactor: 1_000 });
  subscriberId = await lab.makeSubscriber('Print');
  owner = await lab.signIn(await lab.makeAdministrator(subscriberId, 'owner@example.com'));
  colleague = await lab.signIn(await lab.makeAdministrator(subscriberId, 'colleague@example.com'));
});
afterAll(() => lab.stop());

const make = async (settings: object) =>
  (await lab.call<Storage>('POST', '/profiles/cloudStorage', { as: owner, body: { name: newId('profile'), settings } }))
    .result;
const read = async (id: string) =>
  (await lab.call<Storage>('GET', `/profiles/cloudStorage/${id}`, { as: owner })).result;
const save = (storage: Storage, change: object) =>
  lab.call<Storage>('PUT', `/profiles/cloudStorage/${storage.id}`, {
    as: owner,
    body: { name: storage.name, version: storage.version, settings: { ...storage.settings, ...change } },
  });
const stateOf = async (id: string) => {
  const { result } = await lab.call<{ id: string }[]>('GET', '/profiles/cloudStorage-states', { as: owner });
  return result.find((state) => state.id === id);
};

test('without a registration the form is told which variables are missing, and nobody is sent anywhere', async () => {
  lab.deps.env.cloudApps = {};
  const services = await lab.call('GET', '/profiles/cloudStorage-services', { as: owner });
  expect(services.result).toMatchObject({
    redirect: expect.stringMatching(/^http.*\/cloud-storage\/callback$/),
    services: [
      { provider: 'GoogleDrive', isSetUp: false, variables: ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'] },
      { provider: 'OneDrive', isSetUp: false, variables: ['MICROSOFT_CLIENT_ID', 'MICROSOFT_CLIENT_SECRET'] },
    ],
  });
  const { id } = await make({ provider: 'OneDrive' });
  const refused = await lab.call('POST', `/profiles/cloudStorage/${id}/connect`, { as: owner, body: {} });
  expect(refused.statusCode).toBe(409);
  expect(refused.envelope.errors[0]?.message).toContain('MICROSOFT_CLIENT_ID, MICROSOFT_CLIENT_SECRET');
  expect(await stateOf(id)).toMatchObject({ paused: 'connection', account: null, failing: null });
});

test('a storage that a delivery target puts files into is not deleted, and the target is named', async () => {
  const storage = await make({ provider: 'GoogleDrive' });
  const name = newId('profile');
  const settings = { kind: 'cloud', connectionId: storage.id, folder: { folderId: 'orders' } };
  const made = await lab.call<Storage>('POST', '/profiles/delivery', { as: owner, body: { name, settings } });
  expect(made.statusCode, made.body).toBe(201);
  expect(await read(storage.id)).toMatchObject({ usedBy: [{ id: made.result.id, name }] });
  const remove = () => lab.call('DELETE', `/profiles/cloudStorage/${storage.id}`, { as: owner });
  const refused = await remove();
  expect([refused.statusCode, refused.envelope.errors[0]?.code]).toEqual([409, 'resource.inUse']);
  expect(refused.envelope.errors[0]?.message).toContain(name);
  // Only the settings as they are now count.
  const other = await make({ provider: 'GoogleDrive' });
  const moved = await lab.call('PUT', `/profiles/delivery/${made.result.id}`, {
    as: owner,
    body: { name, version: made.result.version, settings: { ...settings, connectionId: other.id } },
  });
  expect(moved.statusCode, moved.body).toBe(200);
  expect((await remove()).statusCode).toBe(200);
  await lab.call('DELETE', `/profiles/delivery/${made.result.id}`, { as: owner });
  expect((await lab.call('DELETE', `/profiles/cloudStorage/${other.id}`, { as: owner })).statusCode).toBe(200);
});

describe.each(cloudProviders)('%s', (provider) => {
  let server: CloudServer;
  let folderId: string;
  beforeEach(async () => {
    server = await startCloudServer(provider);
    folderId = server.world.addFolder('Orders');
    const { clientId, clientSecret, address: endpoint } = server;
    lab.deps.env.cloudApps = { [provider]: { clientId, clientSecret, endpoint } };
    lab.deps.env.outboundAllowedHosts = [{ host: '127.0.0.1', port: Number(new URL(endpoint).port), scheme: 'http' }];
  });
  afterEach(async () => {
    await endDue();
    await server.stop();
  });

  /** Begins to connect; resolves to the page of the service and the cookie of the browser. */
  async function begin(id: string) {
    const answer = await lab.call<{ address: string }>('POST', `/profiles/cloudStorage/${id}/connect`, {
      as: owner,
      body: {},
    });
    expect(answer.statusCode).toBe(200);
    const [cookie = ''] = [answer.headers['set-cookie'] ?? ''].flat();
    return { address: answer.result.address, cookie: cookie.split(';')[0] ?? '', wholeCookie: cookie };
  }
  /** What the service sends the browser back with after `Allow` or `Deny`. */
  async function consent(address: string, name = 'Allow'): Promise<Record<string, string>> {
    const page = await (await fetch(address)).text();
    const link = new RegExp(`href="([^"]+)">${name}`).exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
    return Object.fromEntries(new URL(link).searchParams);
  }
  const finish = (body: Record<string, string>, cookie: string, as = owner) =>
    lab.call<{ id: string; account: string }>('POST', '/profiles/cloudStorage-callback', {
      as,
      body,
      headers: { cookie },
    });
  async function connect(settings: object = {}): Promise<Storage> {
    const { id } = await make({ provider, ...settings });
    const { address, cookie } = await begin(id);
    expect((await finish(await consent(address), cookie)).statusCode).toBe(200);
    return read(id);
  }

  test('an account is connected; its grant is encrypted and never comes out', async () => {
    const { id } = await make({ provider });
    const { address, cookie, wholeCookie } = await begin(id);
    expect(wholeCookie).toMatch(/HttpOnly.*SameSite=Strict/);
    const url = new URL(address);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: server.clientId,
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: `${lab.deps.env.publicUrl}/cloud-storage/callback`,
      scope: provider === 'GoogleDrive' ? 'https://www.googleapis.com/auth/drive' : 'Files.ReadWrite offline_access',
    });
    const done = await finish(await consent(address), cookie);
    expect(done.result).toEqual({ id, name: expect.any(String), account: 'anna@example.com' });
    expect(await stateOf(id)).toMatchObject({ account: 'anna@example.com', paused: 'folders' });
    const { rows, states } = await lab.deps.db.withSubscriber({ subscriberId }, async (tx) => ({
      rows: await tx.profileVersion.findMany({ where: { profileId: id } }),
      states: await tx.oneTimeToken.findMany({ where: { purpose: 'cloud.consent' } }),
    }));
    const stored = JSON.stringify([rows, states]);
    expect(stored).not.toContain(url.searchParams.get('state'));
    expect(stored).not.toMatch(/refreshToken/);
    const shown = await lab.call('GET', `/profiles/cloudStorage/${id}`, { as: owner });
    expect(shown.body).not.toMatch(/secretId|refreshToken/);
  });

  test('reading only is asked for where files stay', async () => {
    const { id } = await make({ provider, after: 'leave' });
    const scope = new URL((await begin(id)).address).searchParams.get('scope');
    expect(scope).toBe(
      provider === 'GoogleDrive' ? 'https://www.googleapis.com/auth/drive.readonly' : 'Files.Read offline_access',
    );
  });

  test('a consent counts once, for the person and the browser that began, and for ten minutes', async () => {
    const { id } = await make({ provider });
    const { address, cookie } = await begin(id);
    const body = await consent(address);
    const refusals = [
      await finish(body, ''),
      await finish(body, `${cookie}x`),
      await finish(body, cookie, colleague),
      await finish({ ...body, state: 'another' }, cookie),
    ];
    for (const { statusCode, envelope } of refusals)
      expect([statusCode, envelope.errors[0]?.code]).toEqual([409, 'cloud.stateInvalid']);
    expect((await finish(body, cookie)).statusCode).toBe(200);
    expect((await finish(body, cookie)).envelope.errors[0]?.code).toBe('cloud.stateInvalid');
    const late = await begin(id);
    await lab.deps.db.withSubscriber({ subscriberId }, (tx) =>
      tx.oneTimeToken.updateMany({ where: { purpose: 'cloud.consent' }, data: { expiresAt: new Date(0) } }),
    );
    expect((await finish(await consent(late.address), late.cookie)).envelope.errors[0]?.code).toBe(
      'cloud.stateInvalid',
    );
  });

  test('a consent that is refused, a code of another sign-in and an answer of another service connect nothing', async () => {
    const { id } = await make({ provider });
    const denied = await begin(id);
    expect((await finish(await consent(denied.address, 'Deny'), denied.cookie)).envelope.errors[0]?.code).toBe(
      'cloud.refused',
    );
    const [one, other] = [await begin(id), await begin(id)];
    const mixed = { ...(await consent(one.address)), code: (await consent(other.address)).code ?? '' };
    expect((await finish(mixed, one.cookie)).envelope.errors[0]?.code).toBe('source.signInNeeded');
    if (provider === 'GoogleDrive') {
      const third = await begin(id);
      const elsewhere = { ...(await consent(third.address)), iss: 'https://evil.example' };
      expect((await finish(elsewhere, third.cookie)).envelope.errors[0]?.code).toBe('cloud.stateInvalid');
    }
    expect(await stateOf(id)).toMatchObject({ account: null, paused: 'connection' });
  });

  test('the folders of the account are listed, drive by drive', async () => {
    server.world.addFolder('4711', folderId);
    server.world.addFile('card.pdf', 'x', folderId);
    const drive = server.world.addDrive('Prepress');
    server.world.addFolder('Incoming', server.world.rootOf(drive));
    const { id } = await connect({ hasLibraries: true });
    const list = async (query: string) =>
      (
        await lab.call<{ name: string; driveId: string; folderId: string }[]>(
          'GET',
          `/profiles/cloudStorage/${id}/folders${query}`,
          { as: owner },
        )
      ).result;
    const drives = await list('');
    expect(drives.map(({ name }) => name)).toEqual(['', provider === 'GoogleDrive' ? 'Prepress' : 'Print – Prepress']);
    const inside = ({ driveId, folderId: folder }: { driveId: string; folderId: string }) =>
      list(`?driveId=${driveId}&folderId=${folder}`);
    const [own, shared] = drives;
    const [orders] = await inside(own ?? { driveId: '', folderId: '' });
    expect(orders).toEqual({ name: 'Orders', driveId: '', folderId });
    expect((await inside(orders ?? { driveId: '', folderId: '' })).map(({ name }) => name)).toEqual(['4711']);
    expect((await inside(shared ?? { driveId: '', folderId: '' })).map(({ name }) => name)).toEqual(['Incoming']);
    const bad = await lab.call(
      'GET',
      `/profiles/cloudStorage/${id}/folders?folderId=${encodeURIComponent("x' or '")}`,
      {
        as: owner,
      },
    );
    expect(bad.statusCode).toBe(400);
  });

  test('the test of a connection says how far it came', async () => {
    const test = async (id: string | undefined, settings: object) =>
      (
        await lab.call('POST', '/profiles/cloudStorage-test', {
          as: owner,
          body: { id, settings: { provider, ...settings } },
        })
      ).result;
    expect(await test(undefined, {})).toMatchObject({ failed: { stage: 'signIn', code: 'source.signInNeeded' } });
    const { id } = await connect();
    const chosen = (folder: string) => ({ folders: [{ folderId: folder, path: 'Orders', workflowId: 'wfl_1' }] });
    expect(await test(id, chosen(folderId))).toEqual({ failed: null, account: 'anna@example.com' });
    expect(await test(id, chosen('nothing'))).toMatchObject({
      failed: { stage: 'read', code: 'source.folderMissing' },
    });
    server.revoke();
    expect(await test(id, {})).toMatchObject({ failed: { stage: 'signIn', code: 'source.signInNeeded' } });
    const other = provider === 'OneDrive' ? 'GoogleDrive' : 'OneDrive';
    expect(await test(id, { provider: other })).toMatchObject({ failed: { stage: 'setUp', code: 'source.notSetUp' } });
    const lost = await lab.call('GET', `/profiles/cloudStorage/${id}/folders?folderId=root`, { as: owner });
    expect([lost.statusCode, lost.envelope.errors[0]?.code]).toEqual([409, 'source.signInNeeded']);
  });

  test('saving keeps the account; another service and a copy have none', async () => {
    const storage = await connect();
    expect((await save(storage, { stableSeconds: 30 })).statusCode).toBe(200);
    expect(await stateOf(storage.id)).toMatchObject({ account: 'anna@example.com' });
    const copy = await make(storage.settings);
    expect(await stateOf(copy.id)).toMatchObject({ account: null });
    const other = provider === 'OneDrive' ? 'GoogleDrive' : 'OneDrive';
    expect((await save(await read(storage.id), { provider: other })).statusCode).toBe(200);
    expect(await stateOf(storage.id)).toMatchObject({ account: null, paused: 'connection' });
  });

  const grants = () =>
    lab.deps.db.withSubscriber({ subscriberId }, async (tx) => {
      const rows = await tx.secret.findMany({ where: { purpose: 'source.connection' }, orderBy: { id: 'asc' } });
      const texts = rows.map(({ id, purpose }) => revealSecret(tx, lab.deps.keys, { subscriberId, id, purpose }));
      return (await Promise.all(texts)).map((text) => (JSON.parse(text) as { refreshToken: string }).refreshToken);
    });
  const remove = (storage: Storage) =>
    lab.call('DELETE', `/profiles/cloudStorage/${storage.id}`, { as: owner }).then(({ statusCode }) => statusCode);
  /** As a worker does it. */
  async function endDue(): Promise<void> {
    const { engine, env, keys } = lab.deps;
    const fetch = guardedFetch(env.outboundAllowedHosts);
    const runs = { consentEnd: endConsents(engine, { keys, fetch, cloudApps: env.cloudApps }) };
    await deliverDue(engine, runs, { count: 10, stopped: new AbortController().signal });
  }
  const ends = (since: Date) =>
    lab.deps.db.withSubscriber({ subscriberId }, (tx) =>
      tx.effect.findMany({ where: { kind: 'consentEnd', state: { not: 'Done' }, createdAt: { gte: since } } }),
    );
  const asksToWithdraw = () => server.asked.filter((asked) => asked === 'POST /revoke').length;
  const withdraws = provider === 'GoogleDrive';

  test('the grant goes with the cloud storage, and with a change of the service: withdrawn there where that can be', async () => {
    const before = await grants();
    server.account = `${newId('user')}@example.com`;
    const gone = await connect();
    const [token = ''] = (await grants()).filter((one) => !before.includes(one));
    expect(server.counts(token)).toBe(true);
    expect(await remove(gone)).toBe(200);
    await endDue();
    expect(server.counts(token)).toBe(!withdraws);
    expect(await grants()).toEqual(before);

    const changed = await connect();
    await save(changed, { provider: withdraws ? 'OneDrive' : 'GoogleDrive' });
    await endDue();
    expect(await grants()).toEqual(before);
    expect(asksToWithdraw()).toBe(withdraws ? 2 : 0);
  });

  test('a consent that another connection lives on is only forgotten, until that one goes, too', async () => {
    const before = await grants();
    server.account = `${newId('user')}@example.com`;
    const [first, second] = [await connect(), await connect()];
    expect(await remove(first)).toBe(200);
    await endDue();
    expect(await grants()).toHaveLength(before.length + 1);
    expect(asksToWithdraw()).toBe(0);
    expect(await remove(second)).toBe(200);
    await endDue();
    expect(await grants()).toEqual(before);
    expect(asksToWithdraw()).toBe(withdraws ? 1 : 0);
  });

  test('the consent of an account that is replaced by another one is withdrawn; one of the same account stays', async () => {
    const [before, since] = [await grants(), new Date()];
    const own = async () => (await grants()).filter((one) => !before.includes(one));
    async function reconnect(id: string): Promise<void> {
      const { address, cookie } = await begin(id);
      expect((await finish(await consent(address), cookie)).statusCode).toBe(200);
      await endDue();
    }
    server.account = `${newId('user')}@example.com`;
    const [storage, neighbour] = [await connect(), await connect()];
    await reconnect(storage.id);
    expect(asksToWithdraw()).toBe(0);
    const tokens = await own();
    expect(tokens.map(server.counts)).toEqual([true, true]);

    const first = server.account;
    server.account = `${newId('user')}@example.com`;
    await reconnect(storage.id);
    expect(await stateOf(storage.id)).toMatchObject({ account: server.account });
    // The other connection lives on the consent of the first account.
    expect(await stateOf(neighbour.id)).toMatchObject({ account: first });
    expect(asksToWithdraw()).toBe(0);
    expect(await own()).toHaveLength(2);

    await reconnect(neighbour.id);
    expect(asksToWithdraw()).toBe(withdraws ? 1 : 0);
    expect((await own()).map(server.counts)).toEqual([true, true]);
    expect(tokens.map(server.counts)).toEqual(withdraws ? [false, false] : [true, true]);
    expect(await ends(since)).toEqual([]);
    for (const one of [storage, neighbour]) await remove(await read(one.id));
  });

  test('a service that is away keeps nobody from deleting, and is asked again; one that refuses is told', async () => {
    const [before, since] = [await grants(), new Date()];
    server.account = `${newId('user')}@example.com`;
    const [away, refused] = [await connect(), await connect()];
    const answer = (status: number) =>
      server.failNext(({ url }) => (url.pathname === '/revoke' ? { status, body: {} } : undefined));
    answer(503);
    await remove(refused);
    expect(await remove(away)).toBe(200);
    await endDue();
    const hurry = () =>
      lab.deps.db.withSubscriber(
        { subscriberId },
        (tx) => tx.$executeRaw`update effects set next_at = clock_timestamp() where kind = 'consentEnd'`,
      );
    const left = await ends(since);
    expect(left.map(({ state, lastError }) => [state, lastError])).toEqual(
      withdraws ? [['Pending', 'source.busy']] : [],
    );
    answer(403);
    await hurry();
    await endDue();
    expect((await ends(since)).map(({ state }) => state)).toEqual(withdraws ? ['Dead'] : []);
    // Whatever the service says, nothing of it is kept.
    expect(await grants()).toEqual(before);
    const notices = await lab.deps.db.withSubscriber({ subscriberId }, (tx) =>
      tx.notification.findMany({ where: { kind: 'consentEnd.dead' } }),
    );
    const own = notices.filter(({ data }) => [away.name, refused.name].includes((data as { name: string }).name));
    expect(own.length > 0).toBe(withdraws);
  });

  test('the list says why a folder fails, and connecting again makes it due at once', async () => {
    const workflowId = newId('workflow');
    const storage = await connect({ folders: [{ folderId, path: 'Orders', workflowId }] });
    expect(await stateOf(storage.id)).toMatchObject({ paused: 'workflow' });
    const later = new Date(Date.now() + 3_600_000);
    await lab.deps.db.withSubscriber({ subscriberId }, async (tx) => {
      await tx.workflow.create({ data: { id: workflowId, name: `Cards ${workflowId}`, draft: {}, publishedNo: 1 } });
      const definition = { steps: [{ id: 'inject', kind: 'Inject', settings: {} }] };
      const version = { id: newId('workflowVersion'), workflowId, no: 1, definition, profiles: {}, hash: '' };
      await tx.workflowVersion.create({ data: version });
      await tx.inlet.create({
        data: {
          ...{ id: newId('profile'), workflowId, connectionId: storage.id, kind: 'cloud', place: ` ${folderId}` },
          ...{ dueAt: later, failingSince: later, failureCount: 2, errorCode: 'source.signInNeeded', errorParams: {} },
        },
      });
    });
    expect(await stateOf(storage.id)).toMatchObject({ paused: null, failing: { code: 'source.signInNeeded' } });
    const { address, cookie } = await begin(storage.id);
    await finish(await consent(address), cookie);
    const state = await stateOf(storage.id);
    expect(state).toMatchObject({ paused: null, failing: null, account: 'anna@example.com' });
    expect(new Date((state as unknown as { nextLookAt: string }).nextLookAt).getTime()).toBeLessThan(Date.now() + 1000);
  });
});
