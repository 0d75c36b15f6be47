import { locales, type Me, type SystemSettings, sharedParts, type Workflow } from '@pdf2press/contract';
import { keepSecret, openInstanceKeys, revealSecret } from '@pdf2press/engine/secrets';
import { newId } from '@pdf2press/prisma';
import { demandIsolation } from '@pdf2press/tasks/isolation';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readQuery } from '../frame/parsers.ts';
import { seedSamples } from '../setup/seed-samples.ts';
import { type Lab, type SignedIn, startLab } from '../testing/lab.ts';

// One long file: each file of these tests starts a database and an API of its own.
let lab: Lab;
let ana: SignedIn;
let subscriberId: string;
beforeAll(async () => {
  lab = await startLab({ variables: { CORS_ORIGINS: 'https://shop.example.com' } });
  subscriberId = await lab.makeSubscriber('Paper + Ink');
  ana = await lab.signIn(await lab.makeAdministrator(subscriberId, 'ana@example.com'));
  await seedSamples(lab.deps, { subscriberId, userId: ana.id, name: 'Ana' });
});
afterAll(() => lab.stop());

const codes = ({ envelope }: { envelope: { errors: { code: string }[] } }) => envelope.errors.map(({ code }) => code);
const settings = async () => (await lab.call<SystemSettings>('GET', '/SystemSettings', { as: ana })).result;
const save = (body: object, as = ana) => lab.call<SystemSettings>('PUT', '/SystemSettings', { as, body });

describe('settings', () => {
  test('are the same object under all three paths, with their defaults', async () => {
    const spellings = await Promise.all(
      ['/SystemSettings', '/systemSettings', '/systemSettings/getsettings'].map((url) =>
        lab.call<SystemSettings>('GET', url, { as: ana }),
      ),
    );
    for (const answer of spellings) expect(answer.result).toEqual(spellings[0]?.result);
    expect(spellings[0]?.result).toMatchObject({
      subscriberId,
      culture: 'en-US',
      passwordSettings: { useDefaultSettings: true, requiredLength: 6 },
      smtpSettings: { port: 0, enableSsl: true, password: null },
      userSettings: {
        enableUserLockout: true,
        maxFailedLoginAttempts: 5,
        accountLockoutDurationInSeconds: 300,
        sendActivationEmail: true,
      },
    });
    expect((await lab.call('GET', '/systemsettings', { as: ana })).statusCode).toBe(404);
  });

  test('keep a time zone by its IANA name, and refuse what is none', async () => {
    const before = await settings();
    expect(before.timeZone).toBe('');
    expect((await save({ ...before, timeZone: 'Asia/Tokyo' })).result.timeZone).toBe('Asia/Tokyo');
    expect((await settings()).timeZone).toBe('Asia/Tokyo');
    const refused = await save({ ...before, timeZone: 'Asia/Atlantis' });
    expect([refused.statusCode, codes(refused)]).toEqual([400, ['value.invalid']]);
    expect((await save(before)).result.timeZone).toBe('');
  });

  test('keep a culture that can be chosen; an older one is shown until another is chosen', async () => {
    const before = await settings();
    const refused = await save({ ...before, culture: 'de' });
    expect([refused.statusCode, codes(refused), refused.envelope.errors[0]?.field]).toEqual([
      400,
      ['value.invalid'],
      'culture',
    ]);
    expect((await save({ ...before, culture: 'de-DE' })).result.culture).toBe('de-DE');
    await lab.deps.db.withSubscriber({ subscriberId }, (tx) =>
      tx.systemSetting.updateMany({ data: { culture: 'de' }, where: { subscriberId } }),
    );
    expect((await settings()).culture).toBe('de');
    expect((await save(before)).result.culture).toBe(before.culture);
  });

  test('keep the house’s look, and everybody in it is told', async () => {
    const before = await settings();
    const dark = { ...before.appearanceSettings, theme: 'dark', primaryDark: '#5b5bd6' };
    expect((await save({ ...before, appearanceSettings: dark })).result.appearanceSettings).toEqual(dark);
    const clerk = await lab.signIn(await lab.makePerson(subscriberId, 'looker@example.com', ['sessions.view']));
    expect((await lab.call<Me>('GET', '/me', { as: clerk })).result.appearance).toEqual(dark);
    const blue = { ...before, appearanceSettings: { ...dark, primaryLight: 'blue' } };
    expect((await save(blue)).statusCode).toBe(400);
    await save(before);
    expect((await lab.call<Me>('GET', '/me', { as: clerk })).result.appearance).toEqual(before.appearanceSettings);
  });

  test('of the host hold for every company that has no value of its own, and only the host’s administrators say so', async () => {
    const otherId = await lab.makeSubscriber('Other press');
    const otto = await lab.signIn(await lab.makeAdministrator(otherId, 'otto@example.com'));
    const person = await lab.makeAdministrator(subscriberId, 'host@example.com');
    const key = 'host.administrators';
    await lab.deps.db.asHost((tx) => tx.hostFact.create({ data: { key, value: [person.id] }, select: { key: true } }));
    const host = await lab.signIn(person);
    const ofOther = async () => (await lab.call<SystemSettings>('GET', '/SystemSettings', { as: otto })).result;
    const untouched = await ofOther();
    expect(untouched).toMatchObject({ isGlobal: false, installation: null, culture: 'en-US' });
    const before = await settings();
    const given = {
      ...before,
      culture: 'it-IT',
      timeZone: 'Europe/Rome',
      measurementSettings: { defaultUnit: 'Inches' },
      passwordSettings: { ...before.passwordSettings, useDefaultSettings: false, requiredLength: 14 },
      smtpSettings: { ...before.smtpSettings, host: 'mail.example.com' },
      isGlobal: true,
    };
    expect(codes(await save(given))).toEqual(['access.denied']);
    expect((await save(given, host)).result).toMatchObject({ isGlobal: true, installation: null, culture: 'it-IT' });

    const shared = await ofOther();
    expect(shared).toMatchObject({
      isGlobal: false,
      culture: 'it-IT',
      timeZone: 'Europe/Rome',
      measurementSettings: { defaultUnit: 'Inches' },
      passwordSettings: { useDefaultSettings: false, requiredLength: 14 },
      smtpSettings: { host: '' },
    });
    expect(Object.keys(shared.installation ?? {}).sort()).toEqual([...sharedParts].sort());

    // Own values, one of them the default, stay when the host's change.
    const own = { ...shared, culture: 'en-US', timeZone: 'Asia/Tokyo' };
    expect((await save(own, otto)).result).toMatchObject({ culture: 'en-US', timeZone: 'Asia/Tokyo' });
    const now = { ...given, culture: 'fr-FR', timeZone: 'Europe/Paris', measurementSettings: { defaultUnit: 'Feet' } };
    expect((await save(now, host)).statusCode).toBe(200);
    expect(await ofOther()).toMatchObject({
      culture: 'en-US',
      timeZone: 'Asia/Tokyo',
      measurementSettings: { defaultUnit: 'Feet' },
    });

    // Who administers the host's company alone changes what is its own, and nothing that holds elsewhere.
    expect(codes(await save({ ...now, culture: 'de-DE' }))).toEqual(['access.denied']);
    const costs = { ...now, roiSettings: { averagePrepressTime: 5, laborCostPerHour: 5 } };
    expect((await save(costs)).statusCode).toBe(200);
    expect((await ofOther()).roiSettings).toEqual(untouched.roiSettings);
    expect(codes(await save({ ...own, isGlobal: true }, otto))).toEqual(['access.denied']);

    expect((await save(before, host)).result.isGlobal).toBe(false);
    expect(await ofOther()).toMatchObject({
      installation: null,
      culture: 'en-US',
      timeZone: 'Asia/Tokyo',
      measurementSettings: { defaultUnit: 'Millimeters' },
    });
    await lab.deps.db.asHost((tx) => tx.hostFact.delete({ where: { key }, select: { key: true } }));
  });

  test('store a secret and never return it', async () => {
    const before = await settings();
    const smtpSettings = { ...before.smtpSettings, host: 'mail.example.com', username: 'ana', password: 'Gehe1mnis' };
    const saved = await save({ ...before, smtpSettings });
    expect(saved.result.smtpSettings.password).toBe('••••');
    expect(saved.body).not.toContain('Gehe1mnis');
    expect((await save({ ...saved.result, culture: 'fr-FR' })).result).toMatchObject({
      culture: 'fr-FR',
      smtpSettings: { password: '••••' },
    });
    const rows = await lab.deps.db.asHost(
      (tx) => tx.$queryRaw<{ row: string }[]>`
      select secrets::text as row from secrets union all select system_settings::text from system_settings union all select audit_entries::text from audit_entries`,
    );
    expect(
      rows.some(({ row }) => row.includes('Gehe1mnis') || row.includes(Buffer.from('Gehe1mnis').toString('hex'))),
    ).toBe(false);
    const stored = await lab.deps.db.withSubscriber({ subscriberId }, async (tx) => {
      const [secret] = await tx.secret.findMany();
      return revealSecret(tx, lab.deps.keys, { subscriberId, id: secret?.id ?? '', purpose: 'smtp.password' });
    });
    expect(stored).toBe('Gehe1mnis');
    const moved = await save({
      ...(await settings()),
      smtpSettings: { ...saved.result.smtpSettings, host: 'evil.example.com' },
    });
    expect([moved.statusCode, codes(moved)]).toEqual([400, ['value.required']]);
    const cleared = await save({ ...(await settings()), smtpSettings: { ...before.smtpSettings } });
    expect(cleared.result.smtpSettings.password).toBeNull();
    expect(await lab.deps.db.asHost((tx) => tx.secret.count())).toBe(0);
  });

  test('need a permission for each part', async () => {
    const clerk = await lab.signIn(
      await lab.makePerson(subscriberId, 'clerk@example.com', ['settings.view', 'settings.general.manage']),
    );
    const before = await settings();
    expect((await save({ ...before, culture: 'it-IT' }, clerk)).result.culture).toBe('it-IT');
    for (const change of [
      { userSettings: { ...before.userSettings, enableUserLockout: false } },
      { passwordSettings: { ...before.passwordSettings, requireDigit: false } },
      { smtpSettings: { ...before.smtpSettings, host: 'x.example.com' } },
      { archivingSettings: { ...before.archivingSettings, enabled: true } },
    ])
      expect(codes(await save({ ...(await settings()), ...change }, clerk))).toEqual(['access.denied']);
  });

  test('of passwords apply to the next password', async () => {
    await save({
      ...(await settings()),
      passwordSettings: { ...(await settings()).passwordSettings, useDefaultSettings: false, requiredLength: 20 },
    });
    const made = await lab.call('POST', '/users', {
      as: ana,
      body: { firstName: 'A', email: 'short@example.com', password: 'Sh0rt!aaa' },
    });
    expect(codes(made)).toEqual(['password.tooShort']);
    expect(made.envelope.errors[0]?.params).toEqual({ min: 20 });
  });

  test('connections are tested, but not to private addresses', async () => {
    const { smtpSettings } = await settings();
    for (const host of ['127.0.0.1', 'localhost', '169.254.169.254', '[::ffff:127.0.0.1]', '2130706433']) {
      const tried = await lab.call('POST', '/SystemSettings/testSmtpConnection', {
        as: ana,
        body: { ...smtpSettings, host, port: 25 },
      });
      expect([tried.statusCode, tried.envelope.errors[0]?.message]).toEqual([502, 'Connection failed!']);
    }
    const archive = { accessKey: 'a', bucketName: 'b@evil.example/', region: 'x', secretKey: 's' };
    const refused = await lab.call('POST', '/SystemSettings/testAchiveConnection', { as: ana, body: archive });
    expect(refused.envelope.errors).toMatchObject([
      { message: 'Unable to connect with your config.', params: { stage: 'setUp' } },
    ]);
  });
});

test('secrets cannot be moved to another row, and open only with their key', async () => {
  const other = await openInstanceKeys({ dataDir: '', secretKey: 'another key of at least 32 characters' });
  await lab.deps.db.withSubscriber({ subscriberId }, async (tx) => {
    const keep = (text: string) => keepSecret(tx, lab.deps.keys, { subscriberId, purpose: 'test', text });
    const [one, two] = [await keep('one'), await keep('two')];
    const reveal = (id: string, keys = lab.deps.keys) => revealSecret(tx, keys, { subscriberId, id, purpose: 'test' });
    expect(await reveal(one)).toBe('one');
    await tx.$executeRaw`update secrets a set ciphertext = b.ciphertext, nonce = b.nonce, wrapped_dek = b.wrapped_dek from secrets b where a.id = ${one} and b.id = ${two}`;
    await expect(reveal(one)).rejects.toThrow();
    await expect(reveal(two, other)).rejects.toThrow();
    await tx.secret.deleteMany();
  });
});

describe('answers', () => {
  test('are in the language of the reader', async () => {
    const said = new Set<string>();
    for (const locale of locales) {
      const answer = await lab.call('GET', '/nothing-here', { headers: { 'accept-language': locale } });
      expect(answer.statusCode).toBe(404);
      said.add(answer.envelope.errors[0]?.message ?? '');
    }
    expect(said.size).toBe(locales.length);
    await lab.call('PUT', '/me', { as: ana, body: { firstName: 'Ana', lastName: 'B', phone: '', locale: 'it-IT' } });
    const missing = await lab.call('GET', '/sessions/ses_none', { as: ana, headers: { 'accept-language': 'fr' } });
    const italian = await lab.call('GET', '/nothing-here', { headers: { 'accept-language': 'it' } });
    expect(missing.envelope.errors[0]?.message).toBe(italian.envelope.errors[0]?.message);
    await lab.call('PUT', '/me', { as: ana, body: { firstName: 'Ana', lastName: 'B', phone: '', locale: 'en' } });
  });

  test('name every field that does not fit', async () => {
    const answer = await lab.call('POST', '/users', {
      as: ana,
      body: { email: 'nobody', roleIds: 'x', firstName: '' },
    });
    expect(answer.statusCode).toBe(400);
    expect(answer.envelope.errors.map(({ code, field }) => `${field} ${code}`).sort()).toEqual([
      'email value.email',
      'firstName value.required',
      'roleIds value.invalid',
    ]);
    expect(answer.envelope.errors.every(({ message }) => message.length > 5)).toBe(true);
  });

  test.each([
    ['broken JSON', '{"a":', 'application/json', 400, 'request.invalid'],
    ['poisoned JSON', '{"__proto__":{"isAdmin":true}}', 'application/json', 400, 'request.invalid'],
    ['a constructor', '{"constructor":{"prototype":{}}}', 'application/json', 400, 'request.invalid'],
    ['text', 'hello', 'text/plain', 415, 'request.notJson'],
    ['XML', '<a/>', 'application/xml', 415, 'request.notJson'],
    ['a form', 'a=b', 'application/x-www-form-urlencoded', 415, 'request.notJson'],
    ['two megabytes', `{"name":"${'x'.repeat(2_000_000)}"}`, 'application/json', 413, 'request.tooLarge'],
    ['an object for a string', '{"email":{"contains":""},"password":"x"}', 'application/json', 400, 'value.invalid'],
  ])('refuse %s in the envelope', async (_name, body, type, status, code) => {
    const answer = await lab.call('POST', '/TokenAuth/login', { body, headers: { 'content-type': type } });
    expect([answer.statusCode, codes(answer)[0]]).toEqual([status, code]);
    expect(answer.envelope.result).toBeNull();
  });

  test('to an unexpected error hold the id of the request and nothing else', async () => {
    const { storage } = lab.deps;
    const room = storage.room;
    storage.room = () => Promise.reject(new Error('secret detail /var/lib'));
    const answer = await lab.call('GET', '/SystemSettings/storage-metrics', { as: ana });
    storage.room = room;
    expect(answer.statusCode).toBe(500);
    expect(codes(answer)).toEqual(['internal.unexpected']);
    expect(answer.body).toContain(String(answer.headers['x-request-id']));
    expect(answer.body).not.toMatch(/secret detail|at |\.ts/);
  });

  test('carry the security headers', async () => {
    const { headers } = await lab.call('GET', '/app-info');
    const policy = String(headers['content-security-policy']);
    for (const directive of [
      "default-src 'self'",
      "script-src 'self'",
      "frame-ancestors 'none'",
      "object-src 'none'",
      "base-uri 'none'",
      "worker-src 'self'",
    ])
      expect(policy).toContain(directive);
    expect(policy).not.toMatch(/unsafe-eval|https?:/);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    });
    expect(headers['strict-transport-security']).toBeUndefined(); // plain http here
  });

  test('name where browsers report violations of the policy, which are counted', async () => {
    expect(String((await lab.call('GET', '/app-info')).headers['content-security-policy'])).toContain(
      'report-uri /api/csp-reports',
    );
    const count = async () => JSON.parse((await lab.call('GET', '/healthz/ready')).body).cspReports as number;
    const before = await count();
    const report = { 'csp-report': { 'violated-directive': 'script-src', 'blocked-uri': 'https://evil.example' } };
    const headers = { 'content-type': 'application/csp-report' };
    expect((await lab.call('POST', '/csp-reports', { body: JSON.stringify(report), headers })).statusCode).toBe(204);
    expect(await count()).toBe(before + 1);
  });

  test('allow pages of the named origins, with a token and never with a cookie, and no others', async () => {
    const from = (origin: string, headers: Record<string, string> = {}) =>
      lab.app.inject({ method: 'OPTIONS', url: '/api/sessions', headers: { origin, ...headers } });
    const asked = await from('https://shop.example.com', { 'access-control-request-method': 'POST' });
    expect(asked.statusCode).toBe(204);
    expect(asked.headers).toMatchObject({ 'access-control-allow-origin': 'https://shop.example.com', vary: 'Origin' });
    expect(String(asked.headers['access-control-allow-headers'])).toContain('Idempotency-Key');
    expect(asked.headers['access-control-allow-credentials']).toBeUndefined();
    const other = await from('https://shop.example.com.evil.example', { 'access-control-request-method': 'POST' });
    expect(other.statusCode).toBe(404);
    expect(Object.keys(other.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    const plain = await from('https://shop.example.com');
    expect(plain.statusCode).toBe(404);
    const got = await lab.call('GET', '/app-info', { headers: { origin: 'https://shop.example.com' } });
    expect(got.headers).toMatchObject({
      'access-control-allow-origin': 'https://shop.example.com',
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect(String(got.headers['access-control-expose-headers'])).toContain('Retry-After');
    const page = await lab.app.inject({ url: '/', headers: { origin: 'https://shop.example.com' } });
    expect(page.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('show messages that could not be delivered to those who may send them again', async () => {
    await lab.deps.db.withSubscriber({ subscriberId }, (tx) =>
      tx.effect.create({
        data: {
          id: newId('effect'),
          key: 'mail test',
          kind: 'mail',
          state: 'Dead',
          attempt: 3,
          lastError: '550 no such mailbox',
          payload: { template: 'reset', to: 'bo@example.com', name: 'Bo', locale: 'en', params: {} },
        },
      }),
    );
    const list = () => lab.call<{ id: string; isDead: boolean }[]>('GET', '/mails', { as: ana });
    const [dead] = (await list()).result;
    expect(dead).toMatchObject({ to: 'bo@example.com', isDead: true, attempts: 3, lastError: '550 no such mailbox' });
    const retry = () => lab.call('POST', `/mails/${dead?.id}/retry`, { as: ana });
    expect((await retry()).statusCode).toBe(200);
    expect((await list()).result).toMatchObject([{ isDead: false }]);
    expect((await retry()).statusCode).toBe(404);
  });

  test('limit how often', async () => {
    const strict = await startLab({ limitFactor: 1 });
    try {
      const statuses: number[] = [];
      for (let round = 0; round < 22; round += 1) {
        const answer = await strict.call('POST', '/TokenAuth/login', {
          body: { email: 'a@example.com', password: 'x' },
        });
        statuses.push(answer.statusCode);
        if (answer.statusCode === 429) expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      }
      expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(1);
    } finally {
      await strict.stop();
    }
  });
});

describe('workflows and profiles', () => {
  const make = async (name: string, template?: string) =>
    (await lab.call<Workflow>('POST', '/workflows', { as: ana, body: { name, ...(template ? { template } : {}) } }))
      .result;

  test('a draft is saved by revision, published when it breaks no rule, and not changed afterwards', async () => {
    const workflow = await make('Cards', 'check');
    expect(workflow.issues).toEqual([]);
    const steps = workflow.draft.steps.map((step) => (step.kind === 'Preflight' ? { ...step, settings: {} } : step));
    const faulty = { name: 'Cards', draft: { ...workflow.draft, steps }, draftRevision: workflow.draftRevision };
    const bare = (await lab.call<Workflow>('PUT', `/workflows/${workflow.id}`, { as: ana, body: faulty })).result;
    expect(bare.issues.map(({ code }) => code)).toEqual(['workflow.profileMissing']);
    expect(bare.issues[0]?.message).toBe('You must select a profile for all the preflight and fix steps');
    const refused = await lab.call('POST', `/workflows/${workflow.id}/publish`, { as: ana });
    expect([refused.statusCode, codes(refused)[0]]).toEqual([422, 'workflow.invalid']);
    const profileId = workflow.draft.steps.find(({ kind }) => kind === 'Preflight')?.settings.profileId;
    const body = { name: 'Cards', draft: workflow.draft, draftRevision: bare.draftRevision };
    const saved = (await lab.call<Workflow>('PUT', `/workflows/${workflow.id}`, { as: ana, body })).result;
    expect(saved.issues).toEqual([]);
    expect((await lab.call('PUT', `/workflows/${workflow.id}`, { as: ana, body })).statusCode).toBe(409);
    const published = (await lab.call<Workflow>('POST', `/workflows/${workflow.id}/publish`, { as: ana })).result;
    expect(published).toMatchObject({ publishedVersion: 1, hasUnpublishedChanges: false });
    expect(codes(await lab.call('DELETE', `/profiles/preflight/${profileId}`, { as: ana }))).toEqual([
      'resource.inUse',
    ]);
    expect((await lab.call<unknown[]>('GET', `/workflows/${workflow.id}/versions`, { as: ana })).result).toHaveLength(
      1,
    );
    expect(
      codes(await lab.call('POST', `/workflows/${workflow.id}/copy`, { as: ana, body: { name: 'cards' } })),
    ).toEqual(['resource.nameTaken']);
  });

  test('is exported and imported elsewhere with its profiles', async () => {
    const [sample] = (await lab.call<{ items: { id: string }[] }>('GET', '/workflows?search=Sample', { as: ana }))
      .result.items;
    const document = (await lab.call<object>('GET', `/workflows/${sample?.id}/export`, { as: ana })).result;
    const there = await lab.signIn(
      await lab.makeAdministrator(await lab.makeSubscriber('Elsewhere'), 'elsewhere@example.com'),
    );
    const taken = (await lab.call<Workflow>('POST', '/workflows/import', { as: there, body: document })).result;
    expect(taken.issues).toEqual([]);
    expect(
      (await lab.call<Workflow>('POST', `/workflows/${taken.id}/publish`, { as: there })).result.publishedVersion,
    ).toBe(1);
    const again = await lab.call<{ name: string }>('POST', '/workflows/import', { as: there, body: document });
    expect(again.result.name).toMatch(/\S \(2\)$/);
  });

  test('profile settings are read by their schema, field by field', async () => {
    const create = (settings: object, extra: object = {}) =>
      lab.call('POST', '/profiles/preflight', { as: ana, body: { name: `P${Math.random()}`, settings, ...extra } });
    expect((await create({}, { presetKey: 'standard' })).statusCode).toBe(201);
    const wrong = await create({ scaleFactor: -1, checks: [{ key: 'Nope' }] });
    expect([wrong.statusCode, codes(wrong)[0]]).toEqual([422, 'profile.invalid']);
    expect(wrong.envelope.errors.some(({ field }) => field === 'settings.scaleFactor')).toBe(true);
  });

  test('profiles start from presets with names in the reader’s language, fixes take lengths as people write them, and say in the reader’s language what is wrong where', async () => {
    const speak = (locale: string) =>
      lab.call('PUT', '/me', { as: ana, body: { firstName: 'Ana', lastName: 'B', phone: '', locale } });
    await speak('fr');
    const presets = (await lab.call<{ key: string; name: string }[]>('GET', '/profiles/fix-presets', { as: ana }))
      .result;
    expect(presets).toContainEqual(expect.objectContaining({ key: 'bleed-3mm', name: 'Ajouter 3 mm de fond perdu' }));
    type Copied = { basePreset: { key: string; name: string; differences: number } | null };
    const flyer = { name: `P${Math.random()}`, settings: {}, presetKey: 'business-card-flyer' };
    const copied = (await lab.call<Copied>('POST', '/profiles/preflight', { as: ana, body: flyer })).result;
    const named = { key: 'business-card-flyer', name: 'Carte de visite ou flyer' };
    expect(copied.basePreset).toMatchObject({ ...named, differences: 0 });
    const start = (await lab.call<object[]>('GET', '/profiles/preflight-presets', { as: ana })).result;
    expect(start).toContainEqual(expect.objectContaining(named));
    const create = (settings: object, extra: object = {}) =>
      lab.call<{ settings: { actions: { key: string; settings: { amount: { left: number } } }[] } }>(
        'POST',
        '/profiles/fix',
        { as: ana, body: { name: `F${Math.random()}`, settings, ...extra } },
      );
    const made = (await create({}, { presetKey: 'bleed-3mm' })).result;
    expect(made.settings.actions.map(({ key }) => key)).toEqual(['SetPageBoxes', 'AddBleeds']);
    const inches = { actions: [{ key: 'AddBleeds', settings: { amount: '0.125in' } }] };
    expect((await create(inches)).result.settings.actions[0]?.settings.amount.left).toBe(9);
    const wrong = await create({
      variables: { 'AddBleeds.dpi': 'resolution *' },
      actions: [{ key: 'AddBleeds', pages: '1-x', when: 'quantity >=', settings: { amount: 'wide' } }],
    });
    const said = Object.fromEntries(wrong.envelope.errors.slice(1).map(({ field, message }) => [field, message]));
    expect(wrong.statusCode).toBe(422);
    expect(said).toMatchObject({
      'settings.actions.0.pages': expect.stringMatching(/^Écrivez les pages/),
      'settings.actions.0.when.expression': expect.stringMatching(/^Écrivez une condition/),
      'settings.actions.0.settings.amount.left': expect.any(String),
      'settings.variables.AddBleeds.dpi': expect.stringMatching(/^Écrivez une variable/),
    });
    await speak('en');
  });
});

test('the health check names what fails', async () => {
  expect((await lab.call('GET', '/healthz/live')).statusCode).toBe(200);
  const ready = await lab.call('GET', '/healthz/ready');
  // How the children are isolated that open PDFs, and what that leaves open.
  expect(JSON.parse(ready.body).isolation).toEqual(demandIsolation('timer'));
  expect(JSON.parse(ready.body)).toMatchObject({ status: 'ready', failing: [], schema: 'current' });
});

test('queries hold arrays in brackets and nested keys with dots', async () => {
  expect(readQuery('a[]=1&a[]=2&b=3&c[0]=4')).toEqual({ a: ['1', '2'], b: '3', c: ['4'] });
  for (const poison of ['__proto__[x]=1', 'a.constructor=1']) expect(Object.keys(readQuery(poison))).toEqual([]);
  expect((await lab.call('GET', '/me?a.constructor=1', { as: ana })).statusCode).toBe(400);
});
