import { oneTimeCode } from '@pdf2press/config/one-time-code';
import { receiveFile } from '@pdf2press/engine';
import { houseFont } from '@pdf2press/fix/testing';
import { listKeptMail } from '@pdf2press/mail';
import { newId, Prisma, type Transaction } from '@pdf2press/prisma';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callRoute, type Given, type Ids, makeThings, type NamedRoute, namedRoutes } from './testing/every-route.ts';
import { form } from './testing/form.ts';
import { type Lab, password, type SignedIn, startLab } from './testing/lab.ts';

/* Every route that changes something, while what tells of it cannot be written: nothing may be changed. */

let lab: Lab;
let ana: SignedIn;
let ids: Ids;
let tables: string[];

/** As the owner of the tables, whose rights no wall narrows. */
const asOwner = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
  lab.deps.db.asHost(async (tx) => {
    await tx.$executeRaw`reset role`;
    return work(tx);
  });

/** Counts of what was asked, and bytes that nothing names, which the collector takes: neither is an act. */
const aside = ['blobs', 'login_attempts', 'rate_limits'];
/** Tables with a time of last use, which is no act either. */
const lastUse: Record<string, string> = {
  api_keys: 'last_used_at',
  embed_tokens: 'last_used_at',
  user_sessions: 'last_seen_at',
};

beforeAll(async () => {
  lab = await startLab({ limitFactor: 10_000 });
  ana = await lab.signIn(await lab.makeAdministrator(await lab.makeSubscriber('Paper + Ink'), 'ana@example.com'));
  await lab.deps.db.asHost((tx) =>
    tx.hostFact.create({ data: { key: 'host.administrators', value: [ana.id] }, select: { key: true } }),
  );
  lab.deps.callers.forget();
  ids = await makeThings(lab, ana, 'Thing');
  const { result } = await lab.call<object>('GET', '/SystemSettings', { as: ana });
  const body = { ...result, feedbackSettings: { email: 'house@example.com' } };
  expect((await lab.call('PUT', '/SystemSettings', { as: ana, body })).statusCode).toBe(200);
  const rows = await asOwner(
    (tx) => tx.$queryRaw<{ name: string }[]>`
      select table_name::text as name from information_schema.tables
       where table_schema = current_schema() and table_type = 'BASE TABLE' order by 1`,
  );
  tables = rows.map(({ name }) => name).filter((name) => !aside.includes(name));
}, 120_000);
afterAll(() => lab.stop());

/** What tells whether a table was changed: which transactions its rows are of and how many they are, or what they hold. */
const tokenOf = (table: string): string => {
  const column = lastUse[table];
  return column
    ? `sum(hashtextextended((to_jsonb(row) - '${column}')::text, 0))::text`
    : `concat(count(*), ' ', sum(row.xmin::text::bigint))`;
};

async function state(): Promise<Record<string, string | null>> {
  const asked = tables.map((table) => `select '${table}' as name, ${tokenOf(table)} as token from "${table}" row`);
  const rows = await asOwner(
    (tx) => tx.$queryRaw<{ name: string; token: string | null }[]>`${Prisma.raw(asked.join(' union all '))}`,
  );
  return Object.fromEntries(rows.map(({ name, token }) => [name, token]));
}

type Telling = 'audit_entries' | 'session_events';

/** Runs work while no row can be added to the table that tells of it, whoever adds it. */
async function without<T>(table: Telling, work: () => Promise<T>): Promise<T> {
  const name = Prisma.raw(table);
  await asOwner((tx) => tx.$executeRaw`alter table ${name} add constraint taken_away check (false) not valid`);
  try {
    return await work();
  } finally {
    await asOwner((tx) => tx.$executeRaw`alter table ${name} drop constraint taken_away`);
  }
}

async function session(): Promise<string> {
  const { sessionId } = await receiveFile(lab.deps.engine, {
    context: { subscriberId: ana.subscriberId },
    workflowId: ids.workflows ?? '',
    source: 'ManualInjected',
    fileName: 'card.pdf',
    bytes: (async function* once() {
      yield Buffer.from(`%PDF-1.4 ${newId('file')}`);
    })(),
    createdBy: { kind: 'system', name: '' },
    ingest: { kind: 'test', key: newId('file') },
  });
  return sessionId;
}
const setStatus = (id: string, status: string) =>
  asOwner(
    (tx) => tx.$executeRaw`
      update sessions set status = ${status}::session_status, finished_at = case ${status} when 'OnHold' then null else now() end
       where id = ${id}`,
  );
const ended = async (): Promise<string> => {
  const id = await session();
  await asOwner(
    (tx) => tx.$executeRaw`update step_runs set status = 'Succeeded', ended_at = now() where session_id = ${id}`,
  );
  await setStatus(id, 'Completed');
  return id;
};

let people = 0;
/** Somebody new, signed in. */
const somebody = async (): Promise<SignedIn> => {
  people += 1;
  return lab.signIn(await lab.makeAdministrator(ana.subscriberId, `person${people}@example.com`));
};
const asSomebody = async (): Promise<Given> => ({ as: await somebody() });
const aboutSomebody = async (): Promise<Given> => ({ id: (await somebody()).id });
const make = async (path: string, body: object): Promise<string> =>
  (await lab.call<{ id: string }>('POST', path, { as: ana, body })).result.id;

/** Somebody whose second factor is on, and its key. */
async function guarded(isOn = true): Promise<{ as: SignedIn; key: string }> {
  const as = await somebody();
  const { key } = (await lab.call<{ key: string }>('POST', '/me/second-factor', { as, body: { password } })).result;
  if (isOn) await lab.call('POST', '/me/second-factor/confirm', { as, body: { code: oneTimeCode(key) } });
  return { as, key };
}
const byCode = async (): Promise<Given> => {
  const { as, key } = await guarded();
  return { as, body: { password, code: oneTimeCode(key, 1) } };
};

/** A message that could not be sent. */
const dead = async (kind: string, payload: object = {}): Promise<string> => {
  const id = newId('effect');
  const sessionId = ids.sessions ?? '';
  await lab.deps.db.withSubscriber({ subscriberId: ana.subscriberId }, (tx) =>
    tx.effect.create({ data: { id, key: id, kind, sessionId, state: 'Dead', payload }, select: { id: true } }),
  );
  return id;
};
const deadCall = () => dead('webhook', { webhookId: ids.webhooks });

const pdf = () => ({ name: 'card.pdf', bytes: Buffer.from(`%PDF-1.4 ${newId('file')}`) });
const workflow = () => make('/workflows', { name: newId('workflow') });
const profile = (kind: string, settings: object = {}) =>
  make(`/profiles/${kind}`, { name: newId('profile'), settings });

const kinds: Record<string, string> = {
  archivingProfiles: 'archiving',
  communicationProfiles: 'communication',
  fixProfiles: 'fix',
  imposeProfiles: 'impose',
  preflightProfiles: 'preflight',
  proofingProfiles: 'proofing',
  renamingProfiles: 'renaming',
  retentionProfiles: 'retention',
};
const settingsOf = (noun: string) => (noun === 'imposeProfiles' ? { type: 'StepNRepeat' } : {});
const profileCalls = Object.entries(kinds).flatMap(([noun, kind]): [string, () => Promise<Given>][] => [
  [`${noun}.create`, async () => ({ body: { name: newId('profile'), settings: settingsOf(noun) } })],
  [
    `${noun}.update`,
    async () => ({
      id: await profile(kind, settingsOf(noun)),
      body: { name: newId('profile'), version: 1, settings: settingsOf(noun) },
    }),
  ],
  [`${noun}.remove`, async () => ({ id: await profile(kind, settingsOf(noun)) })],
]);

/** What a call needs before it: things of its own, and people whose passwords and sign-ins are theirs. */
const calls: Record<string, () => Promise<Given>> = {
  ...Object.fromEntries(profileCalls),
  'auth.changePassword': async () => ({
    ...(await asSomebody()),
    body: { currentPassword: password, password: `${password}x`, passwordConfirmation: `${password}x` },
  }),
  'auth.forgotPassword': async () => ({ body: { email: (await somebody()).email } }),
  'auth.login': async () => ({ body: { email: (await somebody()).email, password } }),
  'auth.logout': asSomebody,
  'auth.refresh': async () => ({ body: { refreshToken: (await somebody()).refreshToken } }),
  'auth.resetPassword': async () => {
    const { email } = await somebody();
    await lab.call('POST', '/TokenAuth/forgot-password', { body: { email } });
    await lab.deliverMails();
    const mails = await listKeptMail(lab.deps.mail.keepFolder, ana.subscriberId, 500);
    const text = mails.find(({ to, text }) => to === email && text.includes('#token='))?.text ?? '';
    const token = /#token=([\w.-]+)/.exec(text)?.[1];
    return { body: { token, password: `${password}y`, passwordConfirmation: `${password}y` } };
  },
  'auth.revokeMySession': async () => {
    const as = await somebody();
    const [own] = (await lab.call<{ id: string }[]>('GET', '/me/sessions', { as })).result;
    return { as, id: own?.id };
  },
  'deliveries.resend': async () => {
    const effect = await lab.deps.db.asHost((tx) => tx.effect.findFirstOrThrow({ where: { key: 'Thing' } }));
    return { path: `/sessions/${ids.sessions}/deliveries/${effect.id}/resend` };
  },
  'discussion.assign': async () => ({ body: { assigneeId: ana.id } }),
  'embedTokens.exchange': async () => {
    const body = { name: newId('embedToken'), permissions: ['sessions.view'], origins: ['https://shop.example'] };
    const { token } = (await lab.call<{ token: string }>('POST', '/embed-tokens', { as: ana, body })).result;
    return { body: { token } };
  },
  'fonts.add': async () =>
    form(
      {},
      {
        name: 'house.ttf',
        bytes: Buffer.from(
          houseFont({ family: newId('font'), style: 'Bold', postScriptName: newId('font'), fsType: 8 }),
        ),
      },
    ),
  'host.update': async () => ({ id: await lab.makeSubscriber(newId('subscriber')) }),
  'host.suspend': async () => ({ id: await lab.makeSubscriber(newId('subscriber')) }),
  'host.resume': async () => {
    const id = await lab.makeSubscriber(newId('subscriber'));
    await lab.call('POST', `/host/subscribers/${id}/suspend`, { as: ana });
    return { id };
  },
  'organizations.remove': async () => ({ id: await make('/organizations', { name: newId('organization') }) }),
  'organizations.removeCode': async () => {
    await lab.call('POST', `/organizations/${ids.organizations}/upload-code`, { as: ana });
    return {};
  },
  'passkeys.begin': async () => ({ ...(await asSomebody()), body: { password } }),
  'persons.erase': async () => ({ body: { email: (await somebody()).email } }),
  'releases.look': async () => ({}),
  'renamingProfiles.preview': async () => ({ body: { settings: {} } }),
  'retention.act': async () => ({ body: { action: 'hold', ids: [await ended()] } }),
  'roles.remove': async () => ({ id: await make('/roles', { name: newId('role'), permissions: [] }) }),
  'secondFactors.begin': async () => ({ ...(await asSomebody()), body: { password } }),
  'secondFactors.confirm': async () => {
    const { as, key } = await guarded(false);
    return { as, body: { code: oneTimeCode(key) } };
  },
  'secondFactors.renewCodes': byCode,
  'secondFactors.switchOff': byCode,
  'secondFactors.signIn': async () => {
    const { as, key } = await guarded();
    const { envelope } = await lab.call('POST', '/TokenAuth/login', { body: { email: as.email, password } });
    return { body: { challenge: envelope.errors[0]?.params?.challenge, code: oneTimeCode(key, 1) } };
  },
  'sessionMessages.retry': async () => ({ path: `/sessions/${ids.sessions}/messages/${await dead('mail')}/retry` }),
  'sessions.bulk': async () => ({ body: { action: 'cancel', ids: [await session()] } }),
  'sessions.cancel': async () => ({ id: await session() }),
  'sessions.create': async () => form({ workflowId: ids.workflows ?? '' }, pdf()),
  'sessions.evaluate': async () => ({}),
  'sessions.overwriteVariables': async () => {
    const id = await session();
    await setStatus(id, 'OnHold');
    return { id };
  },
  'sessions.remove': async () => ({ id: await session() }),
  'sessions.replaceFile': async () => {
    const id = await session();
    await setStatus(id, 'OnHold');
    return { id, ...form({}, pdf()) };
  },
  'sessions.reroute': async () => ({ id: await session() }),
  'sessions.restart': async () => ({ id: await ended() }),
  'sessions.resume': async () => {
    const id = await session();
    await lab.call('POST', `/sessions/${id}/stop`, { as: ana, body: {} });
    return { id };
  },
  'sessions.stop': async () => ({ id: await session() }),
  'system.retryMail': async () => ({ id: await dead('mail') }),
  'trials.create': async () => form({ kind: 'fix', settings: '{"actions":[]}' }, pdf()),
  'trials.createOfWorkflow': async () => {
    const { result } = await lab.call<{ draft: object }>('GET', `/workflows/${ids.workflows}`, { as: ana });
    const trial = {
      workflowId: ids.workflows,
      name: 'Trial',
      draft: result.draft,
      answers: {},
      sessionIds: [],
      last: 0,
    };
    return form({ trial: JSON.stringify(trial) }, pdf());
  },
  'uploads.create': async () => ({
    headers: {
      'tus-resumable': '1.0.0',
      'upload-length': '10',
      'upload-metadata': `filename ${Buffer.from('card.pdf').toString('base64')},workflowId ${Buffer.from(ids.workflows ?? '').toString('base64')}`,
    },
  }),
  'users.import': async () => {
    people += 1;
    return { body: { csv: `name,email\nA,import${people}@example.com\n`, isDryRun: false } };
  },
  'users.remove': aboutSomebody,
  'users.resetSecondFactor': async () => ({ id: (await guarded()).as.id }),
  'users.revokeSessions': aboutSomebody,
  'users.unlock': aboutSomebody,
  'users.update': async () => {
    const { id, email } = await somebody();
    return { id, body: { firstName: 'Other', email } };
  },
  'webhooks.retry': async () => ({ path: `/webhooks/${ids.webhooks}/calls/${await deadCall()}/retry` }),
  'webhooks.retryAll': async () => {
    await deadCall();
    return {};
  },
  'workflows.publish': async () => {
    const { result } = await lab.call<{ id: string }>('POST', '/workflows', {
      as: ana,
      body: { name: newId('workflow') },
    });
    return { id: result.id };
  },
  'workflows.remove': async () => ({ id: await workflow() }),
  'workflows.assign': async () => ({ id: await workflow(), body: { organizationId: ids.organizations } }),
  'workflows.saveDraft': async () => {
    const { result } = await lab.call<{ id: string; draftRevision: number; draft: object }>('POST', '/workflows', {
      as: ana,
      body: { name: newId('workflow') },
    });
    return {
      id: result.id,
      body: { name: newId('workflow'), draft: result.draft, draftRevision: result.draftRevision },
    };
  },
};

/** The history of the session tells of these, in the same transaction. */
const inHistory = new Set([
  'discussion.assign',
  'discussion.comment',
  'sessions.create',
  'sessions.restart',
  'sessions.resume',
  'sessions.stop',
  'trials.create',
  'trials.createOfWorkflow',
  'trials.remove',
]);

/** They change what nobody is called to account for, and why. */
const untold: Record<string, string> = {
  'auth.refresh': 'a sign-in goes on, which was told when it began',
  'passkeys.begin': 'a passkey counts when its answer has come, which is told',
  'secondFactors.begin': 'a second factor counts when a code was confirmed, which is told',
  'sessionViews.remove': 'a person’s own view of the list',
  'sessionViews.save': 'a person’s own view of the list',
  'sessions.createMany': 'the files are fetched later; the history of each session begins then',
  'system.markNotificationRead': 'a person’s own bell',
  'system.markNotificationsRead': 'a person’s own bell',
  'system.muteNotices': 'a person’s own bell',
  'uploads.append': 'bytes on their way; the history of their session begins when they are there',
  'uploads.create': 'bytes on their way; the history of their session begins when they are there',
  'uploads.remove': 'bytes on their way, of which no session came',
  'workflows.saveDraft': 'a draft is saved while it is drawn; what runs is told when it is published',
};

/** They read, draw, or try a connection. */
const keepsNothing = new Set([
  'archiving.test',
  'cloudStorages.test',
  'communicationProfiles.preview',
  'deliveryTargets.test',
  'mailboxes.test',
  'persons.find',
  'renamingProfiles.preview',
  'sessions.evaluate',
  'sftpServers.test',
  'singleSignOn.test',
  'system.cspReport',
  'system.testArchiving',
  'system.testMail',
  'workflows.validate',
]);

/** They are refused here, and what they need before they do something. */
const refused: Record<string, string> = {
  'arrivals.retry': 'a mailbox with a file that was not taken',
  'auth.setup': 'an installation without an administrator',
  'cloudStorages.callback': 'a consent at Google or Microsoft',
  'cloudStorages.connect': 'a consent at Google or Microsoft',
  'communicationProfiles.testHook': 'a chat that takes messages',
  'communicationProfiles.testWebhook': 'a program that takes calls',
  'mailboxes.callback': 'a consent at Google or Microsoft',
  'mailboxes.connect': 'a consent at Google or Microsoft',
  'organizations.drawLogo': 'a picture; it changes nothing that organizations name',
  'passkeys.add': 'the answer of an authenticator',
  'passkeys.remove': 'the answer of an authenticator',
  'passkeys.rename': 'the answer of an authenticator',
  'passkeys.signIn': 'the answer of an authenticator',
  'passkeys.signInOptions': 'the answer of an authenticator',
  'sessions.continue': 'a step that holds',
  'sessions.unlock': 'a PDF with a password',
  'singleSignOn.begin': 'a service of single sign-on',
  'singleSignOn.beginLink': 'a service of single sign-on',
  'singleSignOn.finish': 'a service of single sign-on',
  'singleSignOn.link': 'a service of single sign-on',
  'singleSignOn.unlink': 'a service of single sign-on',
  'system.testNoticeHook': 'a chat that takes messages',
};
const isRefused = ({ name, noun }: NamedRoute) =>
  name in refused || ['clientProofs', 'proofs', 'uploadPages'].includes(noun);

const changing = namedRoutes.filter(({ route }) => route.method !== 'GET');
/** What removes things comes last. */
const isLast = ({ name }: NamedRoute) => /\.(remove|revoke)/.test(name);

test('what is exempted are routes, each once', () => {
  const named = [...inHistory, ...Object.keys(untold), ...keepsNothing, ...Object.keys(refused)];
  const known = new Set(changing.map(({ name }) => name));
  expect(named.filter((name) => !known.has(name))).toEqual([]);
  expect(named.length).toBe(new Set(named).size);
});

test.each(
  [...changing.filter((each) => !isLast(each)), ...changing.filter(isLast)].map((each) => [each.name, each] as const),
)('%s changes nothing that is not told', async (name, each) => {
  const given = { as: ana, ...(await calls[name]?.()) };
  const call = async () => {
    const answer = await callRoute(lab, each, ids, given);
    await lab.deps.background.idle();
    return answer;
  };
  /** The tables that the call changes. */
  const changedBy = async (work: () => ReturnType<typeof call>) => {
    const before = await state();
    const { statusCode, body } = await work();
    const after = await state();
    return { changed: tables.filter((table) => before[table] !== after[table]), answer: `${statusCode} ${body}` };
  };
  if (name in untold) {
    const { changed, answer } = await changedBy(call);
    expect(changed, answer).not.toEqual([]);
    expect(changed, answer).not.toContain('audit_entries');
    return;
  }
  if (keepsNothing.has(name) || isRefused(each)) {
    const { changed, answer } = await changedBy(call);
    expect(changed, answer).toEqual([]);
    if (isRefused(each)) expect(answer).toMatch(/^4/);
    return;
  }
  const table = inHistory.has(name) ? 'session_events' : 'audit_entries';
  const taken = await changedBy(() => without(table, call));
  expect(taken.changed, taken.answer).toEqual([]);
  const { changed, answer } = await changedBy(call);
  expect(changed, answer).toContain(table);
});
