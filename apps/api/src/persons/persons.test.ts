import type { PersonFile, PersonKind, PersonReport } from '@pdf2press/contract';
import { receiveFile } from '@pdf2press/engine';
import { newId, Prisma, type Transaction } from '@pdf2press/prisma';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seedSamples } from '../setup/seed-samples.ts';
import { type Lab, password, type SignedIn, startLab } from '../testing/lab.ts';

const carl = 'carl@example.com';

let lab: Lab;
let ana: SignedIn;
let cleo: SignedIn;
let stranger: SignedIn;
const ids = { sent: '', held: '', running: '', other: '', asked: '', strange: '' };

/** As the owner of the tables, whose rights no wall narrows. */
const asOwner = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
  lab.deps.db.asHost(async (tx) => {
    await tx.$executeRaw`reset role`;
    return work(tx);
  });

const find = async (email = carl, as = ana) =>
  (await lab.call<PersonReport>('POST', '/persons/find', { as, body: { email } })).result;
const read = async (email = carl, as = ana) =>
  (await lab.call<PersonFile>('POST', '/persons/export', { as, body: { email } })).result;
const erase = (email = carl, as = ana) => lab.call<PersonReport>('POST', '/persons/erase', { as, body: { email } });
const kindOf = ({ kinds }: PersonReport, kind: PersonKind) => kinds.find((each) => each.kind === kind);

/** A session of the sample workflow; `email` is what the form of an upload page was given. */
async function hand(of: SignedIn, email: string, { isEnded = true, by = '' } = {}): Promise<string> {
  const context = { subscriberId: of.subscriberId };
  const workflow = await lab.deps.db.withSubscriber(context, (tx) => tx.workflow.findFirstOrThrow());
  const { sessionId } = await receiveFile(lab.deps.engine, {
    context,
    workflowId: workflow.id,
    source: by ? 'ManualInjected' : 'PublicFileUpload',
    sourceName: by ? 'cleo Test' : `Carl Customer · ${newId('upload').slice(-6)}`,
    fileName: 'carl.pdf',
    bytes: (async function* once() {
      yield Buffer.from(`%PDF-1.4 ${newId('file')}`);
    })(),
    variables: email ? { 'upload.name': 'Carl Customer', 'upload.email': email } : {},
    createdBy: by
      ? { kind: 'user', id: by, name: 'cleo Test' }
      : { kind: 'customer', id: newId('uploadVisit'), name: 'Carl Customer' },
    ingest: { kind: 'test' },
  });
  if (isEnded)
    await asOwner(
      (tx) => tx.$executeRaw`
      update sessions set status = 'Completed', finished_at = clock_timestamp() where id = ${sessionId}`,
    );
  return sessionId;
}

/** Somebody else's session, about whose file the customer was asked, decided and wrote. */
async function ask(of: SignedIn): Promise<string> {
  const sessionId = await hand(of, '');
  await lab.deps.db.withSubscriber({ subscriberId: of.subscriberId }, async (tx) => {
    const step = await tx.stepRun.findFirstOrThrow({ where: { sessionId } });
    const file = await tx.file.findFirstOrThrow({ where: { sessionId } });
    const proofId = newId('proof');
    const recipientId = newId('proofRecipient');
    await tx.proof.create({
      data: {
        ...{ id: proofId, sessionId, stepRunId: step.id, nodeId: step.nodeId, runNo: 1, version: 1, fileId: file.id },
        ...{ originalFileId: file.id, policy: 'one', level: 'simple', isChecked: false, profileName: 'Proof' },
        ...{ settings: {}, state: 'Approved' },
      },
    });
    await tx.proofRecipient.create({
      data: {
        ...{ id: recipientId, sessionId, proofId, no: 1, name: 'Carl Customer', email: carl, locale: 'en' },
        linkExpiresAt: new Date(),
      },
    });
    await tx.proofDecision.create({
      data: {
        ...{ id: newId('proofDecision'), sessionId, proofId, recipientId, decision: 'Approved', requestKey: 'click' },
        record: { recipient: { name: 'Carl Customer', email: carl } },
      },
    });
    await tx.proofNote.create({
      data: {
        ...{ id: newId('proofNote'), sessionId, proofId, no: 1, text: `Call me.\nCARL@example.com` },
        ...{ recipientId, authorName: 'Carl Customer', requestKey: 'click' },
      },
    });
    for (const to of [carl, `s${carl}`])
      await tx.effect.create({
        data: {
          ...{ id: newId('effect'), key: `mail ${sessionId} ${to}`, kind: 'mail', sessionId, state: 'Done' },
          payload: { template: 'reset', to, name: 'Carl Customer', locale: 'en', params: {} },
        },
      });
  });
  return sessionId;
}

beforeAll(async () => {
  lab = await startLab({ limitFactor: 1000 });
  const home = await lab.makeSubscriber('Paper + Ink');
  ana = await lab.signIn(await lab.makeAdministrator(home, 'ana@example.com'));
  stranger = await lab.signIn(await lab.makeAdministrator(await lab.makeSubscriber('Other'), 'stranger@example.com'));
  for (const { subscriberId, id } of [ana, stranger])
    await seedSamples(lab.deps, { subscriberId, userId: id, name: 'Samples' });
  cleo = await lab.signIn(
    await lab.makePerson(home, 'cleo@example.com', [
      'sessions.view',
      'sessions.discuss',
      'data.export',
      'apiKeys.manage',
    ]),
  );
  ids.sent = await hand(ana, 'Carl@Example.com');
  ids.held = await hand(ana, carl);
  ids.running = await hand(ana, carl, { isEnded: false });
  ids.other = await hand(ana, `s${carl}`);
  ids.asked = await ask(ana);
  ids.strange = await hand(stranger, carl);
  const held = await lab.call('POST', '/retention/act', { as: ana, body: { action: 'hold', ids: [ids.held] } });
  expect(held.statusCode).toBe(200);
}, 120_000);
afterAll(() => lab.stop());

/** The tables in which a text stands anywhere, with how many rows. */
async function rowsWith(text: string, subscriberId: string): Promise<Record<string, number>> {
  const tables = await asOwner(
    (tx) => tx.$queryRaw<{ name: string }[]>`
      select table_name as name from information_schema.columns
       where table_schema = 'public' and column_name = 'subscriber_id'
         and table_name in (select table_name from information_schema.tables where table_type = 'BASE TABLE')`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [{ count = 0 } = {}] = await asOwner(
      (tx) => tx.$queryRaw<{ count: number }[]>`
        select count(*)::int as count from ${Prisma.raw(name)} held
         where subscriber_id = ${subscriberId} and lower(held::text) like ${`%${text}%`}
           and lower(held::text) not like ${`%s${text}%`}`,
    );
    if (count > 0) counts[name] = count;
  }
  return counts;
}

const everything = async () => {
  const tables = await asOwner(
    (tx) => tx.$queryRaw<{ name: string }[]>`select tablename as name from pg_tables where schemaname = 'public'`,
  );
  // Who calls is seen and counted; nothing else may change.
  const still = tables.filter(({ name }) => !['user_sessions', 'rate_limits'].includes(name));
  const sums = still.map(
    ({ name }) => `select '${name}' as name, md5(string_agg(r::text, ',' order by r::text)) from ${name} r`,
  );
  return asOwner((tx) => tx.$queryRaw`${Prisma.raw(sums.join(' union all '))}`);
};

describe('a customer without an account', () => {
  test('is found by the whole address in any case, with what would become of each kind, and nothing changes', async () => {
    const before = await everything();
    const report = await find('CARL@example.com');
    expect(await everything()).toEqual(before);
    expect(kindOf(report, 'sent')).toEqual({
      kind: 'sent',
      found: 3,
      removed: 1,
      anonymised: 0,
      kept: expect.arrayContaining([
        { reason: 'legalHold', count: 1 },
        { reason: 'running', count: 1 },
      ]),
    });
    expect(kindOf(report, 'recipients')).toMatchObject({ found: 1, anonymised: 1, kept: [] });
    expect(kindOf(report, 'decisions')).toMatchObject({ found: 1, kept: [{ reason: 'evidence', count: 1 }] });
    expect(kindOf(report, 'notes')).toMatchObject({ found: 1, anonymised: 1 });
    expect(kindOf(report, 'messages')).toMatchObject({ found: 1, removed: 1 });
    expect(kindOf(report, 'account')).toBeUndefined();
    expect((await find('arl@example.com')).kinds).toEqual([]);
  });

  test('has everything exported, and nothing of another subscriber', async () => {
    const { kinds } = await read();
    expect(kinds.sent?.map(({ id }) => id).sort()).toEqual([ids.sent, ids.held, ids.running].sort());
    expect(kinds.decisions).toMatchObject([{ record: { recipient: { email: carl } } }]);
    expect(kinds.notes).toMatchObject([{ author_name: 'Carl Customer' }]);
    expect(kinds.messages).toMatchObject([{ payload: { to: carl } }]);
    expect(JSON.stringify(kinds)).not.toContain(ids.strange);
    expect((await read(carl, stranger)).kinds.sent).toMatchObject([{ id: ids.strange }]);
  });

  test('is erased as told before; what is left of the address is kept for a reason', async () => {
    const told = await find();
    const { result } = await erase();
    expect(result.kinds).toEqual(told.kinds);
    expect(await rowsWith(carl, ana.subscriberId)).toEqual({
      proof_decisions: 1,
      // On legal hold, and running.
      sessions: 2,
      // Theirs, and that of the deleted session, which goes with the collector's next round.
      step_runs: 3,
    });
    const [recipient] = await asOwner((tx) => tx.proofRecipient.findMany({ where: { sessionId: ids.asked } }));
    expect(recipient).toMatchObject({ email: result.placeholder, name: '' });
    const [note] = await asOwner((tx) => tx.proofNote.findMany({ where: { sessionId: ids.asked } }));
    expect(note).toMatchObject({ authorName: '', text: `Call me.\n${result.placeholder}` });
    expect((await lab.call('GET', `/sessions/${ids.other}`, { as: ana })).statusCode).toBe(200);
    expect(await rowsWith(carl, stranger.subscriberId)).toHaveProperty('sessions', 1);
    expect((await find()).kinds.flatMap(({ removed, anonymised }) => [removed, anonymised]).filter(Boolean)).toEqual(
      [],
    );
    expect((await find()).placeholder).toBe(result.placeholder);
  });

  test('is named nowhere in the audit, which stays unbroken', async () => {
    const { result } = await lab.call<{ items: { act: string; object: object; after: object }[] }>(
      'GET',
      '/audit?act[]=person.erase&act[]=person.export',
      { as: ana },
    );
    expect(result.items.map(({ act }) => act)).toEqual(['person.erase', 'person.export']);
    expect(result.items[0]?.after).toMatchObject({ removed: { sent: 1 }, kept: { evidence: 1 } });
    expect(JSON.stringify(result)).not.toContain(carl);
    const chain = await lab.call<{ faultCount: number }>('GET', '/audit/chain', { as: ana });
    expect(chain.result.faultCount).toBe(0);
  });
});

describe('a person with an account', () => {
  test('exports only with data.export, erases only with data.erase', async () => {
    expect((await erase(carl, cleo)).envelope.errors[0]?.code).toBe('access.denied');
    expect((await find(carl, cleo)).email).toBe(carl);
    const eraser = await lab.signIn(await lab.makePerson(ana.subscriberId, 'eraser@example.com', ['data.erase']));
    const asked = await lab.call('POST', '/persons/export', { as: eraser, body: { email: carl } });
    expect(asked.statusCode).toBe(403);
    const above = await erase('ana@example.com', eraser);
    expect([above.statusCode, above.envelope.errors[0]?.code], 'who may more').toEqual([403, 'access.denied']);
  });

  test('is not erased by people of some organizations only', async () => {
    const narrow = await lab.makePerson(ana.subscriberId, 'narrow@example.com', ['data.export', 'data.erase']);
    await asOwner((tx) => tx.user.update({ where: { id: narrow.id }, data: { isOrganizationRestricted: true } }));
    const as = await lab.signIn(narrow);
    for (const path of ['find', 'export', 'erase'])
      expect((await lab.call('POST', `/persons/${path}`, { as, body: { email: carl } })).statusCode, path).toBe(403);
  });

  test('is not erased as the last administrator, nor without its audit row', async () => {
    expect((await erase('stranger@example.com', stranger)).envelope.errors[0]?.code).toBe('role.lastAdministrator');
    await asOwner((tx) => tx.$executeRaw`revoke insert on audit_entries from pdf2press_app`);
    const before = await everything();
    expect((await erase('cleo@example.com')).statusCode).toBeGreaterThanOrEqual(500);
    expect(await everything()).toEqual(before);
    await asOwner((tx) => tx.$executeRaw`grant insert on audit_entries to pdf2press_app`);
  });

  test('loses account, keys, sign-ins and comments; their acts stay in audit and history', async () => {
    const session = await hand(ana, '', { by: cleo.id });
    const made = await lab.call<{ key: string }>('POST', '/api-keys', {
      as: cleo,
      body: { name: 'cleo’s shop', permissions: ['sessions.view'] },
    });
    const comment = { text: 'Please look', mentions: [] };
    expect(
      (await lab.call('POST', `/sessions/${session}/comments`, { as: cleo, body: comment })).statusCode,
    ).toBeLessThan(300);
    const file = JSON.stringify(await read('cleo@example.com'));
    expect(file).toContain('cleo’s shop');
    expect(file).not.toMatch(/argon2|password_hash|"hash"/);

    const { result } = await erase('cleo@example.com');
    expect(kindOf(result, 'account')).toMatchObject({ anonymised: 1 });
    expect(kindOf(result, 'apiKeys')).toMatchObject({ anonymised: 1 });
    expect(kindOf(result, 'signIns')).toMatchObject({ removed: 1 });
    expect(kindOf(result, 'comments')).toMatchObject({ removed: 1 });
    expect(kindOf(result, 'named')).toMatchObject({ anonymised: 1 });
    expect(kindOf(result, 'history')).toMatchObject({ kept: [{ reason: 'history', count: expect.any(Number) }] });
    expect(kindOf(result, 'audit')).toMatchObject({ kept: [{ reason: 'evidence', count: expect.any(Number) }] });
    expect((await lab.call('GET', '/sessions', { as: cleo })).statusCode).toBe(401);
    expect((await lab.call('GET', '/sessions', { as: { token: made.result.key } })).statusCode).toBe(401);
    const again = await lab.call('POST', '/TokenAuth/login', { body: { email: 'cleo@example.com', password } });
    expect(again.statusCode).toBe(401);
    const row = await asOwner((tx) => tx.session.findUniqueOrThrow({ where: { id: session } }));
    expect(row).toMatchObject({ sourceName: '', createdBy: {}, fileName: 'carl.pdf' });
    // The lab names each person's role by the address.
    const left = Object.keys(await rowsWith('cleo@example.com', ana.subscriberId));
    expect(left.filter((table) => table !== 'audit_entries' && table !== 'roles')).toEqual([]);
  });
});

test('messages that lie on disk because no mail server is set are exported without links and removed', async () => {
  await lab.call('POST', '/users', {
    as: ana,
    body: { firstName: 'Dora', email: 'dora@example.com' },
  });
  await lab.deliverMails();
  const { kinds } = await read('dora@example.com');
  expect(kinds.keptMessages).toMatchObject([{ to: 'dora@example.com' }]);
  expect(JSON.stringify(kinds.keptMessages)).not.toMatch(/https?:/);
  const { result } = await erase('dora@example.com');
  expect(kindOf(result, 'keptMessages')).toMatchObject({ removed: 1 });
  expect((await read('dora@example.com')).kinds.keptMessages).toBeUndefined();
});
