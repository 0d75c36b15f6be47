import { featureKeys, type HostSubscriber, type PlanState } from '@pdf2press/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seedSamples } from '../setup/seed-samples.ts';
import { type Lab, password, type SignedIn, startLab } from '../testing/lab.ts';

let lab: Lab;
let host: SignedIn;
let ana: SignedIn;
beforeAll(async () => {
  lab = await startLab();
  host = await lab.signIn(await lab.makeAdministrator(await lab.makeSubscriber('The house'), 'host@example.com'));
  await lab.deps.db.asHost((tx) => tx.hostFact.create({ data: { key: 'host.administrators', value: [host.id] } }));
  lab.deps.callers.forget();
  ana = await lab.signIn(await lab.makeAdministrator(await lab.makeSubscriber('Paper + Ink'), 'ana@example.com'));
  await seedSamples(lab.deps, { subscriberId: ana.subscriberId, userId: ana.id, name: 'Ana' });
});
afterAll(() => lab.stop());

const codes = ({ envelope }: { envelope: { errors: { code: string }[] } }) => envelope.errors.map(({ code }) => code);
const at = (id: string, act = '') => `/host/subscribers/${id}${act}`;
const body = (given: object = {}) => ({ name: 'Paper + Ink', features: [...featureKeys], ...given });
const plan = (quotas: object = {}, storage: object = {}) => ({ name: 'Small', quotas, storage });
const setPlan = (given: object) => lab.call('PUT', at(ana.subscriberId), { as: host, body: body({ plan: given }) });
const acts = async (as: SignedIn) =>
  (await lab.call<{ items: { act: string; actor: { name: string } }[] }>('GET', '/audit?kind=subscriber', { as }))
    .result.items;

describe('another area, another right', () => {
  test('an administrator of a subscriber reaches none of it, whatever the roles say', async () => {
    const calls = [
      ['GET', '/host/subscribers'],
      ['GET', '/host/subscribers/export.csv'],
      ['POST', '/host/subscribers'],
      ['GET', at(ana.subscriberId)],
      ['PUT', at(ana.subscriberId)],
      ['POST', at(host.subscriberId, '/suspend')],
      ['POST', at(ana.subscriberId, '/resume')],
    ] as const;
    for (const [method, url] of calls) {
      const answer = await lab.call(method, url, { as: ana, body: method === 'GET' ? undefined : body() });
      expect([answer.statusCode, codes(answer)], url).toEqual([403, ['access.denied']]);
    }
  });

  test('a key of the installation’s administrator does not reach it either', async () => {
    const { key } = (
      await lab.call<{ key: string }>('POST', '/api-keys', {
        as: host,
        body: { name: 'key', permissions: ['sessions.view'] },
      })
    ).result;
    expect((await lab.call('GET', '/host/subscribers', { as: { token: key } })).statusCode).toBe(403);
  });
});

describe('subscribers', () => {
  test('are listed by name with plan and usage, and found', async () => {
    const { items, total } = (
      await lab.call<{ items: HostSubscriber[]; total: number }>('GET', '/host/subscribers', { as: host })
    ).result;
    expect([total, items.map(({ name, isOwn }) => [name, isOwn])]).toEqual([
      2,
      [
        ['Paper + Ink', false],
        ['The house', true],
      ],
    ]);
    expect(items[0]?.usage.users).toBe(1);
    expect(items[0]?.usage.sessionsPerMonth).toBeGreaterThan(0);
    expect(items[0]?.usage.storageBytes).toBeGreaterThan(0);
    const found = await lab.call<{ total: number }>('GET', '/host/subscribers?search=ink', { as: host });
    expect(found.result.total).toBe(1);
  });

  test('are sorted by every column, both ways, over all pages', async () => {
    const listed = async (query: string) =>
      (await lab.call<{ items: HostSubscriber[] }>('GET', `/host/subscribers?${query}`, { as: host })).result.items;
    const made = await Promise.all(['Zeta', 'alpha', 'Mid'].map((name) => lab.makeSubscriber(`sorted ${name}`)));
    const [zeta = '', alpha = '', mid = ''] = made;
    await lab.makeAdministrator(zeta, 'z1@example.com');
    await lab.makeAdministrator(zeta, 'z2@example.com');
    await lab.makeAdministrator(mid, 'm1@example.com');
    await lab.deps.db.asHost((tx) => tx.subscriber.update({ where: { id: mid }, data: { isActive: false } }));
    await lab.deps.db.asHost(async (tx) => {
      for (const [at, id] of [zeta, alpha, mid].entries())
        await tx.subscriber.update({ where: { id }, data: { createdAt: new Date(Date.UTC(2020, at)) } });
    });
    const order = async (query: string) => (await listed(`search=sorted&${query}`)).map(({ id }) => made.indexOf(id));
    expect(await order('sort=users')).toEqual([1, 2, 0]);
    expect(await order('sort=users&direction=desc')).toEqual([0, 2, 1]);
    expect(await order('sort=createdAt')).toEqual([0, 1, 2]);
    expect(await order('sort=createdAt&direction=desc')).toEqual([2, 1, 0]);
    expect((await order('sort=state')).at(-1)).toBe(2);
    expect((await order('sort=state&direction=desc'))[0]).toBe(2);
    expect(await order('states=suspended')).toEqual([2]);
    expect(await order('states=active&sort=users')).toEqual([1, 0]);
    expect(await order('states[]=active&states[]=suspended&sort=users')).toEqual([1, 2, 0]);
    expect((await lab.call('GET', '/host/subscribers?states=asleep', { as: host })).statusCode).toBe(400);
    expect(await order('sort=name&direction=desc')).toEqual([...(await order('sort=name'))].reverse());
    const pages = [1, 2, 3].map((page) => order(`sort=users&pageSize=1&page=${page}`));
    expect((await Promise.all(pages)).flat()).toEqual([1, 2, 0]);
    const [busy] = await listed('sort=storageBytes&direction=desc&pageSize=1');
    expect(busy?.id).toBe(ana.subscriberId);
    const all = await listed('sort=sessionsPerMonth&direction=desc&pageSize=100');
    const counts = all.map(({ usage }) => usage.sessionsPerMonth);
    expect(counts).toEqual([...counts].sort((one, other) => other - one));
    expect((await lab.call('GET', '/host/subscribers?sort=plan', { as: host })).statusCode).toBe(400);

    // The export has the same rows in the same order, without formulas.
    await lab.deps.db.asHost((tx) => tx.subscriber.update({ where: { id: alpha }, data: { name: '=sorted "alpha"' } }));
    const url = '/host/subscribers/export.csv?search=sorted&sort=users&direction=desc';
    const { body: csv, headers } = await lab.call('GET', url, { as: host });
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    const lines = csv.slice(1).trim().split('\r\n');
    expect(lines[0]?.split(',').slice(0, 4)).toEqual(['id', 'name', 'isActive', 'createdAt']);
    expect(lines.slice(1).map((line) => made.indexOf(line.split(',')[0] ?? ''))).toEqual([0, 2, 1]);
    expect(lines[2]).toContain(',sorted Mid,false,2020-03-01T00:00:00.000Z,');
    expect(lines[3]).toContain(`"'=sorted ""alpha"""`);
    await lab.deps.db.asHost((tx) => tx.subscriber.deleteMany({ where: { id: alpha } }));
  });

  test('one is made with an administrator who chooses a password by a link and signs in', async () => {
    const administrator = { firstName: 'Ben', email: 'ben@example.com' };
    const made = await lab.call<HostSubscriber & { activationLink: string }>('POST', '/host/subscribers', {
      as: host,
      body: { name: 'New Print', features: ['Imposition'], plan: plan({ users: 2 }), administrator },
    });
    expect([made.statusCode, made.result.features, made.result.plan.quotas.users]).toEqual([201, ['Imposition'], 2]);
    const token = new URL(made.result.activationLink).hash.slice('#token='.length);
    const given = { token, password, passwordConfirmation: password };
    expect((await lab.call('POST', '/TokenAuth/reset-password', { body: given })).statusCode).toBe(200);
    const ben = await lab.signIn({ id: '', subscriberId: made.result.id, email: 'ben@example.com' });
    const features = await lab.call<{ featureKey: string }[]>('GET', '/subscriber/getFeatures', { as: ben });
    expect(features.result).toEqual([{ featureKey: 'Imposition' }]);
    expect((await lab.call('GET', '/roles', { as: ben })).body).toContain('Administrator');
    expect((await lab.call('GET', '/host/subscribers', { as: ben })).statusCode).toBe(403);
    expect((await acts(ben)).map(({ act, actor }) => [act, actor.name])).toEqual([['subscriber.create', 'host Test']]);
  });

  test('an address that somebody signs in with is refused, and nothing is left', async () => {
    const before = await lab.call<{ total: number }>('GET', '/host/subscribers', { as: host });
    const administrator = { firstName: 'Ana', email: 'ANA@example.com' };
    const answer = await lab.call('POST', '/host/subscribers', { as: host, body: { name: 'Twice', administrator } });
    expect([answer.statusCode, answer.envelope.errors[0]]).toMatchObject([
      409,
      { code: 'resource.nameTaken', field: 'administrator.email' },
    ]);
    const after = await lab.call<{ total: number }>('GET', '/host/subscribers', { as: host });
    expect(after.result.total).toBe(before.result.total);
  });

  test('suspended: people are out and cannot come in, the page is closed; resumed: all is as before', async () => {
    const suspended = await lab.call<HostSubscriber>('POST', at(ana.subscriberId, '/suspend'), { as: host });
    expect(suspended.result.isActive).toBe(false);
    expect((await lab.call('GET', '/me', { as: ana })).statusCode).toBe(401);
    const login = () => lab.call('POST', '/TokenAuth/login', { body: { email: ana.email, password } });
    expect(codes(await login())).toEqual(['auth.invalidCredentials']);
    const refreshed = await lab.call('POST', '/TokenAuth/refresh', { body: { refreshToken: ana.refreshToken } });
    expect(refreshed.statusCode).toBe(401);
    await lab.call('POST', at(ana.subscriberId, '/resume'), { as: host });
    ana = await lab.signIn(ana);
    expect((await acts(ana)).map(({ act }) => act)).toEqual(['subscriber.resume', 'subscriber.suspend']);
    expect((await acts(host)).map(({ act }) => act)).toContain('subscriber.suspend');
  });

  test('the own one cannot be suspended', async () => {
    const answer = await lab.call('POST', at(host.subscriberId, '/suspend'), { as: host });
    expect([answer.statusCode, codes(answer)]).toEqual([409, ['host.ownSubscriber']]);
  });

  test('an unknown one is not found, and nothing is written', async () => {
    for (const act of ['', '/suspend', '/resume']) {
      const answer = await lab.call(act === '' ? 'PUT' : 'POST', at('sub_nothing', act), { as: host, body: body() });
      expect(answer.statusCode).toBe(404);
    }
  });
});

describe('a plan', () => {
  const state = async () => (await lab.call<PlanState>('GET', '/SystemSettings/plan', { as: ana })).result;

  test('is read by the subscriber beside what is used, and changed by the host alone', async () => {
    await setPlan(plan({ sessionsPerMonth: 500 }, { includedBytes: 1024, pricePerGb: 2.5, currency: 'EUR' }));
    const read = await state();
    expect(read.plan).toEqual({
      name: 'Small',
      quotas: { sessionsPerMonth: 500, storageBytes: null, users: null, uploadBytes: null },
      storage: { includedBytes: 1024, pricePerGb: 2.5, currency: 'EUR' },
    });
    expect(read.usage.sessionsPerMonth).toBeGreaterThan(0);
    expect((await acts(ana))[0]?.act).toBe('subscriber.update');
    for (const wrong of [{ sessionsPerMonth: 0 }, { users: 1.5 }, { storageBytes: -1 }])
      expect((await setPlan(plan(wrong))).statusCode).toBe(400);
    expect((await setPlan(plan({}, { currency: 'euro' }))).statusCode).toBe(400);
  });

  test('with fewer features closes their routes with its sentence, and opens them again', async () => {
    const make = () =>
      lab.call('POST', '/profiles/impose', { as: ana, body: { name: `Sheet ${Math.random()}`, settings: {} } });
    await lab.call('PUT', at(ana.subscriberId), { as: host, body: body({ features: [] }) });
    const refused = await make();
    expect([refused.statusCode, refused.envelope.errors[0]?.message]).toEqual([
      403,
      'This feature is not included in your current plan, changes may not be saved.',
    ]);
    await lab.call('PUT', at(ana.subscriberId), { as: host, body: body() });
    expect(codes(await make())).not.toContain('access.featureNotInPlan');
  });
});

describe('a quota that is reached says so', () => {
  const workflowId = async () =>
    (await lab.call<{ items: { id: string }[] }>('GET', '/workflows', { as: ana })).result.items[0]?.id ?? '';
  const boundary = 'b0undary';
  const submit = async (bytes = 20) =>
    lab.call('POST', '/sessions', {
      as: ana,
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      body: [
        `--${boundary}\r\nContent-Disposition: form-data; name="workflowId"\r\n\r\n${await workflowId()}\r\n`,
        `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\nContent-Type: application/pdf\r\n\r\n`,
        `%PDF-1.4 ${Math.random()}`.padEnd(bytes),
        `\r\n--${boundary}--\r\n`,
      ].join(''),
    });
  const begin = async (size: number) =>
    lab.call('POST', '/uploads', {
      as: ana,
      headers: {
        'tus-resumable': '1.0.0',
        'upload-length': String(size),
        'upload-metadata': `filename ${Buffer.from('a.pdf').toString('base64')},workflowId ${Buffer.from(await workflowId()).toString('base64')}`,
      },
    });
  const usage = async () => (await lab.call<PlanState>('GET', '/SystemSettings/plan', { as: ana })).result.usage;

  test('files of a month: to who sends a form and to who begins an upload, before the bytes', async () => {
    await setPlan(plan({ sessionsPerMonth: (await usage()).sessionsPerMonth + 1 }));
    expect((await submit()).statusCode).toBe(201);
    for (const answer of [await submit(), await begin(20)])
      expect([answer.statusCode, codes(answer)]).toEqual([403, ['quota.sessions']]);
    expect((await submit()).envelope.errors[0]?.message).toMatch(/^The plan takes \d+ files a month/);
    await setPlan(plan({ sessionsPerMonth: (await usage()).sessionsPerMonth + 5 }));
    expect((await submit()).statusCode).toBe(201);
  });

  test('storage, and the size of a file', async () => {
    await setPlan(plan({ storageBytes: (await usage()).storageBytes + 100, uploadBytes: 60 }));
    expect((await begin(60)).statusCode).toBe(201);
    const large = await begin(61);
    expect([large.statusCode, codes(large)]).toEqual([413, ['file.tooLarge']]);
    const form = await submit(61);
    expect([form.statusCode, codes(form)]).toEqual([413, ['file.tooLarge']]);
    expect((await submit(60)).statusCode).toBe(201);
    const full = await submit(60);
    expect([full.statusCode, codes(full)]).toEqual([403, ['quota.storage']]);
    expect(codes(await begin(60))).toEqual(['quota.storage']);
    await setPlan(plan());
  });

  test('users: made, imported, and switched on again', async () => {
    await setPlan(plan({ users: 2 }));
    const make = (name: string, more: object = {}) =>
      lab.call<{ id: string }>('POST', '/users', {
        as: ana,
        body: { firstName: name, email: `${name}@paper.example`, sendActivationEmail: false, ...more },
      });
    expect((await make('one')).statusCode).toBe(201);
    const refused = await make('two');
    expect([refused.statusCode, refused.envelope.errors[0]?.message]).toEqual([403, 'The plan allows 2 active users.']);
    const off = (await make('off', { isActive: false })).result.id;
    const on = await lab.call('PUT', `/users/${off}`, {
      as: ana,
      body: { firstName: 'off', email: 'off@paper.example' },
    });
    expect(codes(on)).toEqual(['quota.users']);
    const csv = 'name,email\nThree,three@paper.example\n';
    const imported = await lab.call('POST', '/users/import', { as: ana, body: { csv, isDryRun: false } });
    expect(codes(imported)).toEqual(['quota.users']);
    await setPlan(plan());
    expect((await make('two')).statusCode).toBe(201);
  });
});
