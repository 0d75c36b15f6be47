import { type Route, routes, workflowDefinitionSchema } from '@pdf2press/contract';
import { receiveFile, startWorkflowTrial } from '@pdf2press/engine';
import { newId } from '@pdf2press/prisma';
import { seedSamples } from '../setup/seed-samples.ts';
import type { Answer, Lab, SignedIn } from './lab.ts';

/** A route of the contract with its name, as `sessions.create`. */
export interface NamedRoute {
  name: string;
  noun: string;
  route: Route;
}

/** Ids of things that somebody has, by the noun of their route. */
export type Ids = Readonly<Record<string, string | undefined>>;

/** Every route of the contract. */
export const namedRoutes: readonly NamedRoute[] = Object.entries(routes).flatMap(([noun, table]) =>
  Object.entries(table).map(
    ([name, route]): NamedRoute => ({
      name: `${noun}.${name}`,
      noun,
      route,
    }),
  ),
);

const passkeyAnswer = { id: 'x', rawId: 'x', type: 'public-key', response: {} };
const profileBody = (name: string) => () => ({
  name: newId('profile'),
  settings: {},
  ...(name === 'update' ? { version: 1 } : {}),
});
const mailbox = { host: 'imap.example.com', username: 'a', password: 'b', workflowId: 'c' };
const hook = { format: 'slack', secretId: 'sec_x' };
const target = { kind: 'folder', path: 'press' };
const sftpServer = {
  ...{ host: 'files.example.com', username: 'a', password: 'b', hostKey: `SHA256:${'A'.repeat(43)}` },
};

/** For each route with a body, one that its schema accepts; where it names things, these. */
const bodiesOf = (ids: Ids): Record<string, () => unknown> => {
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
    'sessions.createMany': () => ({
      items: [{ workflowId: ids.workflows, fileUrl: 'https://shop.example.com/a.pdf' }],
    }),
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
  bodies['communicationProfiles.keepHook'] = () => ({ text: 'https://hooks.example.com/services/x' });
  bodies['communicationProfiles.testHook'] = () => ({ settings: {}, event: 'Received', locale: 'en', hook });
  bodies['communicationProfiles.keepSigningSecret'] = () => ({ text: 'sixteen letters!' });
  bodies['communicationProfiles.testWebhook'] = () => ({ settings: {}, event: 'Received', locale: 'en', name: 'x' });
  for (const name of ['create', 'update'])
    bodies[`mailboxes.${name}`] = () => ({ ...profileBody(name)(), settings: mailbox });
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
  return bodies;
};

const values: Record<string, string> = {
  version: '1',
  logo: 'nobody.nothing.signed',
  page: '1',
  layer: 'rgb',
  dpi: '72',
  tile: '0_0.webp',
  format: 'Pdf',
};
/** The address of a route, with this id and stand-ins for what else it names. */
function urlOf(route: Route, noun: string, id: string, ids: Ids): string {
  const isPage = route.path.includes('/:page/:version');
  return route.path.replace(/:(\w+)/g, (_, name: string) => {
    if (name === 'id') return encodeURIComponent(id);
    if (name === 'fileId') return encodeURIComponent(ids.file ?? '');
    if (name === 'version' && isPage) return 'original';
    return values[name] ?? noun;
  });
}

/** What a call is given in place of what stands for it here. */
export interface Given {
  as?: { token: string } | undefined;
  id?: string | undefined;
  path?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Calls a route with a body that its schema accepts, about one of these things. */
export const callRoute = (
  lab: Lab,
  { name, noun, route }: NamedRoute,
  ids: Ids,
  { as, id = ids[noun] ?? 'x', path = urlOf(route, noun, id, ids), body, headers }: Given,
): Promise<Answer<unknown>> => {
  const made = body ?? bodiesOf(ids)[name]?.() ?? (route.body ? {} : undefined);
  const tus = {
    'tus-resumable': '1.0.0',
    'upload-length': '10',
    'upload-offset': '0',
    'content-type': 'application/offset+octet-stream',
  };
  return lab.call(route.method, path, {
    as,
    ...(made !== undefined && { body: made }),
    headers: headers ?? (route.wire === 'tus' ? tus : {}),
  });
};

/** Makes one thing of each noun for an administrator; their names hold `canary`. Resolves to their ids. */
export async function makeThings(lab: Lab, owner: SignedIn, canary: string): Promise<Ids> {
  const { subscriberId } = owner;
  await seedSamples(lab.deps, { subscriberId, userId: owner.id, name: canary });
  const made = await lab.deps.db.withSubscriber({ subscriberId }, async (tx) => {
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
    context: { subscriberId },
    workflowId: made.workflow.id,
    source: 'ManualInjected',
    fileName: `${canary}.pdf`,
    bytes: (async function* once() {
      yield Buffer.from(`%PDF-1.4 ${canary}`);
    })(),
    createdBy: { kind: 'system', name: '' },
    ingest: { kind: 'api' },
  });
  const file = await lab.deps.db.withSubscriber({ subscriberId }, (tx) =>
    tx.file.findFirstOrThrow({ where: { sessionId } }),
  );
  const trial = await startWorkflowTrial(lab.deps.engine, {
    context: { subscriberId },
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
  await lab.deps.db.withSubscriber({ subscriberId }, (tx) =>
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
  await lab.deps.db.withSubscriber({ subscriberId }, (tx) =>
    tx.font.create({ data: { id: font, sha256: file.sha256, size: file.size, facts, ...named } }),
  );
  const webhook = await lab.call<{ id: string }>('POST', '/webhooks', {
    as: owner,
    body: { name: canary, url: 'https://mis.example.com/', events: ['Failed'] },
  });
  return {
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
  };
}
