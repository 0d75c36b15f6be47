import { type Permission, permissions, type Route, routes, workflowDefinitionSchema } from '@pdf2press/contract';
import { receiveFile, startWorkflowTrial } from '@pdf2press/engine';
import { newId } from '@pdf2press/prisma';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routeTable } from './frame/bind.ts';
import { seedSamples } from './setup/seed-samples.ts';
import { type Answer, type Lab, type SignedIn, startLab } from './testing/lab.ts';

/** Every route by every kind of caller: each is refused where it must be, and no subscriber reaches another's data. */
let lab: Lab;
let owner: SignedIn;
let stranger: SignedIn;
let nobody: SignedIn;
let revoked: SignedIn;
const viewing = permissions.filter((name) => name.endsWith('.view'));
let viewer: SignedIn;
/** Ids of the owner's objects, by the noun of their route. */
const ids: Record<string, string> = {};

const canary = 'CANARY';

const named = Object.entries(routes).flatMap(([noun, table]) =>
  Object.entries(table).map(([name, route]): { name: string; noun: string; route: Route } => ({
    name: `${noun}.${name}`,
    noun,
    route,
  })),
);

const passkeyAnswer = { id: 'x', rawId: 'x', type: 'public-key', response: {} };

/** For each route with a body, one that its schema accepts. */
const bodies: Record<string, () => unknown> = {
  'host.create': () => ({
    name: newId('subscriber'),
    administrator: { firstName: 'A', email: `${newId('user')}@example.com` },
  }),
  'host.update': () => ({ name: newId('subscriber') }),
  'feedback.send': () => ({ text: 'A word' }),
  'auth.updateMe': () => ({ firstName: 'A', lastName: 'B', phone: '', locale: 'en' }),
  'auth.changePassword': () => ({ currentPassword: 'x', password: 'x', passwordConfirmation: 'x' }),
  'apiKeys.create': () => ({ name: `key ${newId('apiKey')}`, permissions: ['sessions.view'] }),
  'embedTokens.create': () => ({
    name: newId('embedToken'),
    permissions: ['sessions.view'],
    origins: ['https://shop.example'],
  }),
  'embedTokens.exchange': () => ({ token: 'p2e_nonsense' }),
  'discussion.comment': () => ({ text: 'Please look', mentions: [] }),
  'discussion.assign': () => ({ assigneeId: null }),
  'sessionViews.save': () => ({
    name: newId('sessionView'),
    question: 'status=Failed',
  }),
  'sessions.unlock': () => ({ password: 'x' }),
  'sessions.reroute': () => ({ workflowId: ids.workflows }),
  'sessions.overwriteVariables': () => ({ variables: {} }),
  'persons.find': () => ({ email: 'nobody@example.com' }),
  'persons.export': () => ({ email: 'nobody@example.com' }),
  'persons.erase': () => ({ email: 'nobody@example.com' }),
  'users.import': () => ({ csv: 'name,email\nA,a@example.com\n' }),
  'users.create': () => ({ firstName: 'A', email: `${newId('user')}@example.com`, sendActivationEmail: false }),
  'users.update': () => ({ firstName: 'A', email: `${newId('user')}@example.com` }),
  'roles.create': () => ({ name: newId('role'), permissions: [] }),
  'roles.update': () => ({ name: newId('role'), permissions: [] }),
  'organizations.create': () => ({ name: newId('organization') }),
  'organizations.update': () => ({ name: newId('organization') }),
  'webhooks.create': () => ({ name: 'Hook', url: 'https://mis.example.com/', events: ['Failed'] }),
  'webhooks.update': () => ({ name: 'Hook', url: 'https://mis.example.com/', events: ['Failed'] }),
  'workflows.create': () => ({ name: newId('workflow') }),
  'workflows.saveDraft': () => ({ name: newId('workflow'), draft: {}, draftRevision: 0 }),
  'workflows.validate': () => ({ definition: {} }),
  'workflows.keepSecret': () => ({ text: 'long enough' }),
  'workflows.setEnabled': () => ({ isEnabled: true }),
  'workflows.assign': () => ({ organizationId: null }),
  'workflows.copy': () => ({ name: newId('workflow') }),
  'workflows.import': () => ({
    format: 'pdf2press-workflow',
    formatVersion: 1,
    name: newId('workflow'),
    definition: {},
  }),
  'proofs.addRecipient': () => ({ email: 'new@example.com' }),
  'proofs.extend': () => ({ hours: 1 }),
  'proofs.decide': () => ({ decision: 'Approved', reason: 'by telephone' }),
  'proofs.answerNote': () => ({ key: 'one click', text: 'x', answersId: 'pnt_none' }),
  'proofs.addPrivateNote': () => ({ key: 'one click', text: 'x' }),
  'proofs.markNote': () => ({ isToDo: true }),
  'proofs.resolveNote': () => ({ isResolved: true }),
  'clientProofs.addNote': () => ({ key: 'one click', text: 'x' }),
  'clientProofs.enterCode': () => ({ code: '402817' }),
  'clientProofs.deciding': () => ({ isDeciding: true }),
  'clientProofs.decide': () => ({ key: 'one click', decision: 'Approved', sha256: 'x' }),
  'arrivals.retry': () => ({ id: 'email nothing' }),
  'uploadPages.check': () => ({ workflowId: ids.workflows, files: [ids.uploads] }),
  'uploadPages.send': () => ({ workflowId: ids.workflows, files: [ids.uploads], name: 'A', email: 'a@example.com' }),
  'sessions.createMany': () => ({ items: [{ workflowId: ids.workflows, fileUrl: 'https://shop.example.com/a.pdf' }] }),
  'sessions.bulk': () => ({ action: 'restart', ids: [ids.sessions] }),
  'retention.act': () => ({ action: 'hold', ids: [ids.sessions] }),
  'system.saveSettings': () => ({ id: '', subscriberId: '' }),
  'system.muteNotices': () => ({ muted: [] }),
  'system.testArchiving': () => ({}),
  'archiving.test': () => ({}),
  'system.testMail': () => ({}),
  'passkeys.signInOptions': () => ({ challenge: 'x' }),
  'passkeys.signIn': () => ({ challenge: 'x', answer: passkeyAnswer }),
  'passkeys.begin': () => ({ password: 'x' }),
  'passkeys.add': () => ({ token: 'x', name: 'x', answer: passkeyAnswer }),
  'passkeys.rename': () => ({ name: 'x' }),
  'passkeys.remove': () => ({ password: 'x' }),
  'secondFactors.signIn': () => ({ challenge: 'x', code: '123456' }),
  'secondFactors.begin': () => ({ password: 'x' }),
  'secondFactors.confirm': () => ({ code: '123456' }),
  'secondFactors.renewCodes': () => ({ password: 'x', code: '123456' }),
  'secondFactors.switchOff': () => ({ password: 'x', code: '123456' }),
  'singleSignOn.finish': () => ({ state: 'x', code: 'x' }),
  'singleSignOn.test': () => ({ issuer: 'http://127.0.0.1' }),
  'auth.login': () => ({ email: 'nobody@example.com', password: 'x' }),
  'auth.forgotPassword': () => ({ email: 'nobody@example.com' }),
  'auth.resetPassword': () => ({ token: 'x', password: 'x', passwordConfirmation: 'x' }),
  'auth.setup': () => ({
    token: 'x',
    firstName: 'A',
    email: 'a@example.com',
    password: 'x',
    passwordConfirmation: 'x',
  }),
};
const profileBody = (name: string) => () => ({
  name: newId('profile'),
  settings: {},
  ...(name === 'update' ? { version: 1 } : {}),
});
for (const noun of [
  'preflightProfiles',
  'fixProfiles',
  'imposeProfiles',
  'cloudStorages',
  'proofingProfiles',
  'renamingProfiles',
  'communicationProfiles',
  'retentionProfiles',
  'archivingProfiles',
])
  for (const name of ['create', 'update']) bodies[`${noun}.${name}`] = profileBody(name);
for (const name of ['preview', 'test'])
  bodies[`communicationProfiles.${name}`] = () => ({ settings: {}, event: 'Received', locale: 'en' });
const hook = { format: 'slack', secretId: 'sec_x' };
bodies['communicationProfiles.keepHook'] = () => ({ text: 'https://hooks.example.com/services/x' });
bodies['communicationProfiles.testHook'] = () => ({ settings: {}, event: 'Received', locale: 'en', hook });
bodies['communicationProfiles.keepSigningSecret'] = () => ({ text: 'sixteen letters!' });
bodies['communicationProfiles.testWebhook'] = () => ({ settings: {}, event: 'Received', locale: 'en', name: 'x' });
const mailbox = { host: 'imap.example.com', username: 'a', password: 'b', workflowId: 'c' };
for (const name of ['create', 'update'])
  bodies[`mailboxes.${name}`] = () => ({ ...profileBody(name)(), settings: mailbox });
const target = { kind: 'folder', path: 'press' };
const sftpServer = {
  ...{ host: 'files.example.com', username: 'a', password: 'b', hostKey: `SHA256:${'A'.repeat(43)}` },
};
for (const name of ['create', 'update'])
  bodies[`deliveryTargets.${name}`] = () => ({ ...profileBody(name)(), settings: target });
for (const name of ['create', 'update'])
  bodies[`sftpServers.${name}`] = () => ({ ...profileBody(name)(), settings: sftpServer });
bodies['cloudStorages.connect'] = () => ({});
bodies['cloudStorages.callback'] = () => ({ state: 'of-nobody', code: 'x' });
bodies['cloudStorages.test'] = () => ({ settings: {} });
bodies['deliveryTargets.test'] = () => ({ settings: target });
bodies['sftpServers.test'] = () => ({ settings: { ...sftpServer, host: '127.0.0.1' } });
bodies['mailboxes.test'] = () => ({ settings: { ...mailbox, host: '127.0.0.1' } });

const values: Record<string, string> = {
  version: '1',
  logo: 'nobody.nothing.signed',
  page: '1',
  layer: 'rgb',
  dpi: '72',
  tile: '0_0.webp',
  format: 'Pdf',
};
function urlOf(route: Route, noun: string, id: string): string {
  const isPage = route.path.includes('/:page/:version');
  return route.path.replace(/:(\w+)/g, (_, name: string) => {
    if (name === 'id') return encodeURIComponent(id);
    if (name === 'fileId') return encodeURIComponent(ids.file ?? '');
    if (name === 'version' && isPage) return 'original';
    return values[name] ?? noun;
  });
}

const send = (
  { name, noun, route }: (typeof named)[number],
  as: { token: string } | undefined,
  id = ids[noun] ?? 'x',
): Promise<Answer<unknown>> =>
  lab.call(route.method, urlOf(route, noun, id), {
    as,
    ...(bodies[name] ? { body: bodies[name]?.() } : route.body ? { body: {} } : {}),
    headers:
      route.wire === 'tus'
        ? {
            'tus-resumable': '1.0.0',
            'upload-length': '10',
            'upload-offset': '0',
            'content-type': 'application/offset+octet-stream',
          }
        : {},
  });

/** The event stream never ends; sessions.test.ts tests its access. */
const ending = named.filter(({ name }) => name !== 'sessions.live');
/** Of the installation's administrators: host.test.ts tests what they answer to them. */
const isHosts = ({ route }: { route: Route }) => route.access.kind === 'host';
const harmless = ending.filter(
  (each) => !['auth.logout', 'auth.revokeMySession'].includes(each.name) && !isHosts(each),
);

beforeAll(async () => {
  lab = await startLab({ limitFactor: 10_000 });
  const home = await lab.makeSubscriber(`${canary} Print`);
  const away = await lab.makeSubscriber('Other Print');
  owner = await lab.signIn(await lab.makeAdministrator(home, 'owner-canary@example.com'));
  stranger = await lab.signIn(await lab.makeAdministrator(away, 'stranger@example.com'));
  nobody = await lab.signIn(await lab.makePerson(home, 'nobody@canary.example', []));
  viewer = await lab.signIn(await lab.makePerson(home, 'viewer@canary.example', viewing));
  const gone = await lab.makeAdministrator(home, 'gone@canary.example');
  revoked = await lab.signIn(gone);
  await lab.call('POST', '/TokenAuth/logout', { as: revoked });

  await seedSamples(lab.deps, { subscriberId: home, userId: owner.id, name: canary });
  const made = await lab.deps.db.withSubscriber({ subscriberId: home }, async (tx) => {
    await tx.workflow.updateMany({ data: { name: `${canary} workflow` } });
    await tx.profile.updateMany({ data: { name: `${canary} profile` } });
    const notification = newId('notification');
    await tx.notification.create({ data: { id: notification, kind: canary, userId: owner.id } });
    return {
      workflow: await tx.workflow.findFirstOrThrow(),
      profile: await tx.profile.findFirstOrThrow(),
      role: await tx.role.findFirstOrThrow({ where: { isStatic: false } }),
      notification,
    };
  });
  const { sessionId } = await receiveFile(lab.deps.engine, {
    context: { subscriberId: home },
    workflowId: made.workflow.id,
    source: 'ManualInjected',
    fileName: `${canary}.pdf`,
    bytes: (async function* once() {
      yield Buffer.from(`%PDF-1.4 ${canary}`);
    })(),
    createdBy: { kind: 'system', name: '' },
    ingest: { kind: 'api' },
  });
  const file = await lab.deps.db.withSubscriber({ subscriberId: home }, (tx) =>
    tx.file.findFirstOrThrow({ where: { sessionId } }),
  );
  const trial = await startWorkflowTrial(lab.deps.engine, {
    context: { subscriberId: home },
    workflowId: made.workflow.id,
    name: canary,
    draft: workflowDefinitionSchema.parse(made.workflow.draft),
    answers: {},
    file: { ...file, size: Number(file.size) },
    sessionIds: [],
    last: 0,
    createdBy: { kind: 'system', name: '' },
  });
  const key = await lab.call<{ id: string }>('POST', '/api-keys', {
    as: owner,
    body: { name: canary, permissions: ['sessions.view'] },
  });
  const embedToken = await lab.call<{ id: string }>('POST', '/embed-tokens', {
    as: owner,
    body: { name: canary, permissions: ['sessions.view'], origins: ['https://shop.example'] },
  });
  const view = await lab.call<{ id: string }>('POST', '/session-views', {
    as: owner,
    body: { name: canary, question: 'status=Failed' },
  });
  const organization = await lab.call<{ id: string }>('POST', '/organizations', {
    as: owner,
    body: { name: canary },
  });
  const inbox = await lab.call<{ id: string }>('POST', '/profiles/inboundEmail', {
    as: owner,
    body: { name: canary, settings: mailbox },
  });
  const cloud = await lab.call<{ id: string }>('POST', '/profiles/cloudStorage', {
    as: owner,
    body: { name: canary, settings: {} },
  });
  const shelves = await lab.call<{ id: string }>('POST', '/profiles/sftpServer', {
    as: owner,
    body: { name: canary, settings: sftpServer },
  });
  const press = await lab.call<{ id: string }>('POST', '/profiles/delivery', {
    as: owner,
    body: { name: canary, settings: target },
  });
  await lab.deps.db.withSubscriber({ subscriberId: home }, (tx) =>
    tx.effect.create({
      data: {
        id: newId('effect'),
        key: canary,
        kind: 'delivery',
        sessionId,
        state: 'Done',
        payload: {
          targetId: press.result.id,
          file: { id: file.id, sha256: file.sha256, size: 1, mediaType: file.mediaType },
          folder: [canary],
          name: canary,
          collision: 'number',
          runNo: 1,
          maxTries: null,
        },
      },
    }),
  );
  const upload = await lab.call('POST', '/uploads', {
    as: owner,
    headers: {
      'tus-resumable': '1.0.0',
      'upload-length': '10',
      'upload-metadata': `filename ${Buffer.from(canary).toString('base64')},workflowId ${Buffer.from(made.workflow.id).toString('base64')}`,
    },
  });
  const font = newId('font');
  const facts = {
    ...{ postScriptName: canary, family: canary, style: 'Bold', fullName: canary, kind: 'TrueType', glyphCount: 1 },
    ...{ embedding: 'Installable', isSubsettingForbidden: false, isBitmapOnly: false, mayEmbed: true },
  };
  const { postScriptName, family, style, fullName } = facts;
  const named = { postScriptName, family, style, fullName, fileName: canary, createdBy: canary };
  await lab.deps.db.withSubscriber({ subscriberId: home }, (tx) =>
    tx.font.create({ data: { id: font, sha256: file.sha256, size: file.size, facts, ...named } }),
  );
  const webhook = await lab.call<{ id: string }>('POST', '/webhooks', {
    as: owner,
    body: { name: canary, url: 'https://mis.example.com/', events: ['Failed'] },
  });
  Object.assign(ids, {
    fonts: font,
    webhooks: webhook.result.id,
    auth: (await lab.call<{ id: string }[]>('GET', '/me/sessions', { as: owner })).result[0]?.id,
    apiKeys: key.result.id,
    embedTokens: embedToken.result.id,
    organizations: organization.result.id,
    users: owner.id,
    roles: made.role.id,
    workflows: made.workflow.id,
    preflightProfiles: made.profile.id,
    fixProfiles: made.profile.id,
    imposeProfiles: made.profile.id,
    proofingProfiles: made.profile.id,
    renamingProfiles: made.profile.id,
    communicationProfiles: made.profile.id,
    retentionProfiles: made.profile.id,
    mailboxes: inbox.result.id,
    cloudStorages: cloud.result.id,
    deliveryTargets: press.result.id,
    sftpServers: shelves.result.id,
    deliveries: sessionId,
    sessions: sessionId,
    discussion: sessionId,
    sessionMessages: sessionId,
    sessionViews: view.result.id,
    proofs: sessionId,
    trials: trial.id,
    uploads: String(upload.headers.location).split('/').at(-1),
    system: made.notification,
    file: file.id,
  });
});
afterAll(() => lab.stop());

test('each route of the contract is bound once', () => {
  expect(named).toHaveLength(routeTable.length);
  for (const { route } of named)
    expect(lab.app.hasRoute({ method: route.method, url: `/api${route.path}` })).toBe(true);
});

describe.each([
  ['nobody signed in', (): undefined => undefined],
  ['a revoked token', (): { token: string } => revoked],
  ['a forged token', (): { token: string } => ({ token: `${owner.token.slice(0, -3)}AAA` })],
  ['a key that does not exist', () => ({ token: 'p2p_nonsense' })],
] as const)('%s', (_name, who) => {
  test.each(ending.filter(({ route }) => route.access.kind !== 'public').map((each) => [each.name, each] as const))(
    '%s answers 401',
    async (_route, each) => {
      const answer = await send(each, who());
      expect(answer.statusCode).toBe(401);
      expect(answer.envelope).toMatchObject({ success: false, result: null, errors: [{ code: 'auth.tokenInvalid' }] });
    },
  );
});

describe('somebody without any permission', () => {
  test.each(ending.filter(({ route }) => route.access.kind === 'permission').map((each) => [each.name, each] as const))(
    '%s answers 403',
    async (_route, each) => {
      const answer = await send(each, nobody);
      expect(answer.statusCode).toBe(403);
      expect(answer.envelope.errors[0]?.code).toBe('access.denied');
    },
  );
});

describe('an administrator of a subscriber, who has every permission of it', () => {
  test.each(ending.filter(isHosts).map((each) => [each.name, each] as const))(
    '%s of the installation answers 403',
    async (_route, each) => {
      const answer = await send(each, owner);
      expect([answer.statusCode, answer.envelope.errors[0]?.code]).toEqual([403, 'access.denied']);
    },
  );
});

describe('a viewer', () => {
  // These look at the session: they need the permission of the action, or to be who its hold waits for.
  const asks = new Set(
    ['bulk', 'continue', 'cancel', 'replaceFile', 'reroute', 'unlock'].map((name) => `sessions.${name}`),
  );
  const mayView = ({ access }: Route) =>
    access.kind === 'permission' && access.anyOf.some((name) => viewing.includes(name));
  test.each(ending.filter(({ route }) => route.access.kind === 'permission').map((each) => [each.name, each] as const))(
    '%s is open to viewing only',
    async (_route, each) => {
      const { statusCode } = await send(each, viewer);
      if (mayView(each.route) && !asks.has(each.name)) expect([401, 403]).not.toContain(statusCode);
      else expect(statusCode).toBe(403);
    },
  );
});

describe('the administrator of another subscriber', () => {
  const isUnknown = (answer: Answer<unknown>): void => {
    expect(answer.statusCode).toBe(404);
  };
  const withId = harmless.filter(({ route, noun }) => route.path.includes(':') && noun !== 'auth');

  test.each(withId.map((each) => [each.name, each] as const))(
    '%s answers the owner’s id like an unknown one',
    async (_route, each) => {
      const foreign = await send(each, stranger);
      isUnknown(foreign);
      const unknown = await send(each, stranger, `${(ids[each.noun] ?? '').slice(0, -4)}ffff`);
      isUnknown(unknown);
      expect(foreign.body.replaceAll(ids[each.noun] ?? '', '')).toBe(unknown.body);
    },
  );

  test('sees nothing of the owner on any route', async () => {
    for (const each of harmless.filter(({ route }) => route.method === 'GET')) {
      const { body, headers } = await send(each, stranger);
      const seen = `${body}${JSON.stringify(headers)}`;
      expect(seen, each.name).not.toContain(canary);
      for (const [noun, id] of Object.entries(ids))
        if (noun !== 'file' || !body.includes('resource.notFound'))
          expect(seen, `${each.name} ${noun}`).not.toContain(id);
    }
    const own = await lab.call('GET', '/sessions', { as: owner });
    expect(own.body).toContain(canary); // proves that the canary can be found at all
  });

  test('changes nothing of the owner by naming their ids inside bodies', async () => {
    const bulk = await lab.call<{ success: boolean; error: { code: string } }[]>('POST', '/sessions/bulk', {
      as: stranger,
      body: { action: 'delete', ids: [ids.sessions] },
    });
    expect(bulk.result).toMatchObject([{ success: false, error: { code: 'resource.notFound' } }]);
    const user = await lab.call('POST', '/users', {
      as: stranger,
      body: { firstName: 'X', email: 'x@example.com', roleIds: [ids.roles], sendActivationEmail: false },
    });
    expect(user.statusCode).toBe(404);
    const upload = await lab.call('POST', '/uploads', {
      as: stranger,
      headers: {
        'tus-resumable': '1.0.0',
        'upload-length': '1',
        'upload-metadata': `workflowId ${Buffer.from(ids.workflows ?? '').toString('base64')}`,
      },
    });
    expect(upload.statusCode).toBe(404);
    expect(
      (await lab.call('GET', `/subscriber/getFeatures?subscriberId=${owner.subscriberId}`, { as: stranger }))
        .statusCode,
    ).toBe(404);
    const settings = { id: '', subscriberId: owner.subscriberId, culture: 'it-IT' };
    await lab.call('PUT', '/SystemSettings', { as: stranger, body: settings });
    expect((await lab.call<{ culture: string }>('GET', '/SystemSettings', { as: owner })).result.culture).toBe('en-US');
    expect((await lab.call('GET', `/sessions/${ids.sessions}`, { as: owner })).statusCode).toBe(200);
  });
});

describe('malformed ids', () => {
  const odd = [
    '',
    'x',
    '..%2f..',
    '%00',
    "' or 1=1 --",
    '0',
    'a'.repeat(150),
    '{"contains":""}',
    'undefined',
    '\u202e',
  ];
  test.each(harmless.filter(({ route }) => route.path.includes(':id')).map((each) => [each.name, each] as const))(
    '%s',
    async (_route, each) => {
      for (const id of odd) {
        const answer = await send(each, owner, id);
        expect([400, 404], `${id} ${answer.body}`).toContain(answer.statusCode);
      }
    },
  );
});

describe('the owner', () => {
  test.each(
    harmless
      .filter(({ route }) => route.access.kind !== 'public' && route.method === 'GET')
      .map((each) => [each.name, each] as const),
  )('may read %s', async (_route, each) => {
    const answer = await send(each, owner);
    expect([401, 403, 500], answer.body).not.toContain(answer.statusCode);
  });
});

test('an API key with one permission reaches that and nothing else', async () => {
  const { key } = (
    await lab.call<{ key: string }>('POST', '/api-keys', {
      as: owner,
      body: { name: 'one', permissions: ['workflows.view'] },
    })
  ).result;
  for (const each of harmless.filter(({ route }) => route.access.kind === 'permission')) {
    const anyOf: readonly Permission[] = each.route.access.kind === 'permission' ? each.route.access.anyOf : [];
    const { statusCode } = await send(each, { token: key });
    if (anyOf.includes('workflows.view')) expect([401, 403], each.name).not.toContain(statusCode);
    else expect(statusCode, each.name).toBe(403);
  }
});
