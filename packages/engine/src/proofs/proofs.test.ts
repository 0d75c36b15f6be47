import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { isNight, sampled } from '@pdf2press/config/by-day';
import { newId } from '@pdf2press/prisma';
import { startTestPostgres } from '@pdf2press/prisma/testing';
import { runStep } from '@pdf2press/steps/runners';
import { SMTPServer } from 'smtp-server';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { deleteSession, restartSession } from '../commands/session-commands.ts';
import { askForCertificate } from '../effects/certificate/run.ts';
import { deliverDue } from '../effects/deliver.ts';
import { deliverMail } from '../effects/mail/run.ts';
import { askForPictureCopy, findPictureCopy, makePictureCopies } from '../effects/picture-copy/run.ts';
import { askForNotesCopy, findNotesCopy, makeNotesCopies } from '../effects/proof-notes/run.ts';
import { removeDueFiles } from '../retention/remove-files.ts';
import { openInstanceKeys } from '../secrets/secrets.ts';
import { readEvents } from '../sessions/events.ts';
import type { ExecuteStep } from '../steps/run-step.ts';
import { type Lab, openLab, tester } from '../testing/lab.ts';
import { asked, proving } from '../testing/proving.ts';
import { type RunningWorker, startWorker } from '../worker/worker.ts';
import { approvalOf, findingsToAccept } from './acceptance.ts';
import { decideProof, type GivenDecision } from './decide-proof.ts';
import { decidingNow, noteDeciding } from './gate-lock.ts';
import { linkHashOf } from './link.ts';
import { addRecipient, extendProof, resendLink, revokeLink } from './manage-proof.ts';
import { type NewNote, readNotes, removeNote, resolveNote, writeNote } from './notes.ts';
import { demandProof, judgedOf, readProof, rulesOf, stateOf } from './proof-row.ts';

/**
 * Proofs with a worker, a real Postgres and a real mail server whose messages are read. One long file: each file of these
 * tests starts a database of its own.
 */
let server: Awaited<ReturnType<typeof startTestPostgres>>;
let lab: Lab;
let worker: RunningWorker | undefined;
let isDown = false;
const received: { to: string; text: string }[] = [];
const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData: (stream, session, done) => {
    const parts: Buffer[] = [];
    stream.on('data', (part: Buffer) => parts.push(part));
    stream.on('end', () => {
      if (isDown) return done(Object.assign(new Error('out of order'), { responseCode: 451 }));
      const text = Buffer.concat(parts).toString().replace(/=\r\n/g, '').replace(/=3D/g, '=');
      received.push({ to: session.envelope.rcptTo.map(({ address }) => address).join(), text });
      done();
    });
  },
});
beforeAll(async () => {
  server = await startTestPostgres();
  await new Promise<void>((resolve) => {
    smtp.listen(0, '127.0.0.1', resolve);
  });
});
afterAll(async () => {
  await new Promise<void>((resolve) => smtp.close(resolve));
  await server.stop();
});
beforeEach(() => {
  received.length = 0;
  isDown = false;
});
afterEach(async () => {
  expect(await lab.broken()).toEqual([]);
  expect((await lab.sql.query('select * from proof_decision_breaks')).rows).toEqual([]);
  await worker?.stop();
  worker = undefined;
  await lab.close();
});

const tools = { progress: () => undefined, runTask: () => Promise.reject(new Error('opens no PDF')) };
const execute: ExecuteStep = (context) => {
  if (context.step.kind === 'Inject') return Promise.resolve({ end: 'outcome', outcome: 'done' });
  if (context.step.kind === 'Complete') return Promise.resolve({ end: 'session', status: 'Completed' });
  return runStep(context, tools);
};

const context = () => ({ subscriberId: lab.subscriberId });
async function open(profile: Record<string, unknown>): Promise<void> {
  lab = await openLab(server, proving(profile));
  const { port } = (smtp.server.address() ?? {}) as AddressInfo;
  const hostServer = {
    host: '127.0.0.1',
    port,
    username: '',
    password: null,
    senderEmail: 'a@b.test',
    enableSsl: false,
  };
  const environment = { keepFolder: path.join(lab.folder, 'mail'), allowedHosts: [], hostServer };
  const keys = await openInstanceKeys({ dataDir: lab.folder });
  worker = await startWorker(lab.deps, {
    databaseUrl: lab.url,
    instance: 'a',
    doorbell: { kind: 'none' },
    slots: 2,
    execute,
    workFolder: `${lab.folder}/work`,
    engineVersion: '1',
    // Times that come due are looked for so often, four times as seldom while nothing else is to do.
    timing: { pump: 50 },
    effects: { mail: deliverMail(lab.deps, { keys, environment, title: 'House', baseUrl: 'https://print.test' }) },
  });
}

/** A session that has come to its proof. */
async function proved() {
  const sessionId = await lab.hand();
  await lab.settled();
  expect(await lab.status(sessionId)).toBe('OnHold');
  return { sessionId, ...(await newest(sessionId)) };
}
async function newest(sessionId: string) {
  const { rows } = await lab.sql.query(
    `select id, version from proofs where session_id = $1 order by version desc limit 1`,
    [sessionId],
  );
  return { proofId: rows[0].id as string, version: rows[0].version as number };
}
const row = (proofId: string) =>
  lab.deps.database.withSubscriber(context(), async (tx) => {
    const proof = await readProof(tx, proofId);
    if (!proof) throw new Error('no such proof');
    return proof;
  });
const recipient = async (proofId: string, email: string) => {
  const one = (await row(proofId)).recipients.find((each) => each.email === email);
  if (!one) throw new Error(`${email} is not asked`);
  return one;
};
async function decide(
  proofId: string,
  email: string,
  given: GivenDecision,
  key = newId('upload'),
  pageCount = 1,
  isChange = false,
) {
  const { id, name } = await recipient(proofId, email);
  const from = { ip: '203.0.113.7', userAgent: 'Browser', locale: 'fr', timeZone: 'Europe/Paris' } as const;
  const by = { kind: 'customer', id, name: name || email } as const;
  await decideProof(lab.deps, context(), { proofId, recipientId: id, given, key, by, from, pageCount, isChange });
}
const approve: GivenDecision = { decision: 'Approved' };
const decline: GivenDecision = { decision: 'Declined', comment: 'The logo is too small' };
const records = async (proofId: string) =>
  (await row(proofId)).decisions.map(({ record }) => record as Record<string, unknown>);
const kinds = async (sessionId: string) =>
  (await readEvents(lab.deps.database, context(), { after: 0, sessionId })).map(({ kind }) => kind);
const linksTo = (email: string) =>
  received.flatMap(({ to, text }) =>
    to === email
      ? [...text.matchAll(/https:\/\/print\.test\/client-proofing\/[\w-]+\/([\w-]{43})\s/g)].map(([, secret]) => secret)
      : [],
  );
const mailed = (email: string, count: number) =>
  expect.poll(() => received.filter(({ to }) => to === email).length, { timeout: 60_000 }).toBe(count);
const ended = (sessionId: string, status: string) =>
  expect.poll(() => lab.status(sessionId), { timeout: 60_000 }).toBe(status);
const come = (sessionId: string, time: 'remind_at' | 'due_at') =>
  lab.sql.query(`update waits set ${time} = clock_timestamp() where session_id = $1 and decided_at is null`, [
    sessionId,
  ]);

test('everybody whom the profile names gets a link of their own, once, as text and HTML; only its hash is stored', async () => {
  await open({ approvers: [...asked('Anna@example.com', '{{customer}}'), ...asked('anna@example.com')], locale: 'fr' });
  const { proofId } = await proved();
  const emails = ['anna@example.com', 'carla@example.com', 'dora@example.com'];
  for (const email of emails) await mailed(email, 1);
  expect((await row(proofId)).recipients.map(({ email }) => email)).toEqual(emails);
  const secrets = emails.map((email) => linksTo(email)[0] ?? '');
  expect(new Set(secrets).size).toBe(3);
  const { text } = received[0] ?? { text: '' };
  expect(text).toMatch(/multipart\/alternative/);
  expect(text).toContain('Ouvrir l');
  const { rows } = await lab.sql.query('select link_hash from proof_recipients order by no');
  expect(rows.map(({ link_hash }) => link_hash)).toEqual(secrets.map((secret) => Buffer.from(linkHashOf(secret))));
  const all = await lab.sql.query(`select string_agg(payload::text, '') as kept from effects`);
  for (const secret of secrets) expect(all.rows[0].kept).not.toContain(secret);
});

test('one who approves ends it: record, history and the next step; a repetition of the click changes nothing', async () => {
  await open({ approvers: asked('anna@example.com', 'ben@example.com') });
  const { sessionId, proofId } = await proved();
  await decide(proofId, 'anna@example.com', { ...approve, name: 'Anna', comment: 'Fine' }, 'one click 1');
  await decide(proofId, 'anna@example.com', { ...approve, name: 'Anna', comment: 'Fine' }, 'one click 1');
  await ended(sessionId, 'Completed');
  await decide(proofId, 'anna@example.com', approve, 'one click 1');
  const file = (await lab.sql.query('select sha256 from files where session_id = $1', [sessionId])).rows[0];
  expect(await records(proofId)).toMatchObject([
    {
      decision: 'Approved',
      name: 'Anna',
      email: 'anna@example.com',
      comment: 'Fine',
      proofSha256: file.sha256,
      originalSha256: file.sha256,
      acceptedFindingIds: [],
      ip: '203.0.113.7',
      userAgent: 'Browser',
      locale: 'fr',
      timeZone: 'Europe/Paris',
      link: { no: 1, sentTo: 'anna@example.com' },
      onBehalf: null,
    },
  ]);
  expect((await kinds(sessionId)).filter((kind) => kind === 'ProofDecided')).toHaveLength(1);
  await expect(decide(proofId, 'ben@example.com', approve)).rejects.toMatchObject({
    problems: [{ code: 'proof.alreadyDecided', params: { by: 'Anna', decision: 'Approved' } }],
  });
});

test('the notes that stood when it was decided are part of the record: with answers and state, without what was taken back', async () => {
  await open({ mode: 'All', approvers: asked('anna@example.com', 'ben@example.com') });
  const { proofId } = await proved();
  const anna = { recipientId: (await recipient(proofId, 'anna@example.com')).id, name: 'Anna' };
  const write = (key: string, by: typeof anna | { recipientId: null; name: string }, note: Partial<NewNote>) =>
    writeNote(lab.deps, context(), { proofId, key, by, text: key, ...note });
  const ids = async () =>
    (await lab.deps.database.withSubscriber(context(), (tx) => readNotes(tx, proofId, null, { take: 10 }))).map(
      ({ id }) => id,
    );
  await write('The logo is small', anna, { page: 1, box: [10, 20, 30, 40] });
  await write('I was wrong here', anna, { page: 1 });
  const [first = '', second = ''] = await ids();
  await write('It is larger now', { recipientId: null, name: 'Ben of the house' }, { answersId: first });
  await resolveNote(lab.deps, context(), { proofId, noteId: first, by: { ...anna }, isResolved: true });
  await removeNote(lab.deps, context(), { proofId, noteId: second, by: anna });
  await decide(proofId, 'anna@example.com', approve);
  await write('Written later', { recipientId: (await recipient(proofId, 'ben@example.com')).id, name: 'Ben' }, {});
  await decide(proofId, 'ben@example.com', approve);
  const [one, two] = await records(proofId);
  const answers = [{ text: 'It is larger now', by: 'Ben of the house', isHouse: true }];
  const stood = { id: first, no: 1, page: 1, box: [10, 20, 30, 40], text: 'The logo is small', by: 'Anna', answers };
  expect(one?.notes).toMatchObject([{ ...stood, resolvedAt: expect.any(String) }]);
  expect(two?.notes).toMatchObject([
    stood,
    { no: 3, page: null, text: 'Written later', resolvedAt: null, answers: [] },
  ]);
  expect(JSON.stringify(two)).not.toContain('isMine');
});

test('many notes stand beside the record, which names their hash; no reading of the proof reads them', async () => {
  await open({ mode: 'All', approvers: asked('anna@example.com', 'ben@example.com') });
  const { proofId, sessionId } = await proved();
  await lab.deps.database.withSubscriber(
    context(),
    (tx) => tx.$executeRaw`
      insert into proof_notes (id, session_id, proof_id, no, page, text, author_name, request_key)
      select 'pnt_' || ${proofId} || n, ${sessionId}, ${proofId}, n, 1, 'Remark ' || n, 'Anna', 'many ' || n
        from generate_series(1, 10000) as n`,
  );
  await decide(proofId, 'anna@example.com', approve);
  const [record] = await records(proofId);
  expect(record).toMatchObject({ notes: null, notesBeside: { count: 10_000 } });
  const kept = await lab.deps.database.withSubscriber(context(), (tx) =>
    tx.proofDecision.findFirstOrThrow({ where: { proofId } }),
  );
  const sha256 = createHash('sha256')
    .update(kept.notes ?? '')
    .digest('hex');
  expect(record?.notesBeside).toMatchObject({ sha256 });
  const texts = (JSON.parse(kept.notes ?? '[]') as { text: string }[]).map(({ text }) => text);
  expect([texts.length, texts[0], texts.at(-1)]).toEqual([10_000, 'Remark 1', 'Remark 10000']);
  const read = await lab.deps.database.withSubscriber(context(), (tx) => demandProof(tx, proofId));
  expect(JSON.stringify(read).length).toBeLessThan(50_000);
});

test('page by page: every page once with what they make of it, a reason for each declined one, and the house as a whole', async () => {
  await open({ pageLevel: 'page', isReasonRequired: true, approvers: asked('anna@example.com') });
  const { sessionId, proofId } = await proved();
  const page = (no: number, decision: 'Approved' | 'Declined' = 'Approved', reason = '') => ({
    page: no,
    decision,
    reason,
  });
  const refused = (given: GivenDecision) =>
    decide(proofId, 'anna@example.com', given, newId('upload'), 3).then(
      () => null,
      ({ problems }) => problems,
    );
  expect(await refused(approve)).toMatchObject([{ code: 'proof.pagesUndecided', params: { count: 3 } }]);
  expect(await refused({ ...approve, pages: [page(1), page(3)] })).toMatchObject([
    { code: 'proof.pagesUndecided', params: { count: 1 }, field: 'pages' },
  ]);
  for (const pages of [
    [page(1), page(2), page(3), page(4)],
    [page(1), page(2), page(3), page(3, 'Declined', 'Twice')],
  ])
    expect(await refused({ ...approve, pages })).toMatchObject([{ code: 'request.invalid', field: 'pages' }]);
  const declined = [page(3, 'Declined', 'Too pale'), page(1), page(2, 'Declined', 'Wrong street')];
  expect(await refused({ ...approve, pages: declined })).toMatchObject([
    { code: 'request.invalid', field: 'decision' },
  ]);
  expect(await refused({ decision: 'Declined', pages: [page(1), page(2), page(3)] })).toMatchObject([
    { code: 'request.invalid', field: 'decision' },
  ]);
  expect(await refused({ decision: 'Declined', pages: [page(1), page(2), page(3, 'Declined')] })).toMatchObject([
    { code: 'proof.fieldMissing', field: 'pages.3' },
  ]);
  expect(await records(proofId)).toEqual([]);
  expect(await refused({ decision: 'Declined', pages: declined })).toBeNull();
  await ended(sessionId, 'CanceledByOperator');
  expect(await records(proofId)).toMatchObject([
    { decision: 'Declined', pages: [page(1), page(2, 'Declined', 'Wrong street'), page(3, 'Declined', 'Too pale')] },
  ]);
  const events = await readEvents(lab.deps.database, context(), { after: 0, sessionId });
  expect(events.find(({ kind }) => kind === 'ProofDecided')?.data).toMatchObject({ pages: '2, 3' });

  const other = await proved();
  const given = { ...approve, pages: [page(1), page(2)] };
  await decide(other.proofId, 'anna@example.com', given, newId('upload'), 2);
  await ended(other.sessionId, 'Completed');
  const third = await proved();
  const house = { proofId: third.proofId, recipientId: null, given: approve, key: 'the house', by: tester };
  await decideProof(lab.deps, context(), { ...house, onBehalf: 'By telephone' });
  await ended(third.sessionId, 'Completed');
  expect(await records(third.proofId)).toMatchObject([{ decision: 'Approved', pages: null }]);
});

test('pages belong to proofs that are decided page by page only', async () => {
  await open({ approvers: asked('anna@example.com') });
  const { proofId } = await proved();
  const pages = [{ page: 1, decision: 'Approved', reason: '' } as const];
  await expect(decide(proofId, 'anna@example.com', { ...approve, pages })).rejects.toThrow('request.invalid');
});

test('of two who decide in the same second one decides, and the other is told who did', async () => {
  await open({ approvers: asked('anna@example.com', 'ben@example.com') });
  for (let round = 0; round < (isNight ? 5 : 2); round += 1) {
    const { sessionId, proofId } = await proved();
    const results = await Promise.allSettled([
      decide(proofId, 'anna@example.com', approve),
      decide(proofId, 'ben@example.com', decline),
    ]);
    const lost = results.filter(({ status }) => status === 'rejected');
    expect(lost).toMatchObject([{ reason: { problems: [{ code: 'proof.alreadyDecided' }] } }]);
    const [record, ...others] = await records(proofId);
    expect(others).toEqual([]);
    await ended(sessionId, record?.decision === 'Approved' ? 'Completed' : 'CanceledByOperator');
  }
});

test('All: it waits for the last; one who declines ends it', async () => {
  await open({ mode: 'All', approvers: asked('anna@example.com', 'ben@example.com') });
  const first = await proved();
  await decide(first.proofId, 'ben@example.com', approve);
  expect(await lab.status(first.sessionId)).toBe('OnHold');
  await expect(decide(first.proofId, 'ben@example.com', decline)).rejects.toThrow('proof.alreadyDecided');
  await decide(first.proofId, 'anna@example.com', approve);
  await ended(first.sessionId, 'Completed');
  const second = await proved();
  await decide(second.proofId, 'ben@example.com', decline);
  await ended(second.sessionId, 'CanceledByOperator');
});

test('whoever has answered may change it while others are asked: the newest counts, both are kept', async () => {
  await open({ approvers: asked('ana@example.com', 'bo@example.com', 'cy@example.com'), mode: 'Quorum', quorum: 2 });
  const { sessionId, proofId } = await proved();
  const change = (email: string, given: GivenDecision, key = newId('upload')) =>
    decide(proofId, email, given, key, 1, true);
  await decide(proofId, 'ana@example.com', decline);
  await expect(decide(proofId, 'ana@example.com', approve)).rejects.toThrow('proof.alreadyDecided');
  await change('ana@example.com', approve, 'one click only');
  await change('ana@example.com', approve, 'one click only');
  expect(
    (await row(proofId)).decisions.map(({ no, decision, record }) => [
      decision,
      (record as object & { replaces?: number }).replaces,
      no,
    ]),
  ).toEqual([
    ['Declined', undefined, 1],
    ['Approved', 1, 2],
  ]);
  await decide(proofId, 'bo@example.com', approve);
  await ended(sessionId, 'Completed');
  await expect(change('ana@example.com', decline)).rejects.toThrow('proof.alreadyDecided');
});

test('one who changes an approval to a decline ends a sequence', async () => {
  await open({ approvers: asked('ana@example.com', 'bo@example.com'), mode: 'Sequence' });
  const { sessionId, proofId } = await proved();
  await decide(proofId, 'ana@example.com', approve);
  await decide(proofId, 'ana@example.com', decline, newId('upload'), 1, true);
  expect((await row(proofId)).state).toBe('Declined');
  await ended(sessionId, 'CanceledByOperator');
});

test('a link for one decision takes no second one', async () => {
  await open({ approvers: asked('ana@example.com', 'bo@example.com'), mode: 'All', isSingleUse: true });
  const { proofId } = await proved();
  await decide(proofId, 'ana@example.com', approve);
  await expect(decide(proofId, 'ana@example.com', decline, newId('upload'), 1, true)).rejects.toThrow('proof.used');
});

test('Sequence: each is asked when the one before has approved', async () => {
  await open({ mode: 'Sequence', approvers: asked('anna@example.com', 'ben@example.com') });
  const { sessionId, proofId } = await proved();
  await mailed('anna@example.com', 1);
  expect((await recipient(proofId, 'ben@example.com')).askedAt).toBeNull();
  await decide(proofId, 'anna@example.com', approve);
  await mailed('ben@example.com', 1);
  await decide(proofId, 'ben@example.com', approve);
  await ended(sessionId, 'Completed');
  expect((await records(proofId)).map(({ email }) => email)).toEqual(['anna@example.com', 'ben@example.com']);
});

test('while one gatekeeper is deciding the others of the gate wait: it ends with the decision, by hand, and by itself', async () => {
  const gail = { kind: 'address', address: 'gail@example.com', isGatekeeper: true };
  const gus = { kind: 'address', address: 'gus@example.com', isGatekeeper: true };
  await open({ mode: 'All', approvers: [gail, gus, ...asked('ben@example.com')] });
  const { sessionId, proofId } = await proved();
  await mailed('gus@example.com', 1);
  const tell = async (email: string, isDeciding = true) =>
    noteDeciding(lab.deps, context(), { proofId, recipientId: (await recipient(proofId, email)).id, isDeciding });
  const seenBy = async (email: string) => {
    const proof = await row(proofId);
    const { id } = await recipient(proofId, email);
    return lab.deps.database.withSubscriber(context(), (tx) => decidingNow(tx, proof, id));
  };
  const isHeld = { problems: [{ code: 'proof.beingDecided', params: { by: 'g…@example.com' } }] };

  // Of two in the same moment, one is first.
  const both = await Promise.allSettled([tell('gail@example.com'), tell('gus@example.com')]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  await lab.sql.query(`update proof_recipients set deciding_until = null`);

  await tell('gail@example.com');
  expect(await seenBy('gus@example.com')).toMatchObject({ by: 'g…@example.com' });
  expect(await seenBy('gail@example.com')).toBeNull();
  expect(await seenBy('ben@example.com')).toBeNull();
  await expect(tell('gus@example.com')).rejects.toMatchObject(isHeld);
  await expect(decide(proofId, 'gus@example.com', approve)).rejects.toMatchObject(isHeld);
  expect(await records(proofId)).toEqual([]);

  await tell('gail@example.com', false);
  await tell('gus@example.com');
  await lab.sql.query(
    `update proof_recipients set deciding_until = clock_timestamp() - interval '1 second' where deciding_until is not null`,
  );
  expect(await seenBy('gail@example.com')).toBeNull();
  await tell('gail@example.com');
  await decide(proofId, 'gail@example.com', approve);
  expect(await seenBy('gus@example.com')).toBeNull();
  await decide(proofId, 'gus@example.com', approve);
  await mailed('ben@example.com', 1);
  // Whoever is no gatekeeper keeps nobody from anything.
  await tell('ben@example.com');
  expect((await recipient(proofId, 'ben@example.com')).decidingUntil).toBeNull();
  await decide(proofId, 'ben@example.com', approve);
  await ended(sessionId, 'Completed');
});

test.each(['Hold', 'AskReplacement'])(
  'who declined may change it as long as the session waits (%s): to an approval, or so that others are asked further',
  async (onDecline) => {
    await open({ mode: 'All', onDecline, approvers: asked('anna@example.com', 'ben@example.com'), deadlineHours: 48 });
    const { sessionId, proofId } = await proved();
    await mailed('ben@example.com', 1);
    await decide(proofId, 'anna@example.com', decline);
    expect((await row(proofId)).state).toBe('Declined');
    // Neither without saying so, nor by somebody who has not declined.
    await expect(decide(proofId, 'anna@example.com', approve)).rejects.toMatchObject({
      problems: [{ code: 'proof.alreadyDecided' }],
    });
    await expect(decide(proofId, 'ben@example.com', approve, newId('upload'), 1, true)).rejects.toMatchObject({
      problems: [{ code: 'proof.alreadyDecided' }],
    });
    await decide(proofId, 'anna@example.com', approve, newId('upload'), 1, true);
    const { state, closedAt } = await row(proofId);
    expect([state, closedAt]).toEqual(['Open', null]);
    const { rows } = await lab.sql.query(`select due_at is not null as is_due from waits where session_id = $1`, [
      sessionId,
    ]);
    expect(rows).toEqual([{ is_due: true }]);
    await decide(proofId, 'ben@example.com', approve);
    await ended(sessionId, 'Completed');
    expect((await records(proofId)).map(({ decision, replaces }) => [decision, replaces !== undefined])).toEqual([
      ['Declined', false],
      ['Approved', true],
      ['Approved', false],
    ]);
  },
);

test('a decline that the session has gone on by stands', async () => {
  await open({ approvers: asked('anna@example.com') });
  const gone = await proved();
  await decide(gone.proofId, 'anna@example.com', decline);
  await ended(gone.sessionId, 'CanceledByOperator');
  await expect(decide(gone.proofId, 'anna@example.com', approve, newId('upload'), 1, true)).rejects.toMatchObject({
    problems: [{ code: 'proof.alreadyDecided' }],
  });
});

/** One gatekeeper before two others. */
const gated = {
  reminder: { firstAfterHours: 1, everyHours: 1, max: 1 },
  approvers: [
    ...asked('ben@example.com', 'cleo@example.com', 'Gail@example.com'),
    { kind: 'address', address: 'gail@example.com', isGatekeeper: true },
  ],
};
const askedAre = async (proofId: string) =>
  (await row(proofId)).recipients.filter(({ askedAt }) => askedAt !== null).map(({ email }) => email);
const remindIn = async (sessionId: string) =>
  (
    await lab.sql.query(
      `select round(extract(epoch from remind_at - clock_timestamp()) / 3600)::int as hours from waits
        where session_id = $1 order by created_at desc limit 1`,
      [sessionId],
    )
  ).rows[0].hours;

test.each(sampled(['Any', 'All', 'Quorum', 'Sequence'] as const, 4))(
  '%s: others are asked and reminded when the gatekeeper has approved; one who declines ends it, also in the next version',
  async (mode) => {
    await open({ ...gated, mode });
    const first = await proved();
    await mailed('gail@example.com', 1);
    expect((await row(first.proofId)).recipients.map(({ email, isGatekeeper }) => [email, isGatekeeper])).toEqual([
      ['gail@example.com', true],
      ['ben@example.com', false],
      ['cleo@example.com', false],
    ]);
    expect(await askedAre(first.proofId)).toEqual(['gail@example.com']);
    await come(first.sessionId, 'remind_at');
    await mailed('gail@example.com', 2);
    await expect.poll(() => remindIn(first.sessionId)).toBeNull();

    // A new version begins with the gatekeeper again.
    await restartSession(lab.deps, context(), { sessionId: first.sessionId, by: tester });
    await lab.settled();
    const second = { sessionId: first.sessionId, ...(await newest(first.sessionId)) };
    await mailed('gail@example.com', 3);
    expect(await askedAre(second.proofId)).toEqual(['gail@example.com']);
    await decide(second.proofId, 'gail@example.com', approve);
    const isInTurn = mode === 'Sequence';
    await mailed('ben@example.com', 1);
    expect(await askedAre(second.proofId)).toHaveLength(isInTurn ? 2 : 3);
    expect(await remindIn(second.sessionId)).toBe(1);
    await come(second.sessionId, 'remind_at');
    await mailed('ben@example.com', 2);
    await mailed('cleo@example.com', isInTurn ? 0 : 2);
    await decide(second.proofId, 'ben@example.com', approve);
    if (mode !== 'Any') {
      expect(await lab.status(second.sessionId)).toBe('OnHold');
      await mailed('cleo@example.com', isInTurn ? 1 : 2);
      if (isInTurn) expect(await remindIn(second.sessionId)).toBe(1);
      await decide(second.proofId, 'cleo@example.com', approve);
    }
    await ended(second.sessionId, 'Completed');
    await mailed('gail@example.com', 3);

    const third = await proved();
    await decide(third.proofId, 'gail@example.com', decline);
    await ended(third.sessionId, 'CanceledByOperator');
    expect(await askedAre(third.proofId)).toEqual(['gail@example.com']);
  },
);

test('a gatekeeper is decided for, added, or taken out: the others are asked when none is left', async () => {
  await open(gated);
  const one = await proved();
  const { id: ben } = await recipient(one.proofId, 'ben@example.com');
  await expect(resendLink(lab.deps, context(), { ...one, recipientId: ben, by: tester })).rejects.toThrow(
    'request.invalid',
  );
  await addRecipient(lab.deps, context(), {
    ...one,
    email: 'gus@example.com',
    name: 'Gus',
    isGatekeeper: true,
    by: tester,
  });
  await addRecipient(lab.deps, context(), { ...one, email: 'dora@example.com', name: '', by: tester });
  expect(await askedAre(one.proofId)).toEqual(['gail@example.com', 'gus@example.com']);
  const { id: gail } = await recipient(one.proofId, 'gail@example.com');
  const ask = { proofId: one.proofId, recipientId: gail, key: 'house 1', by: tester, onBehalf: 'She rang up' };
  await decideProof(lab.deps, context(), { ...ask, given: approve });
  expect(await askedAre(one.proofId)).toHaveLength(2);
  const { id: gus } = await recipient(one.proofId, 'gus@example.com');
  await revokeLink(lab.deps, context(), { ...one, recipientId: gus, by: tester });
  expect(await askedAre(one.proofId)).toHaveLength(5);
  await decide(one.proofId, 'dora@example.com', approve);
  await ended(one.sessionId, 'Completed');
});

test('gatekeepers that a variable does not give: nobody is asked until the house adds one', async () => {
  await open({
    approvers: [{ kind: 'address', address: '{{upload.email}}', isGatekeeper: true }, ...asked('ben@example.com')],
  });
  const { sessionId, proofId } = await proved();
  expect(await askedAre(proofId)).toEqual([]);
  expect(rulesOf(await row(proofId)).lacksGatekeeper).toBe(true);
  await addRecipient(lab.deps, context(), {
    sessionId,
    proofId,
    email: 'gus@example.com',
    name: '',
    isGatekeeper: true,
    by: tester,
  });
  expect(await askedAre(proofId)).toEqual(['gus@example.com']);
  await decide(proofId, 'gus@example.com', approve);
  await decide(proofId, 'ben@example.com', approve);
  await ended(sessionId, 'Completed');
});

test('Quorum: two of three; who is taken out counts no longer', async () => {
  await open({ mode: 'Quorum', quorum: 2, approvers: asked('a@example.com', 'b@example.com', 'c@example.com') });
  const one = await proved();
  await decide(one.proofId, 'a@example.com', decline);
  await decide(one.proofId, 'b@example.com', approve);
  expect(await lab.status(one.sessionId)).toBe('OnHold');
  const { id: recipientId } = await recipient(one.proofId, 'c@example.com');
  await revokeLink(lab.deps, context(), { ...one, recipientId, by: tester });
  await ended(one.sessionId, 'CanceledByOperator');
});

test('AutoDecline, AutoApprove and Expire decide at the deadline, once, with a record that names nobody', async () => {
  for (const [onDeadline, decision, status] of [
    ['AutoDecline', 'Declined', 'CanceledByOperator'],
    ['AutoApprove', 'Approved', 'Completed'],
    ['Expire', 'Expired', 'CanceledByOperator'],
  ] as const) {
    await worker?.stop();
    await lab?.close();
    await open({ deadlineHours: 24, onDeadline, approvers: asked('anna@example.com') });
    const { sessionId, proofId } = await proved();
    await come(sessionId, 'due_at');
    await ended(sessionId, status);
    expect(await records(proofId)).toMatchObject([{ decision, name: '', link: null, ip: '' }]);
    await expect(decide(proofId, 'anna@example.com', approve)).rejects.toThrow('proof.alreadyDecided');
  }
});

test('Hold: nobody decides by link any more; more time opens it again', async () => {
  await open({ deadlineHours: 24, onDeadline: 'Hold', approvers: asked('anna@example.com') });
  const one = await proved();
  await come(one.sessionId, 'due_at');
  await expect.poll(async () => (await row(one.proofId)).state).toBe('Held');
  await expect(decide(one.proofId, 'anna@example.com', approve)).rejects.toThrow('proof.expired');
  await extendProof(lab.deps, context(), { ...one, by: tester, hours: 10 });
  await decide(one.proofId, 'anna@example.com', approve);
  await ended(one.sessionId, 'Completed');
});

test('Escalate: others are asked in place of who is silent, once; with nobody else the house decides', async () => {
  const escalateTo = [{ kind: 'address', address: 'boss@example.com, ben@example.com', name: '' }];
  const profile = { deadlineHours: 24, onDeadline: 'Escalate', mode: 'All', escalateTo };
  await open({ ...profile, approvers: asked('anna@example.com', 'ben@example.com') });
  const one = await proved();
  await decide(one.proofId, 'ben@example.com', approve);
  await come(one.sessionId, 'due_at');
  await mailed('boss@example.com', 1);
  await expect(decide(one.proofId, 'anna@example.com', approve)).rejects.toThrow();
  expect((await kinds(one.sessionId)).filter((kind) => kind === 'ProofLinkRevoked')).toHaveLength(1);
  expect((await lab.sql.query('select due_at from waits')).rows).toEqual([{ due_at: null }]);
  expect(await lab.status(one.sessionId)).toBe('OnHold');
  await decide(one.proofId, 'boss@example.com', approve);
  await ended(one.sessionId, 'Completed');

  await worker?.stop();
  await lab?.close();
  await open({ ...profile, escalateTo: [], approvers: asked('anna@example.com') });
  const alone = await proved();
  await come(alone.sessionId, 'due_at');
  await expect.poll(async () => (await row(alone.proofId)).state).toBe('Held');
});

test('a reminder that is due outside of the working hours waits for them', async () => {
  // Hours that begin in six hours and are over an hour later, by the clock of the time zone without an offset.
  const clock = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
  const hours = { isOn: true, from: clock(6), until: clock(7), hasWeekends: true };
  const reminder = { firstAfterHours: 1, everyHours: 1, max: 2 };
  await open({ reminder: { ...reminder, hours }, approvers: asked('anna@example.com') });
  const { sessionId, proofId } = await proved();
  await mailed('anna@example.com', 1);
  await come(sessionId, 'remind_at');
  const waits = async () => (await lab.sql.query('select remind_at from waits')).rows[0]?.remind_at as Date;
  await expect.poll(async () => (await waits()).toISOString().slice(11, 16)).toBe(hours.from);
  expect((await waits()).getTime()).toBeGreaterThan(Date.now() + 5 * 3_600_000);
  expect((await kinds(sessionId)).filter((kind) => kind === 'ProofReminded')).toEqual([]);
  await decide(proofId, 'anna@example.com', approve);
  await ended(sessionId, 'Completed');
});

test('whom the profile names is told of each reminder, once, and gets no link', async () => {
  const cc = [{ kind: 'address', address: 'sales@house.test, {{customer}}', name: '' }];
  const reminder = { firstAfterHours: 1, everyHours: 1, max: 2, cc };
  await open({ mode: 'All', reminder, approvers: asked('anna@example.com', 'ben@example.com') });
  const { sessionId, proofId } = await proved();
  await decide(proofId, 'ben@example.com', approve);
  for (const round of [1, 2]) {
    await come(sessionId, 'remind_at');
    await mailed('sales@house.test', round);
    await mailed('carla@example.com', round);
  }
  const told = received.filter(({ to }) => to === 'sales@house.test').map(({ text }) => text);
  for (const text of told) {
    expect(text).toContain('anna@example.com');
    expect(text).not.toContain('ben@example.com');
    expect(text).toContain(`https://print.test/workflows/session/${sessionId}`);
    expect(text).not.toContain('client-proofing');
  }
  await mailed('anna@example.com', 3);
});

test('reminders come with the same link, as often as the profile says, and not to who has decided', async () => {
  const reminder = { firstAfterHours: 1, everyHours: 1, max: 2 };
  await open({ mode: 'All', reminder, approvers: asked('anna@example.com', 'ben@example.com') });
  const { sessionId, proofId } = await proved();
  await mailed('anna@example.com', 1);
  await decide(proofId, 'ben@example.com', approve);
  for (const count of [2, 3]) {
    await come(sessionId, 'remind_at');
    await mailed('anna@example.com', count);
  }
  expect(new Set(linksTo('anna@example.com')).size).toBe(1);
  expect((await lab.sql.query('select remind_at from waits')).rows).toEqual([{ remind_at: null }]);
  await mailed('ben@example.com', 1);
  expect((await kinds(sessionId)).filter((kind) => kind === 'ProofReminded')).toHaveLength(2);
});

test('a run that comes to the step again makes the next version; the one before is superseded, and readable', async () => {
  await open({ approvers: asked('anna@example.com') });
  const first = await proved();
  await mailed('anna@example.com', 1);
  await restartSession(lab.deps, context(), { sessionId: first.sessionId, by: tester });
  await lab.settled();
  const second = await newest(first.sessionId);
  expect(second.version).toBe(2);
  await mailed('anna@example.com', 2);
  expect(received[1]?.text).toContain('New_version_of');
  expect(stateOf(await row(first.proofId))).toBe('Superseded');
  await expect(decide(first.proofId, 'anna@example.com', approve)).rejects.toThrow('proof.superseded');
  await decide(second.proofId, 'anna@example.com', approve);
  await ended(first.sessionId, 'Completed');
});

test('a decline that asks for another file keeps the session waiting; the house may still decide', async () => {
  await open({ onDecline: 'AskReplacement', approvers: asked('anna@example.com') });
  const { sessionId, proofId } = await proved();
  await decide(proofId, 'anna@example.com', decline);
  expect(await lab.status(sessionId)).toBe('OnHold');
  expect(await row(proofId)).toMatchObject({ state: 'Declined' });
  await expect(decide(proofId, 'anna@example.com', approve)).rejects.toThrow('proof.alreadyDecided');
  const ask = { proofId, recipientId: null, key: 'house 1', by: tester, onBehalf: 'She rang up' };
  await decideProof(lab.deps, context(), { ...ask, given: approve });
  await ended(sessionId, 'Completed');
  expect(await records(proofId)).toMatchObject([
    { decision: 'Declined', onBehalf: null },
    { decision: 'Approved', link: null, onBehalf: { by: 'Tester', reason: 'She rang up' } },
  ]);
});

test('a new link is sent and the one before works no more; a recipient is added once', async () => {
  await open({ approvers: asked('anna@example.com') });
  const one = await proved();
  await mailed('anna@example.com', 1);
  const { id: recipientId } = await recipient(one.proofId, 'anna@example.com');
  await resendLink(lab.deps, context(), { ...one, recipientId, by: tester });
  await mailed('anna@example.com', 2);
  const [before = '', now = ''] = linksTo('anna@example.com').filter((secret, at, all) => all.indexOf(secret) === at);
  const { rows } = await lab.sql.query('select link_hash from proof_recipients');
  expect(rows).toEqual([{ link_hash: Buffer.from(linkHashOf(now)) }]);
  expect(before).not.toBe(now);
  const add = { ...one, email: 'Ben@example.com', name: 'Ben', by: tester };
  await addRecipient(lab.deps, context(), add);
  await mailed('ben@example.com', 1);
  await expect(addRecipient(lab.deps, context(), add)).rejects.toThrow('proof.recipientExists');
});

test('a mail server that is out of order loses no message; one whose session is deleted is not sent any more', async () => {
  await open({ approvers: asked('anna@example.com') });
  isDown = true;
  const { sessionId } = await proved();
  const failed = async () => (await lab.sql.query(`select state, last_error from effects where kind = 'mail'`)).rows[0];
  await expect
    .poll(failed, { timeout: 60_000 })
    .toMatchObject({ state: 'Pending', last_error: expect.stringContaining('out of order') });
  isDown = false;
  await lab.sql.query('update effects set next_at = now()');
  await mailed('anna@example.com', 1);
  isDown = true;
  const other = await proved();
  await deleteSession(lab.deps, context(), { sessionId: other.sessionId, by: tester });
  isDown = false;
  await lab.sql.query(`update effects set next_at = now() where state = 'Pending'`);
  await expect
    .poll(async () => (await lab.sql.query(`select 1 from effects where state = 'Pending'`)).rowCount, {
      timeout: 60_000,
    })
    .toBe(0);
  await mailed('anna@example.com', 1);
  expect(await lab.status(sessionId)).toBe('OnHold');
});

/** Writes what a preflight before the proof would have left, and opens the proof with this level. */
async function judged(proofId: string, sessionId: string, is: 'Warning' | 'Error'): Promise<string[]> {
  const step = (await lab.sql.query(`select step_run_id from proofs where id = $1`, [proofId])).rows[0].step_run_id;
  const severities = is === 'Error' ? ['Fail', 'Warn', 'Info'] : ['Warn', 'Info'];
  for (const [no, severity] of severities.entries())
    await lab.sql.query(
      `insert into findings (id, subscriber_id, session_id, step_run_id, run_no, no, check_key, code, severity, data)
       values ($1, $2, $3, $4, 1, $5, 'X', 'X.y', $6, '{}')`,
      [newId('finding'), lab.subscriberId, sessionId, step, no, severity],
    );
  await lab.sql.query(`update proofs set level = $2, judged_by_id = $3, is_checked = true where id = $1`, [
    proofId,
    is,
    step,
  ]);
  const { rows } = await lab.sql.query(
    `select id from findings where severity <> 'Info' and session_id = $1 order by id`,
    [sessionId],
  );
  return rows.map(({ id }) => id);
}

test.each([
  ['AlwaysApprove', 'Error', 0],
  ['ConfirmIfError', 'Warning', 0],
  ['ConfirmIfError', 'Error', 1],
  ['ConfirmIfWarnOrError', 'Warning', 1],
  ['ConfirmIfWarnOrError', 'Error', 2],
  ['Decline', 'Error', null],
  ['Decline', 'Warning', 0],
] as const)('policy %s with %s: findings to accept: %s', async (approvalPolicy, is, count) => {
  await open({ approvalPolicy, approvers: asked('anna@example.com') });
  const { sessionId, proofId } = await proved();
  const ids = await judged(proofId, sessionId, is);
  const needs = await lab.deps.database.withSubscriber(context(), async (tx) => {
    const of = judgedOf(await row(proofId));
    return approvalOf(of, await findingsToAccept(tx, of));
  });
  if (needs.need === 'impossible') {
    expect(count).toBeNull();
    await expect(decide(proofId, 'anna@example.com', { ...approve, accepts: 'x' })).rejects.toThrow(
      'proof.approvalNotPossible',
    );
    await decide(proofId, 'anna@example.com', decline);
    await ended(sessionId, 'CanceledByOperator');
    return;
  }
  if (needs.need === 'acceptance') {
    expect(needs.count).toBe(count);
    await expect(decide(proofId, 'anna@example.com', approve)).rejects.toThrow('proof.findingsNotAccepted');
    await expect(decide(proofId, 'anna@example.com', { ...approve, accepts: 'x' })).rejects.toThrow(
      'proof.findingsChanged',
    );
  }
  await decide(proofId, 'anna@example.com', {
    ...approve,
    ...(needs.need === 'acceptance' && { accepts: needs.digest }),
  });
  const [record] = await records(proofId);
  expect(record?.acceptedFindingIds).toEqual(ids.slice(0, count ?? 0));
  await ended(sessionId, 'Completed');
});

test('silence accepts no findings: AutoApprove holds where the policy asks for an acceptance', async () => {
  await open({ deadlineHours: 1, onDeadline: 'AutoApprove', approvers: asked('anna@example.com') });
  const { sessionId, proofId } = await proved();
  await judged(proofId, sessionId, 'Warning');
  await come(sessionId, 'due_at');
  await expect.poll(async () => (await row(proofId)).state).toBe('Held');
  expect(await lab.status(sessionId)).toBe('OnHold');
});

test('silence passes no gatekeeper: AutoApprove holds until they have approved, and approves for the others', async () => {
  await open({ ...gated, deadlineHours: 1, onDeadline: 'AutoApprove' });
  const silent = await proved();
  await come(silent.sessionId, 'due_at');
  await expect.poll(async () => (await row(silent.proofId)).state).toBe('Held');
  expect(await lab.status(silent.sessionId)).toBe('OnHold');

  const passed = await proved();
  await decide(passed.proofId, 'gail@example.com', approve);
  await come(passed.sessionId, 'due_at');
  await ended(passed.sessionId, 'Completed');
  expect(await records(passed.proofId)).toMatchObject([
    { email: 'gail@example.com', decision: 'Approved', asked: { mode: 'Any', isGatekeeper: true } },
    { name: '', decision: 'Approved', asked: { mode: 'Any', isGatekeeper: false } },
  ]);
});

test('what the profile asks for must be there, each lack by its field', async () => {
  await open({
    approvers: asked('anna@example.com'),
    isNameRequired: true,
    isEmailRequired: true,
    isReasonRequired: true,
    commentMinLength: 5,
    checkboxes: [{ id: 'size', text: { en: 'The size is right', fr: 'Le format est bon' } }],
    legalText: { en: 'I am liable.', fr: 'J’assume.' },
  });
  const { sessionId, proofId } = await proved();
  await expect(decide(proofId, 'anna@example.com', { decision: 'Declined' })).rejects.toMatchObject({
    problems: [
      { code: 'proof.fieldMissing', field: 'name' },
      { code: 'proof.fieldMissing', field: 'email' },
      { code: 'proof.fieldMissing', field: 'comment' },
      { code: 'proof.commentTooShort', field: 'comment', params: { min: 5 } },
    ],
  });
  const given = { ...approve, name: 'Anna', email: 'anna@home.test' };
  await expect(decide(proofId, 'anna@example.com', given)).rejects.toMatchObject({
    problems: [{ code: 'proof.checkboxMissing', field: 'checkboxes.size' }],
  });
  await expect(decide(proofId, 'anna@example.com', { ...given, sha256: 'other' })).rejects.toThrow('proof.fileChanged');
  await decide(proofId, 'anna@example.com', { ...given, checkboxes: ['size'] });
  expect(await records(proofId)).toMatchObject([
    {
      checkboxes: [{ id: 'size', text: 'Le format est bon' }],
      legalText: { text: 'J’assume.' },
      email: 'anna@home.test',
    },
  ]);
  await ended(sessionId, 'Completed');
});

test('lines about the job have their values when the proof is opened, and stand in the record of the decision', async () => {
  const details = [
    { label: { en: 'File', fr: 'Fichier' }, value: '{{file.name}}, {{customer}}' },
    { label: { en: 'Quantity' }, value: '{{order.quantity}}' },
  ];
  await open({ approvers: asked('ana@example.com'), details });
  const { proofId } = await proved();
  await decide(proofId, 'ana@example.com', approve);
  const record = (await row(proofId)).decisions[0]?.record as { details?: unknown };
  expect(record.details).toEqual([{ label: 'Fichier', value: 'test.pdf, carla@example.com; dora@example.com' }]);
});

test('records cannot be changed, and a forged one is found', async () => {
  await open({ mode: 'All', approvers: asked('anna@example.com', 'ben@example.com') });
  const { proofId } = await proved();
  await decide(proofId, 'anna@example.com', approve);
  await expect(lab.sql.query(`update proof_decisions set decision = 'Declined'`)).rejects.toThrow('immutable');
  await expect(
    lab.deps.database.withSubscriber(context(), (tx) => tx.proofDecision.deleteMany({ where: { proofId } })),
  ).rejects.toThrow('permission denied');
  await lab.sql.query('alter table proof_decisions disable trigger immutable');
  await lab.sql.query(`update proof_decisions set record = jsonb_set(record, '{name}', '"Eve"')`);
  expect((await lab.sql.query('select no from proof_decision_breaks')).rows).toEqual([{ no: 1 }]);
  await lab.sql.query(`update proof_decisions set record = jsonb_set(record, '{name}', '""')`);
});

test('what was made of a file and removed with its time is made anew when it is asked for, and not when its source is gone', async () => {
  await open({ allowDownload: 'lowResolution', allowNotes: true, approvers: asked('anna@example.com') });
  const { proofId, sessionId } = await proved();
  const { id: recipientId } = await recipient(proofId, 'anna@example.com');
  await writeNote(lab.deps, context(), { proofId, key: 'one click', by: { recipientId, name: 'Anna' }, text: 'Blue' });
  await decide(proofId, 'anna@example.com', approve);
  await lab.settled();
  expect(await lab.status(sessionId)).toBe('Completed');

  let drawn = 0;
  const draw = async ({ workDir }: { workDir: string }) => {
    drawn += 1;
    const made = path.join(workDir, 'made.pdf');
    await writeFile(made, `%PDF-1.6 ${drawn}`);
    return made;
  };
  const workFolder = path.join(lab.folder, 'copies');
  const make = () =>
    deliverDue(
      lab.deps,
      {
        pictureCopy: makePictureCopies(lab.deps, { workFolder, makePictureCopy: draw }),
        proofNotes: makeNotesCopies(lab.deps, { workFolder, makeNotesCopy: draw }),
      },
      { count: 20, stopped: new AbortController().signal },
    );
  const files = async () =>
    lab.deps.database.withSubscriber(context(), async (tx) => [
      await findPictureCopy(tx, { proof: await demandProof(tx, proofId), recipientId }),
      await findNotesCopy(tx, proofId),
    ]);
  const ask = async () => [
    await askForPictureCopy(lab.deps, context(), { proof: await row(proofId), recipientId }),
    await askForNotesCopy(lab.deps, context(), proofId),
  ];
  /** The file that was made goes after ten days, the file as it came, which is the one that was proved, after twenty. */
  const passes = async (days: number) => {
    const policy = { daysSource: 20, daysFinal: 10, start: 'completed', isLegalHold: false };
    await lab.sql.query(
      `update sessions set finished_at = now() - make_interval(days => $2),
              decisions = decisions || jsonb_build_object('retention', $3::jsonb) where id = $1`,
      [sessionId, days, { ...policy, keepsThumbnails: true, keepsRecord: true, policy: null }],
    );
    expect(await removeDueFiles(lab.deps)).toBe(1);
  };

  await ask();
  expect(await make()).toBe(2);
  const first = await files();
  // While it is there, nothing is made for who asks again.
  await ask();
  expect([await make(), drawn]).toEqual([0, 2]);

  await passes(15);
  expect(await files()).toEqual([null, null]);
  expect(await ask()).toEqual(Array(2).fill({ state: 'asked', code: null }));
  // Asked twice before it is made, it is made once.
  await ask();
  expect([await make(), drawn]).toEqual([2, 4]);
  const second = await files();
  expect(second.map((file, at) => file !== null && file.id !== first[at]?.id)).toEqual([true, true]);

  await passes(25);
  const gone = { problems: [{ code: 'file.removed' }] };
  await expect(
    askForPictureCopy(lab.deps, context(), { proof: await row(proofId), recipientId }),
  ).rejects.toMatchObject(gone);
  await expect(askForNotesCopy(lab.deps, context(), proofId)).rejects.toMatchObject(gone);
  // A certificate that was never asked for before says so instead of being waited for; one that was made stays for good.
  await expect(askForCertificate(lab.deps, context(), { proofId, locale: 'en' })).rejects.toMatchObject(gone);
  expect([await make(), drawn]).toEqual([0, 4]);
});
