import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  type ClientFinding,
  type ClientProof,
  clientProofRoutes,
  mostDrawnNotes,
  mostNoteAnswers,
  mostNotes,
  mostPrivateNotes,
  type NotePlaces,
  type NotesPage,
  type PrivateNote,
  type RouteResult,
  type routes,
  type SessionEvent,
  type SessionProof,
  type WrittenNote,
} from '@pdf2press/contract';
import {
  deleteSession,
  deliverDue,
  eachNote,
  makePictureCopies,
  type RunningWorker,
  receiveFile,
  restartSession,
  startWorker,
} from '@pdf2press/engine';
import { listKeptMail } from '@pdf2press/mail';
import { newId } from '@pdf2press/prisma';
import { statementsOf } from '@pdf2press/prisma/testing';
import { runStep } from '@pdf2press/steps/runners';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { form } from '../testing/form.ts';
import { type Answer, type Lab, type SignedIn, startLab } from '../testing/lab.ts';

type Issues = RouteResult<typeof routes.workflows.publish>;

/** Links to proofs: what each route answers to each kind of link, and what the house does with them. */
let lab: Lab;
let worker: RunningWorker;
let ana: SignedIn;
let stranger: SignedIn;
let workflowId: string;
let foreignWorkflowId: string;
/** Its links ask for a code. */
let codedWorkflowId: string;
const system = { kind: 'system', name: '' } as const;

const tools = { progress: () => undefined, runTask: () => Promise.reject(new Error('opens no PDF')) };
beforeAll(async () => {
  lab = await startLab();
  ana = await lab.signIn(await lab.makeAdministrator(await lab.makeSubscriber('Paper + Ink'), 'ana@example.com'));
  stranger = await lab.signIn(await lab.makeAdministrator(await lab.makeSubscriber('Other'), 'stranger@example.com'));
  const approvers = ['anna@customer.test', 'ben@customer.test'].map((address) => ({ kind: 'address', address }));
  const settings = { approvers, mode: 'All', allowDownload: 'production', isReasonRequired: false };
  workflowId = await publish(ana, settings);
  foreignWorkflowId = await publish(stranger, settings);
  codedWorkflowId = await publish(ana, { ...settings, linkProtection: 'code' });
  worker = await startWorker(lab.deps.engine, {
    databaseUrl: lab.deps.env.databaseUrl,
    instance: 'proofs',
    doorbell: { kind: 'none' },
    slots: 1,
    execute: (context) =>
      context.step.kind === 'Inject' ? Promise.resolve({ end: 'outcome', outcome: 'done' }) : runStep(context, tools),
    workFolder: `${lab.deps.env.dataDir}/work`,
    engineVersion: '1',
  });
}, 120_000);
afterAll(async () => {
  await worker.stop();
  await lab.stop();
});

const steps = (profileId: string) => [
  { id: 'inject', kind: 'Inject' },
  { id: 'proof', kind: 'Proof', settings: { profileId } },
  { id: 'yes', kind: 'Complete' },
  { id: 'no', kind: 'Cancel', settings: { reason: 'declined' } },
];
const edges = [
  { id: 'a', from: 'inject', outcome: 'done', to: 'proof' },
  { id: 'b', from: 'proof', outcome: 'Approved', to: 'yes' },
  { id: 'c', from: 'proof', outcome: 'Declined', to: 'no' },
];

/** A draft whose second step proves with a new profile. */
async function draft(as: SignedIn, settings: object, more: object = {}): Promise<string> {
  const profile = await lab.call<{ id: string }>('POST', '/profiles/proofing', {
    as,
    body: { name: newId('profile'), settings },
  });
  const { result } = await lab.call<{ id: string; draftRevision: number }>('POST', '/workflows', {
    as,
    body: { name: newId('workflow') },
  });
  const body = {
    name: newId('workflow'),
    draft: { steps: steps(profile.result.id), edges, ...more },
    draftRevision: result.draftRevision,
  };
  expect((await lab.call('PUT', `/workflows/${result.id}`, { as, body })).statusCode).toBe(200);
  return result.id;
}
async function publish(as: SignedIn, settings: object, more: object = {}): Promise<string> {
  const id = await draft(as, settings, more);
  expect((await lab.call('POST', `/workflows/${id}/publish`, { as, body: {} })).statusCode).toBe(200);
  return id;
}

interface Link {
  publicId: string;
  secret: string;
}
interface Proved {
  sessionId: string;
  anna: Link;
  ben: Link;
}

async function linksOf(as: SignedIn, sessionId: string): Promise<{ anna: Link; ben: Link }> {
  await lab.deliverMails();
  const { publicId } = await lab.deps.db.asHost((tx) => tx.session.findUniqueOrThrow({ where: { id: sessionId } }));
  const kept = await listKeptMail(lab.deps.mail.keepFolder, as.subscriberId, 500);
  const newest = (to: string): Link => {
    const texts = kept.filter((mail) => mail.to === to).map(({ text }) => text);
    const secret = texts.map((text) => text.split(`/client-proofing/${publicId}/`)[1]?.trim()).find(Boolean) ?? '';
    expect(secret).toMatch(/^[\w-]{43}$/);
    return { publicId, secret };
  };
  return { anna: newest('anna@customer.test'), ben: newest('ben@customer.test') };
}

/** A session that waits for its proof. */
async function atProof(as: SignedIn, workflow: string): Promise<string> {
  const { sessionId } = await receiveFile(lab.deps.engine, {
    context: { subscriberId: as.subscriberId },
    workflowId: workflow,
    source: 'ManualInjected',
    fileName: 'flyer.pdf',
    bytes: (async function* once() {
      yield Buffer.from(`%PDF-1.4 ${newId('file')}`);
    })(),
    createdBy: system,
    ingest: { kind: 'test', key: newId('file') },
  });
  await stands(as, sessionId, 'OnHold');
  return sessionId;
}

/** A session that waits for its proof, with the links that were mailed. */
async function proved(as: SignedIn = ana, workflow = as === ana ? workflowId : foreignWorkflowId): Promise<Proved> {
  const sessionId = await atProof(as, workflow);
  return { sessionId, ...(await linksOf(as, sessionId)) };
}
const stands = (as: SignedIn, id: string, status: string) =>
  vi.waitFor(
    async () => {
      const { result } = await lab.call<{ status: string }>('GET', `/sessions/${id}`, { as });
      expect(result.status).toBe(status);
    },
    { timeout: 60_000, interval: 100 },
  );
const proofsOf = async (id: string) =>
  (await lab.call<SessionProof[]>('GET', `/sessions/${id}/proofs`, { as: ana })).result;

const values: Record<string, string> = {
  noteId: 'pnt_none',
  fileId: 'fil_none',
  page: '1',
  version: 'production',
  layer: 'rgb',
  dpi: '72',
  tile: '0_0.webp',
};
const bodies: Record<string, (sha256: string) => object> = {
  look: () => ({ isNew: true, pages: [1, 2] }),
  deciding: () => ({ isDeciding: true }),
  enterCode: () => ({ code: '000000' }),
  addNote: () => ({ key: 'one click', text: 'Blue, please', page: 1, box: [10, 10, 20, 20] }),
  decide: (sha256) => ({ key: newId('upload'), decision: 'Approved', name: 'Anna', sha256, timeZone: 'Europe/Rome' }),
};
function ask<T = unknown>(
  name: keyof typeof clientProofRoutes,
  link: Link,
  sha256 = 'x',
  cookie: Record<string, string> = {},
): Promise<Answer<T>> {
  const route = clientProofRoutes[name];
  const path = route.path
    .replace(':sessionId', link.publicId)
    .replace(':proofStepId', link.secret)
    .replace(/:(\w+)/g, (_, key: string) => values[key] ?? '');
  if (name === 'replaceFile' || name === 'addNoteFile') {
    const { headers, body } = form({}, { name: 'better.pdf', bytes: Buffer.from(`%PDF-1.4 better ${newId('file')}`) });
    return lab.call<T>('POST', path, { headers: { ...headers, ...cookie }, body });
  }
  return lab.call<T>(route.method, path, { headers: cookie, ...(bodies[name] && { body: bodies[name]?.(sha256) }) });
}
const view = async (link: Link): Promise<ClientProof> => (await ask<ClientProof>('get', link)).result;
const shaOf = async (link: Link): Promise<string> => {
  const proof = await view(link);
  return 'sha256' in proof ? proof.sha256 : '';
};
const names = Object.keys(clientProofRoutes) as (keyof typeof clientProofRoutes)[];

/** What a right link gets: pictures are made on the first request. */
const right: Record<keyof typeof clientProofRoutes, number> = {
  get: 200,
  // This link asks for no code.
  sendCode: 404,
  enterCode: 404,
  findings: 200,
  fixes: 200,
  pages: 202,
  tile: 202,
  thumbnail: 202,
  file: 200,
  // This profile offers the file itself.
  pictureCopy: 404,
  pictureCopyFile: 404,
  // Nothing is decided yet.
  certificate: 409,
  certificateFile: 404,
  plain: 200,
  askForReceipt: 409,
  look: 200,
  notes: 200,
  notePlaces: 200,
  addNote: 200,
  // Of that name there is none.
  removeNote: 404,
  addNoteFile: 404,
  noteFile: 404,
  // Nobody shares a gate: it changes nothing.
  deciding: 200,
  decide: 200,
  replaceFile: 200,
};

/** A page that says this, and names neither the file nor a receipt. */
const saysOnly = (words = '') => ({
  asymmetricMatch: (body: string) => body.includes(words) && !/flyer|Receipt|certificate/.test(body),
});
const goneWords: Readonly<Record<string, string>> = {
  expired: 'has expired',
  superseded: 'a newer version',
  deleted: 'The proof is unavailable when the order was deleted.',
};

describe('every route', () => {
  let one: Proved;
  /** Links that must not be told apart from one that never existed. */
  let wrong: Record<string, Link>;
  /** Right links of proofs that are not to be seen any more. */
  let gone: Record<'expired' | 'superseded' | 'deleted', Link>;

  beforeAll(async () => {
    one = await proved();
    const other = await proved();
    const foreign = await proved(stranger);
    const revoked = await proved();
    const [proof] = await proofsOf(revoked.sessionId);
    const recipientId = proof?.recipients[0]?.id ?? '';
    await lab.call('POST', `/sessions/${revoked.sessionId}/proofs/${proof?.id}/recipients/${recipientId}/revoke`, {
      as: ana,
    });
    const { publicId, secret } = one.anna;
    wrong = {
      'another secret': { publicId, secret: `${secret.slice(0, -2)}${secret.endsWith('AA') ? 'BB' : 'AA'}` },
      'no secret': { publicId, secret: 'x' },
      'a long secret': { publicId, secret: 'A'.repeat(100) },
      'odd characters': { publicId, secret: '..%2f..%2f' },
      'the id of a step': { publicId, secret: proof?.stepRunId ?? '' },
      'another proof’s': { publicId, secret: other.anna.secret },
      'another tenant’s': { publicId, secret: foreign.anna.secret },
      'the session’s inner id': { publicId: one.sessionId, secret },
      'another session’s id': { publicId: other.anna.publicId, secret },
      revoked: revoked.anna,
    };
    const [expired, superseded, deleted] = [await proved(), await proved(), await proved()];
    await lab.deps.db.asHost(
      (tx) =>
        tx.$executeRaw`update proof_recipients set link_expires_at = now() where session_id = ${expired.sessionId}`,
    );
    const context = { subscriberId: ana.subscriberId };
    await restartSession(lab.deps.engine, context, { sessionId: superseded.sessionId, by: system });
    await deleteSession(lab.deps.engine, context, { sessionId: deleted.sessionId, by: system });
    gone = { expired: expired.anna, superseded: superseded.anna, deleted: deleted.anna };
  }, 120_000);

  test.each(names)('%s with a wrong link answers as if there were none, whatever is wrong', async (name) => {
    const answers = await Promise.all(Object.values(wrong).map((link) => ask(name, link)));
    for (const [at, answer] of answers.entries()) {
      expect(answer.statusCode, Object.keys(wrong)[at]).toBe(404);
      expect(answer.envelope.errors.map(({ code }) => code)).toEqual(['resource.notFound']);
      expect(answer.body).toBe(answers[0]?.body);
      const told = ({ headers }: Answer<unknown>) => {
        const { date: _, 'x-request-id': __, ...others } = headers;
        return others;
      };
      expect(told(answer)).toEqual(told(answers[0] as Answer<unknown>));
    }
  });

  test.each(names)(
    '%s asks the database the same of every wrong link, so that the time of the answer tells nothing',
    async (name) => {
      const asked: string[][] = [];
      for (const link of Object.values(wrong)) asked.push(await statementsOf(() => ask(name, link)));
      expect(asked[0]).toContain('BEGIN');
      for (const [at, statements] of asked.entries()) expect(statements, Object.keys(wrong)[at]).toEqual(asked[0]);
    },
  );

  test.each(names)('%s with a right link to what is gone says what became of it', async (name) => {
    for (const [state, link] of Object.entries(gone)) {
      const answer = await ask<ClientProof>(name, link);
      if (name === 'get') expect(answer.result).toMatchObject({ state, sentence: expect.stringMatching(/\./) });
      else if (name === 'plain') expect([answer.statusCode, answer.body]).toEqual([200, saysOnly(goneWords[state])]);
      else expect([answer.statusCode, answer.envelope.errors[0]?.code]).toEqual([410, `proof.${state}`]);
    }
    expect(await view(gone.deleted)).toMatchObject({
      sentence: 'The proof is unavailable when the order was deleted.',
    });
  });

  test('the readings change nothing, set no cookie and are not to be indexed or referred to', async () => {
    const everything = () =>
      lab.deps.db.asHost(
        (tx) => tx.$queryRaw`
          select (select md5(string_agg(row::text, '' order by row::text)) from proofs row) as proofs,
                 (select md5(string_agg(row::text, '' order by row::text)) from proof_recipients row) as recipients,
                 (select count(*)::int from proof_decisions) as decisions,
                 (select md5(string_agg(row::text, '' order by row::text)) from waits row) as waits,
                 (select count(*)::int from session_events) as events,
                 (select count(*)::int from audit_entries) as audit`,
      );
    const before = await everything();
    for (const name of names.filter((each) => clientProofRoutes[each].method === 'GET' && each !== 'file')) {
      const { headers } = await ask(name, one.ben);
      expect(headers['set-cookie']).toBeUndefined();
      expect(headers).toMatchObject({
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex, nofollow',
        'cache-control': 'no-store',
      });
    }
    expect(await everything()).toEqual(before);
  });

  test('the proof is read in few round trips to the database', async () => {
    const statements = await statementsOf(() => ask('get', one.anna));
    expect(statements.length, statements.join('\n')).toBe(12);
  });

  test.each(names)('%s with the right link', async (name) => {
    expect((await ask(name, one.anna, await shaOf(one.ben))).statusCode).toBe(right[name]);
  });

  test('a corrected file made the next version: the links of the first lead to it no more', async () => {
    await stands(ana, one.sessionId, 'OnHold');
    await expect
      .poll(async () => (await proofsOf(one.sessionId)).map(({ version, state }) => [version, state]))
      .toEqual([
        [2, 'Open'],
        [1, 'Superseded'],
      ]);
    expect((await view(one.ben)).state).toBe('superseded');
    const { anna } = await linksOf(ana, one.sessionId);
    expect(await view(anna)).toMatchObject({ state: 'open', version: 2 });
  });
});

const said = (answer: Answer<unknown>) => [answer.statusCode, answer.envelope.errors[0]?.code];

describe('the page without scripts', () => {
  const read = (link: Link, language = 'en', more = '') =>
    lab.call('GET', `/client-proofing/${link.publicId}/${link.secret}/plain${more}`, {
      headers: { 'accept-language': language },
    });

  test('says what is asked in the reader’s language and where to write to, with the guards of the other pages', async () => {
    const { anna } = await proved();
    const { headers, body } = await read(anna);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toContain("script-src 'self'");
    expect(body).toMatch(/Proof of “flyer\.pdf”.*answer “Approve” or “Decline”/s);
    expect(body).toContain('You can also answer the message that brought you here.');
    expect(body).not.toMatch(/<script|<form/);
    expect((await read(anna, 'fr')).body).toMatch(/<html lang="fr">.*Épreuve de « flyer\.pdf »/s);
  });

  test('names the address of the profile that wrote, else the organization’s, else the sender of the house’s mails', async () => {
    const profile = await lab.call<{ id: string }>('POST', '/profiles/communication', {
      as: ana,
      body: {
        name: 'Answered elsewhere',
        settings: { replyTo: 'proofs@house.test', events: { ProofRequested: { isOn: false } } },
      },
    });
    const told = { communicationProfileId: profile.result.id };
    const written = await proved(ana, await publish(ana, bothAsked, told));
    expect((await read(written.anna)).body).toContain('mailto:proofs@house.test');

    const { anna, sessionId } = await proved();
    const writtenTo = async () => /mailto:([^"]+)/.exec((await read(anna)).body)?.[1];
    const settings = (await lab.call<object>('GET', '/SystemSettings', { as: ana })).result;
    const smtpSettings = { host: 'mail.example.com', senderEmail: 'sender@house.test' };
    expect(
      (await lab.call('PUT', '/SystemSettings', { as: ana, body: { ...settings, smtpSettings } })).statusCode,
    ).toBe(200);
    expect(await writtenTo()).toBe('sender@house.test');
    await lab.call('PUT', '/SystemSettings', { as: ana, body: settings });
    const { result } = await lab.call<{ id: string }>('POST', '/organizations', {
      as: ana,
      body: { name: 'Acme Cards', replyTo: 'cards@acme.test' },
    });
    await lab.deps.db.asHost((tx) =>
      tx.session.update({ where: { id: sessionId }, data: { organizationId: result.id } }),
    );
    expect(await writtenTo()).toBe('cards@acme.test');
    expect((await read(anna)).body).toContain('<p class="house">Acme Cards</p>');
  });

  test('after a decision it says what was decided, and has its receipt made by a form that leads back', async () => {
    const { anna, ben } = await proved();
    await decide(anna, { key: 'one click only', decision: 'Approved', name: 'Anna A.', sha256: await shaOf(anna) });
    expect((await read(anna)).body).toMatch(/Your answer was “Approve”.*<form method="post" action="plain"/s);
    await decide(ben, { key: 'the last click', decision: 'Approved', name: 'Ben B.', sha256: await shaOf(ben) });
    const { body } = await read(anna);
    expect(body).toMatch(/“Approve”: Ben B\., .*<form method="post" action="plain"/s);
    const receipt = `/api/client-proofing/${anna.publicId}/${anna.secret}/certificate.pdf`;
    expect(body).toContain(`<p>${lab.deps.env.publicUrl}${receipt}</p>`);
    // As a browser sends a form that has no fields.
    const boundary = 'a-form-without-fields';
    const sent = await lab.call('POST', `/client-proofing/${anna.publicId}/${anna.secret}/plain`, {
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      body: Buffer.from(`--${boundary}--\r\n`),
    });
    expect([sent.statusCode, sent.headers.location]).toEqual([303, 'plain?receipt=underway']);
    const asked = await lab.deps.db.withSubscriber({ subscriberId: ana.subscriberId }, (tx) =>
      tx.effect.count({ where: { kind: 'certificate', payload: { path: ['locale'], equals: 'en' } } }),
    );
    expect(asked).toBe(1);
    expect((await read(anna, 'en', '?receipt=underway')).body).toContain('The receipt is being made.');
    expect((await read(anna, 'en', '?receipt=x')).body).toContain('<form');
  });
});

describe('a link that asks for a code', () => {
  let one: Proved;
  beforeAll(async () => {
    one = await proved(ana, codedWorkflowId);
  }, 120_000);

  /** The newest code that was mailed to somebody about this link, among as many as there were. */
  const codeFor = async (to: string, count: number): Promise<string> => {
    let found: string[] = [];
    await vi.waitFor(
      async () => {
        await lab.deliverMails();
        const kept = await listKeptMail(lab.deps.mail.keepFolder, ana.subscriberId, 500);
        found = kept.flatMap((mail) => (mail.to === to ? (/^\d{6}$/m.exec(mail.text) ?? []) : []));
        expect(found).toHaveLength(count);
      },
      { timeout: 60_000, interval: 100 },
    );
    return found[0] ?? '';
  };
  const enter = ({ publicId, secret }: Link, code: string) =>
    lab.call<ClientProof>('POST', `/client-proofing/${publicId}/${secret}/guard`, { body: { code } });
  /** Codes are asked for again at once, as if some time had passed. */
  const pass = (seconds: number) =>
    lab.deps.db.asHost(
      (tx) => tx.$executeRaw`
        update proof_recipients set code_asked_at = code_asked_at - make_interval(secs => ${seconds})
         where session_id = ${one.sessionId}`,
    );
  const guardOf = (answer: Answer<unknown>) => ({ cookie: String(answer.headers['set-cookie']).split(';')[0] ?? '' });

  test.each(names)('%s shows nothing and does nothing before the code is entered', async (name) => {
    const answer = await ask<ClientProof>(name, one.anna);
    const codes = { sendCode: [200, undefined], enterCode: [422, 'proof.codeWrong'] };
    if (name === 'get')
      expect(answer.result).toEqual({ state: 'guarded', house: expect.anything(), email: 'a…@customer.test' });
    else if (name === 'plain') expect(answer.body).toEqual(saysOnly('opened with a code'));
    else expect(said(answer)).toEqual(name in codes ? codes[name as 'sendCode'] : [403, 'proof.codeNeeded']);
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  test('the code of the mail opens it, once, in this browser and for this link alone', async () => {
    const code = await codeFor('anna@customer.test', 1);
    // Whoever clicks twice gets one message.
    expect((await ask('sendCode', one.anna)).statusCode).toBe(200);
    expect(await codeFor('anna@customer.test', 1)).toBe(code);
    const wrong = code === '123456' ? '654321' : '123456';
    expect(said(await enter(one.anna, wrong))).toEqual([422, 'proof.codeWrong']);
    expect(said(await enter(one.ben, code))).toEqual([422, 'proof.codeWrong']);
    const entered = await Promise.all([enter(one.anna, code), enter(one.anna, `${code.slice(0, 3)} ${code.slice(3)}`)]);
    expect(entered.map(({ statusCode }) => statusCode).sort()).toEqual([200, 422]);
    const [opened] = entered.filter(({ statusCode }) => statusCode === 200) as [Answer<ClientProof>];
    expect(opened.result.state).toBe('open');
    const [cookie] = [opened.headers['set-cookie']].flat();
    expect(cookie).toContain(`Path=/api/client-proofing/${one.anna.publicId}/${one.anna.secret};`);
    expect(cookie).toMatch(/HttpOnly/);
    expect(cookie).toMatch(/SameSite=Strict/);
    const guard = guardOf(opened);
    expect((await ask<ClientProof>('get', one.anna, 'x', guard)).result.state).toBe('open');
    expect((await ask<ClientProof>('get', one.ben, 'x', guard)).result.state).toBe('guarded');
    const forged = { cookie: guard.cookie.replace(/\|\d+\./, `|${Date.now() + 9e9}.`) };
    expect(forged).not.toEqual(guard);
    expect((await ask<ClientProof>('get', one.anna, 'x', forged)).result.state).toBe('guarded');

    for (const name of names.filter((each) => !['sendCode', 'enterCode', 'decide', 'replaceFile'].includes(each)))
      expect([name, (await ask(name, one.anna, 'x', guard)).statusCode]).toEqual([name, right[name]]);
    const sha256 = (await ask<{ sha256: string }>('get', one.anna, 'x', guard)).result.sha256;
    expect((await ask('decide', one.anna, sha256)).statusCode).toBe(403);
    expect((await ask('decide', one.anna, sha256, guard)).statusCode).toBe(200);
    const [proof] = await proofsOf(one.sessionId);
    expect(proof?.records.map(({ record }) => record.link)).toMatchObject([
      { sentTo: 'anna@customer.test', isCodeEntered: true },
    ]);
    expect(proof?.recipients[0]?.messages.map(({ template }) => template)).toEqual(['proofRequest', 'proofCode']);
  });

  test('a code is entered five times in vain, and works for ten minutes; the newest is the only one', async () => {
    await ask('sendCode', one.ben);
    const first = await codeFor('ben@customer.test', 1);
    await pass(60);
    await ask('sendCode', one.ben);
    const second = await codeFor('ben@customer.test', 2);
    expect(second).not.toBe(first);
    expect(said(await enter(one.ben, first))).toEqual([422, 'proof.codeWrong']);
    for (const code of ['', 'abcdef', '12345', '1234567']) await enter(one.ben, code);
    expect(said(await enter(one.ben, second))).toEqual([422, 'proof.codeWrong']);

    // It cannot be entered any more, so another is sent at once.
    await ask('sendCode', one.ben);
    const third = await codeFor('ben@customer.test', 3);
    await pass(601);
    expect(said(await enter(one.ben, third))).toEqual([422, 'proof.codeWrong']);
    await ask('sendCode', one.ben);
    const fourth = await codeFor('ben@customer.test', 4);
    const opened = await enter(one.ben, fourth);
    expect(opened.result.state).toBe('open');
    // One that would arrive too late is not sent.
    await ask('sendCode', one.ben);
    await pass(601);
    expect(await codeFor('ben@customer.test', 4)).toBe(fourth);
    const { rows } = await lab.deps.db.asHost(async (tx) => ({
      rows: await tx.$queryRaw<{ kept: string }[]>`
        select string_agg(payload::text, '') as kept from effects where session_id = ${one.sessionId}`,
    }));
    expect(rows[0]?.kept).not.toContain(fourth);

    // A new link asks for a code again, whatever was entered for the one before.
    const [{ id = '', recipients = [] } = {}] = await proofsOf(one.sessionId);
    const base = `/sessions/${one.sessionId}/proofs/${id}/recipients/${recipients[1]?.id}`;
    expect((await lab.call('POST', `${base}/resend`, { as: ana })).statusCode).toBe(200);
    const { ben } = await linksOf(ana, one.sessionId);
    expect(ben.secret).not.toBe(one.ben.secret);
    expect((await ask<ClientProof>('get', ben, 'x', guardOf(opened))).result.state).toBe('guarded');
  });

  test('where the order is gone, the link says so and sends no code', async () => {
    const { sessionId, anna } = await proved(ana, codedWorkflowId);
    await deleteSession(lab.deps.engine, { subscriberId: ana.subscriberId }, { sessionId, by: system });
    expect(await view(anna)).toMatchObject({ state: 'deleted' });
    expect(said(await ask('sendCode', anna))).toEqual([410, 'proof.deleted']);
    expect(said(await ask('enterCode', anna))).toEqual([410, 'proof.deleted']);
  });
});

const bothAsked = {
  approvers: ['anna@customer.test', 'ben@customer.test'].map((address) => ({ kind: 'address', address })),
  isReasonRequired: false,
};
const decide = (link: Link, body: object) =>
  lab.call<ClientProof>('POST', `/client-proofing/${link.publicId}/${link.secret}/decision`, { body });

describe('a link that is good for one decision', () => {
  let one: Proved;
  const key = 'one click only';
  let body: object;
  beforeAll(async () => {
    const settings = { ...bothAsked, mode: 'All', allowDownload: 'production', isSingleUse: true };
    one = await proved(ana, await publish(ana, settings));
    body = { key, decision: 'Approved', name: 'Anna A.', sha256: await shaOf(one.anna) };
    const answers = await Promise.all([decide(one.anna, body), decide(one.anna, body)]);
    for (const { result } of answers)
      expect(result).toEqual({
        state: 'used',
        house: expect.anything(),
        fileName: 'flyer.pdf',
        decided: { decision: 'Approved', label: null, by: 'Anna A.', at: expect.any(String), declinedPages: [] },
      });
  }, 120_000);

  test.each(names)('%s shows and does nothing more after it', async (name) => {
    const answer = await ask<ClientProof>(name, one.anna);
    if (name === 'get') expect(answer.result).toMatchObject({ state: 'used', decided: { by: 'Anna A.' } });
    else if (name === 'plain') expect(answer.body).toMatch(/flyer\.pdf.*“Approve”: Anna A\..*good for one decision/s);
    else if (name === 'sendCode' || name === 'enterCode') expect(answer.statusCode).toBe(404);
    else if (name === 'decide') expect(said(answer)).toEqual([409, 'proof.alreadyDecided']);
    else expect(said(answer)).toEqual([410, 'proof.used']);
  });

  test('the same click is answered again; whoever has not answered still decides, and the end uses every link up', async () => {
    expect((await decide(one.anna, body)).result.state).toBe('used');
    expect((await view(one.ben)).state).toBe('open');
    const [{ id = '' } = {}] = await proofsOf(one.sessionId);
    const ended = { decision: 'Declined', reason: 'Said so on the telephone' };
    await lab.call('POST', `/sessions/${one.sessionId}/proofs/${id}/decision`, { as: ana, body: ended });
    expect(await view(one.ben)).toMatchObject({ state: 'used', decided: { decision: 'Declined' } });
    expect(said(await ask('pages', one.ben))).toEqual([410, 'proof.used']);
  });

  test('where a corrected file is asked for, the link takes it', async () => {
    const settings = { ...bothAsked, isSingleUse: true, onDecline: 'AskReplacement' };
    const { anna } = await proved(ana, await publish(ana, settings));
    const declined = { key, decision: 'Declined', name: 'Anna', sha256: await shaOf(anna) };
    expect((await decide(anna, declined)).result).toMatchObject({ state: 'decided', canReplaceFile: true });
    expect((await ask('replaceFile', anna)).statusCode).toBe(200);
  });
});

describe('a copy of low resolution', () => {
  /** Makes what was asked for; each copy holds the words and the resolution that it would be drawn with. */
  const deliverCopies = async () => {
    const run = makePictureCopies(lab.deps.engine, {
      workFolder: `${lab.deps.env.dataDir}/copies`,
      makePictureCopy: async ({ watermark, dpi, workDir }) => {
        const made = path.join(workDir, 'copy.pdf');
        await writeFile(made, `%PDF-1.6 ${dpi} ${watermark}`);
        return made;
      },
    });
    const limits = { count: 20, stopped: new AbortController().signal };
    return deliverDue(lab.deps.engine, { pictureCopy: run }, limits);
  };
  type Copy = RouteResult<typeof routes.clientProofs.pictureCopy>;
  const copyOf = async (link: Link) => (await ask<Copy>('pictureCopy', link)).result;
  const load = async (link: Link) => (await ask('pictureCopyFile', link)).body;

  test('is made when it is asked for, each reader’s own where the watermark names them, and the house sees who loaded it', async () => {
    const watermark = 'Proof {{proof.version}} of {{file.baseName}} for {{recipient.email}}';
    const settings = { ...bothAsked, allowDownload: 'lowResolution', watermark, downloadDpi: 300 };
    const { sessionId, anna, ben } = await proved(ana, await publish(ana, settings));
    expect(await view(anna)).toMatchObject({ shows: { download: 'lowResolution' } });
    expect((await ask('pictureCopyFile', anna)).statusCode).toBe(404);
    expect(await copyOf(anna)).toEqual({ name: '', downloadUrl: null });
    expect(await copyOf(anna)).toEqual({ name: '', downloadUrl: null });
    expect(await deliverCopies()).toBe(1);
    expect(await copyOf(anna)).toEqual({
      name: 'flyer-proof-1.pdf',
      downloadUrl: `/api/client-proofing/${anna.publicId}/${anna.secret}/picture-copy.pdf`,
    });
    expect(await load(anna)).toBe('%PDF-1.6 300 Proof 1 of flyer for anna@customer.test');
    expect((await ask('pictureCopyFile', ben)).statusCode).toBe(404);
    expect((await copyOf(ben)).downloadUrl).toBeNull();
    expect(await deliverCopies()).toBe(1);
    expect(await load(ben)).toContain('for ben@customer.test');
    expect(await load(ben)).toContain('for ben@customer.test');
    expect((await ask('file', anna)).statusCode).toBe(404);

    const events = await lab.call<SessionEvent[]>('GET', `/sessions/${sessionId}/events`, { as: ana });
    const loaded = events.result.filter(({ kind }) => kind === 'Downloaded');
    expect(loaded.map(({ actor, data }) => [actor.name, data.name])).toEqual([
      ['anna@customer.test', 'flyer-proof-1.pdf'],
      ['ben@customer.test', 'flyer-proof-1.pdf'],
    ]);
    const audited = await lab.deps.db.asHost((tx) =>
      tx.auditEntry.count({ where: { act: 'proof.download', after: { path: ['sessionId'], equals: sessionId } } }),
    );
    expect(audited).toBe(3);
  });

  test('is one for all where the watermark names nobody, and is gone with the link', async () => {
    const settings = { ...bothAsked, mode: 'All', allowDownload: 'lowResolution', watermark: 'Not for print' };
    const { anna, ben } = await proved(ana, await publish(ana, settings));
    await copyOf(anna);
    await copyOf(ben);
    expect(await deliverCopies()).toBe(1);
    expect([await load(anna), await load(ben)]).toEqual(Array(2).fill('%PDF-1.6 150 Not for print'));
    await lab.deps.db.asHost(
      (tx) => tx.$executeRaw`update proof_recipients set link_expires_at = now() where link_hash is not null
                              and session_id = (select id from sessions where public_id = ${anna.publicId})`,
    );
    for (const name of ['pictureCopy', 'pictureCopyFile'] as const)
      expect(said(await ask(name, anna))).toEqual([410, 'proof.expired']);
  });

  test('a watermark with an unknown name is told when the workflow is published', async () => {
    const id = await draft(ana, { ...bothAsked, allowDownload: 'lowResolution', watermark: 'For {{reader.name}}' });
    const { envelope } = await lab.call<Issues>('POST', `/workflows/${id}/publish`, { as: ana, body: {} });
    expect(JSON.stringify(envelope)).toContain('placeholder.');
  });
});

test('answers have the words of the profile, and an approval its signature; both are in the record', async () => {
  const labels = { Approved: { en: 'Print it', fr: 'Imprimez' }, Declined: { en: 'Change it' } };
  const settings = { ...bothAsked, isNameRequired: false, isSignatureRequired: true, labels };
  const { sessionId, anna } = await proved(ana, await publish(ana, settings));
  const mails = await listKeptMail(lab.deps.mail.keepFolder, ana.subscriberId, 500);
  const asked = mails.find(({ text }) => text.includes(anna.secret));
  expect(asked?.text).toContain('answer “Print it” or “Change it”');
  const read = (language: string) =>
    lab.call<ClientProof>('GET', `/client-proofing/${anna.publicId}/${anna.secret}`, {
      headers: { 'accept-language': language },
    });
  expect((await read('fr')).result).toMatchObject({
    form: { isNameRequired: true, labels: { Approved: 'Imprimez', Declined: 'Change it' } },
  });
  const sha256 = await shaOf(anna);
  const given = { key: 'a key of a click', decision: 'Approved', name: 'Anna  Weber', sha256 };
  const faults = async (body: object) => {
    const { statusCode, envelope } = await decide(anna, body);
    return [statusCode, ...envelope.errors.map(({ code, field }) => `${code} ${field}`)];
  };
  expect(await faults(given)).toEqual([422, 'proof.fieldMissing signature']);
  expect(await faults({ ...given, signature: 'Ann Weber' })).toEqual([422, 'proof.signatureDiffers signature']);
  expect(await faults({ ...given, name: '', signature: 'Anna' })).toEqual([
    422,
    'proof.fieldMissing name',
    'proof.signatureDiffers signature',
  ]);
  expect((await decide(anna, { ...given, signature: 'anna Weber' })).result).toMatchObject({
    state: 'decided',
    decided: { decision: 'Approved', label: 'Print it' },
  });
  const [proof] = await proofsOf(sessionId);
  expect(proof?.records.map(({ record }) => record)).toMatchObject([
    { decision: 'Approved', label: 'Print it', signature: 'anna Weber' },
  ]);

  // A decline is not signed, and what the house decides has no words of the page.
  const other = await proved(ana, await publish(ana, settings));
  const declined = { ...given, decision: 'Declined', signature: 'Anna Weber', sha256: await shaOf(other.anna) };
  expect((await decide(other.anna, declined)).statusCode).toBe(200);
  const [{ records = [] } = {}] = await proofsOf(other.sessionId);
  expect(records[0]?.record.label).toBe('Change it');
  expect(records[0]?.record.signature).toBeUndefined();
});

test('a corrected file says of each finding whether it is left or new, and which of the first version are fixed', async () => {
  const { sessionId, anna } = await proved();
  /** A preflight that judged the newest version, as if the workflow had one, with what it found. */
  const judge = async (found: readonly { rule: string; severity: string; page: number; font?: string }[]) => {
    const [proof] = await proofsOf(sessionId);
    const runNo = proof?.version ?? 0;
    await lab.deps.db.withSubscriber({ subscriberId: ana.subscriberId }, async (tx) => {
      const stepRunId = newId('stepRun');
      const kind = { kind: 'Preflight', kindVersion: 1, input: {}, status: 'Succeeded' } as const;
      await tx.stepRun.create({ data: { id: stepRunId, sessionId, runNo, nodeId: stepRunId, ...kind } });
      await tx.finding.createMany({
        data: found.map(({ rule, severity, page, font }, no) => {
          const checkKey = rule.split('.')[0] ?? '';
          const finding = { id: `${no}`, checkKey, ruleKey: rule, severity, page, count: 1, fixableBy: null };
          const data = { ...finding, params: font ? { font } : {} };
          return { id: newId('finding'), sessionId, stepRunId, runNo, no, checkKey, code: rule, severity, page, data };
        }),
      });
      await tx.proof.update({ where: { id: proof?.id ?? '' }, data: { judgedById: stepRunId, isChecked: true } });
    });
  };
  const read = async (link: Link) =>
    (
      await lab.call<ClientFinding[]>('GET', `/client-proofing/${link.publicId}/${link.secret}/findings`, {})
    ).result.map(({ state, severity, sentence, remedy, isToAccept }) => [
      state,
      severity,
      /Arial|Courier|empty/.exec(sentence)?.[0],
      remedy,
      isToAccept,
    ]);
  await judge([
    { rule: 'Fonts.notEmbedded', severity: 'Fail', page: 1, font: 'Arial' },
    { rule: 'EmptyPages.empty', severity: 'Fail', page: 2 },
    { rule: 'Plates.colourPage', severity: 'Info', page: 1 },
  ]);
  expect(await read(anna)).toEqual([
    [null, 'Fail', 'Arial', 'fonts', false],
    [null, 'Fail', 'empty', 'pages', false],
  ]);

  const pagesBefore = async ({ publicId, secret }: Link) =>
    (await lab.call('GET', `/client-proofing/${publicId}/${secret}/pages?version=previous`, {})).statusCode;
  expect((await view(anna)) as object).toMatchObject({ version: 1, previousVersion: null });
  expect(await pagesBefore(anna)).toBe(404);

  expect((await ask('replaceFile', anna)).statusCode).toBe(200);
  await expect.poll(async () => (await proofsOf(sessionId)).length, { timeout: 30_000 }).toBe(2);
  await judge([
    { rule: 'Fonts.notEmbedded', severity: 'Warn', page: 1, font: 'Courier' },
    { rule: 'Fonts.notEmbedded', severity: 'Warn', page: 1, font: 'Arial' },
  ]);
  await stands(ana, sessionId, 'OnHold');
  expect(await read((await linksOf(ana, sessionId)).anna)).toEqual([
    ['new', 'Warn', 'Courier', 'fonts', false],
    ['left', 'Warn', 'Arial', 'fonts', false],
    ['fixed', 'Fail', 'empty', 'pages', false],
  ]);

  // The pages of the version before are shown, and drawn when they are asked for, as long as its file is there.
  const second = (await linksOf(ana, sessionId)).anna;
  expect(await view(second)).toMatchObject({ version: 2, previousVersion: 1 });
  expect(await pagesBefore(second)).toBe(202);
  await lab.deps.db.asHost(
    (tx) => tx.$executeRaw`
      update files set removed_at = now() where id = (select file_id from proofs where session_id = ${sessionId} and version = 1)`,
  );
  expect(await view(second)).toMatchObject({ version: 2, previousVersion: null });
  expect(await pagesBefore(second)).toBe(404);
});

test('a proof of sheets shows the pages that were laid out on them, too, and says which of both the findings are about', async () => {
  const { sessionId, anna } = await proved();
  const pages = async () =>
    (await lab.call('GET', `/client-proofing/${anna.publicId}/${anna.secret}/pages?version=pages`, {})).statusCode;
  expect(await view(anna)).toMatchObject({ sheets: null });
  expect(await pages()).toBe(404);

  const sheetsId = newId('file');
  await lab.deps.db.asHost(async (tx) => {
    await tx.$executeRaw`
      insert into step_runs
      select (jsonb_populate_record(step, jsonb_build_object('id', ${newId('stepRun')}::text, 'kind', 'Impose', 'node_id', 'impose'))).*
        from step_runs step where session_id = ${sessionId} and kind = 'Inject'`;
    await tx.$executeRaw`
      insert into files (id, subscriber_id, session_id, step_run_id, sha256, run_no, kind, name, media_type, size, created_at)
      select ${sheetsId}, came.subscriber_id, came.session_id, step.id, came.sha256, came.run_no, 'ProductionFile', 'sheets.pdf',
             came.media_type, came.size, came.created_at + interval '1 second'
        from files came join step_runs step on step.session_id = came.session_id and step.kind = 'Impose'
       where came.session_id = ${sessionId} and came.kind = 'OriginalFile'`;
    await tx.proof.updateMany({ where: { sessionId }, data: { fileId: sheetsId } });
  });
  expect(await view(anna)).toMatchObject({ fileName: 'sheets.pdf', sheets: { areFindingsOnPages: true } });
  expect(await pages()).toBe(202);

  // The profile can leave them out; a proof that was opened before there was the choice has them.
  for (const [change, isShown] of [
    [(show: object) => ({ ...show, pages: false }), false],
    [({ pages: _, ...show }: { pages?: boolean }) => show, true],
  ] as const) {
    await lab.deps.db.asHost(async (tx) => {
      const { id, settings } = await tx.proof.findFirstOrThrow({ where: { sessionId } });
      const kept = settings as { show: object };
      await tx.proof.update({ where: { id }, data: { settings: { ...kept, show: change(kept.show) } } });
    });
    expect(await view(anna)).toMatchObject({ shows: { pages: isShown } });
    expect(await pages()).toBe(isShown ? 202 : 404);
  }

  // The sheets themselves were checked.
  await lab.deps.db.asHost(async (tx) => {
    const judgedById = newId('stepRun');
    await tx.$executeRaw`
      insert into step_runs
      select (jsonb_populate_record(step, jsonb_build_object('id', ${judgedById}::text, 'kind', 'Preflight', 'node_id', 'again',
                                                             'ended_at', now() + interval '1 hour'))).*
        from step_runs step where session_id = ${sessionId} and kind = 'Inject'`;
    await tx.proof.updateMany({ where: { sessionId }, data: { judgedById } });
  });
  expect(await view(anna)).toMatchObject({ sheets: { areFindingsOnPages: false } });

  await lab.deps.db.asHost(
    (tx) => tx.$executeRaw`
      update files set removed_at = now() where session_id = ${sessionId} and kind = 'OriginalFile'`,
  );
  expect(await view(anna)).toMatchObject({ sheets: null });
  expect(await pages()).toBe(404);
});

test('lists: what waits for customers, what is overdue, and whose it is; only for who may see proofs', async () => {
  type Listed = RouteResult<typeof routes.sessions.list>;
  const list = async (query: string, as = ana) => (await lab.call<Listed>('GET', `/sessions?${query}`, { as })).result;
  const ids = async (query: string) => (await list(`${query}&pageSize=100`)).items.map(({ id }) => id);
  const counts = async () => (await list('pageSize=10')).proofs ?? { waiting: -1, overdue: -1, unreached: -1 };
  const before = await counts();
  const [late, other, decided] = [await proved(), await proved(), await proved()];
  expect(await counts()).toEqual({ waiting: before.waiting + 3, overdue: before.overdue, unreached: 0 });

  await lab.deps.db.asHost(
    (tx) => tx.$executeRaw`update proofs set due_at = now() - interval '1 hour' where session_id = ${late.sessionId}`,
  );
  expect(await counts()).toEqual({ waiting: before.waiting + 3, overdue: before.overdue + 1, unreached: 0 });
  expect(await ids('proof=overdue')).toContain(late.sessionId);
  expect(await ids('proof=overdue')).not.toContain(other.sessionId);

  // Whose message was refused is counted until another arrives.
  const refuse = (at: Date | null) =>
    lab.deps.db.asHost((tx) =>
      tx.proofRecipient.updateMany({
        where: { sessionId: other.sessionId, email: 'ben@customer.test' },
        data: { refusedAt: at },
      }),
    );
  await refuse(new Date());
  expect((await counts()).unreached).toBe(1);
  expect(await ids('proof=unreached')).toEqual([other.sessionId]);
  const [{ recipients = [] } = {}] = await proofsOf(other.sessionId);
  expect(recipients.map(({ refusedAt }) => refusedAt !== null)).toEqual([false, true]);
  await refuse(null);
  expect(await ids('proof=unreached')).toEqual([]);

  // Neither a decided proof waits for anybody, nor one of an earlier run: there the new one is not overdue.
  await ask('decide', decided.anna, await shaOf(decided.anna));
  await ask('decide', decided.ben, await shaOf(decided.ben));
  await stands(ana, decided.sessionId, 'Completed');
  const restarted = await lab.call('POST', `/sessions/${late.sessionId}/restart`, { as: ana, body: {} });
  expect(restarted.statusCode).toBe(200);
  await expect.poll(counts).toEqual({ waiting: before.waiting + 2, overdue: before.overdue, unreached: 0 });
  expect(await ids('proof=waiting')).toContain(late.sessionId);

  // Who was asked is found by a part of the address, also after the decision.
  expect(await ids('customer=ANNA@customer')).toEqual(expect.arrayContaining([late.sessionId, decided.sessionId]));
  expect(await ids('customer=nobody@customer')).toEqual([]);

  const reader = await lab.signIn(await lab.makePerson(ana.subscriberId, 'reader@example.com', ['sessions.view']));
  expect((await list('pageSize=10', reader)).proofs).toBeNull();
  for (const query of ['proof=waiting', 'customer=anna'])
    expect((await lab.call('GET', `/sessions?${query}`, { as: reader })).statusCode).toBe(403);
});

test('what a recipient is shown: in their language, others by name, addresses masked', async () => {
  const { anna } = await proved();
  const { result } = await lab.call<ClientProof>('GET', `/client-proofing/${anna.publicId}/${anna.secret}`, {
    headers: { 'accept-language': 'it' },
  });
  expect(result).toMatchObject({
    state: 'open',
    fileName: 'flyer.pdf',
    version: 1,
    verdict: { level: 'Success', isChecked: false, sentence: 'Il file non è stato controllato. Guardi ogni pagina.' },
    reader: { email: 'a…@customer.test' },
    recipients: [
      { name: 'a…@customer.test', isReader: true, state: 'Asked' },
      { name: 'b…@customer.test', isReader: false, state: 'Asked' },
    ],
    form: { approval: { need: 'nothing' }, isNameRequired: true },
    canReplaceFile: true,
  });
  expect(JSON.stringify(result)).not.toMatch(/anna@|ben@|ses_|stp_/);
});

test('the page has the look of the organization, and what the profile says of the job in the reader’s language', async () => {
  const details = [{ label: { en: 'File', 'it-IT': 'Documento' }, value: '{{file.baseName|upper}}' }];
  const workflow = await publish(ana, { ...bothAsked, details, show: { size: false } });
  const { sessionId, anna } = await proved(ana, workflow);
  const sha256 = 'c'.repeat(64);
  await lab.deps.db.withSubscriber({ subscriberId: ana.subscriberId }, async (tx) => {
    await tx.blob.create({ data: { sha256, size: 1 } });
    const { id } = await tx.organization.create({
      data: { id: newId('organization'), name: 'Acme', color: '#0d9494', pageLogoSha256: sha256 },
      select: { id: true },
    });
    await tx.session.update({ where: { id: sessionId }, data: { organizationId: id }, select: { id: true } });
  });
  const { result } = await lab.call<ClientProof>('GET', `/client-proofing/${anna.publicId}/${anna.secret}`, {
    headers: { 'accept-language': 'it' },
  });
  expect(result).toMatchObject({
    house: { organization: { name: 'Acme', color: '#0d9494', logo: expect.stringContaining(sha256) } },
    shows: { size: false },
    details: [{ label: 'Documento', value: 'FLYER' }],
  });
  const wrong = { details: [{ label: {}, value: '{{nothing.here}}' }] };
  const publishing = `/workflows/${await draft(ana, { ...bothAsked, ...wrong })}/publish`;
  const { envelope } = await lab.call<Issues>('POST', publishing, { as: ana, body: {} });
  expect(JSON.stringify(envelope)).toContain('placeholder.');
});

test('both approve; each sees the other’s answer, a second click is the first, and the house has the whole record', async () => {
  const { sessionId, anna, ben } = await proved();
  const sha256 = await shaOf(anna);
  await ask('look', anna);
  const path = `/client-proofing/${anna.publicId}/${anna.secret}/decision`;
  const body = { key: 'one click only', decision: 'Approved', name: 'Anna A.', sha256, timeZone: 'Europe/Rome' };
  const headers = { 'user-agent': 'Phone' };
  const [first, second] = await Promise.all([
    lab.call<ClientProof>('POST', path, { body, headers }),
    lab.call<ClientProof>('POST', path, { body, headers }),
  ]);
  for (const { result } of [first, second])
    expect(result).toMatchObject({ state: 'answered', mine: { decision: 'Approved', by: 'Anna A.' } });
  const again = await lab.call('POST', path, { body: { ...body, key: 'another click', decision: 'Declined' } });
  expect([again.statusCode, again.envelope.errors[0]?.code]).toEqual([409, 'proof.alreadyDecided']);
  expect(await view(ben)).toMatchObject({ recipients: [{ state: 'Approved' }, { state: 'Asked' }] });
  // As long as others are asked, the own answer can be changed, by whoever knows of it.
  const change = await lab.call<ClientProof>('POST', path, {
    body: { ...body, key: 'a third click', name: 'Anna B.', isChange: true },
    headers,
  });
  expect(change.result).toMatchObject({ state: 'answered', form: {}, mine: { decision: 'Approved', by: 'Anna B.' } });
  await ask('decide', ben, sha256);
  expect(await view(anna)).toMatchObject({ state: 'decided', decided: { decision: 'Approved', by: 'Anna' } });
  await stands(ana, sessionId, 'Completed');
  const [proof] = await proofsOf(sessionId);
  expect(proof).toMatchObject({
    state: 'Approved',
    isWaiting: false,
    recipients: [
      {
        state: 'Approved',
        viewCount: 1,
        pagesSeen: [1, 2],
        link: 'works',
        messages: [{ template: 'proofRequest', state: 'sent' }],
      },
      { state: 'Approved', viewCount: 0 },
    ],
    records: [
      { record: { name: 'Anna A.', proofSha256: sha256, userAgent: 'Phone', timeZone: 'Europe/Rome' } },
      { record: { name: 'Anna B.', replaces: proof?.records[0]?.no } },
      {},
    ],
  });
  expect(proof?.records[1]?.previousHash).toBe(proof?.records[0]?.hash);
  expect(JSON.stringify(proof)).not.toContain(anna.secret);
  const audited = await lab.deps.db.asHost((tx) =>
    tx.auditEntry.findMany({ where: { act: 'proof.decide', object: sessionId }, orderBy: { no: 'asc' } }),
  );
  expect(audited.map(({ actor }) => actor)).toMatchObject([
    { kind: 'customer', name: 'Anna A.' },
    { kind: 'customer', name: 'Anna B.' },
    { kind: 'customer' },
  ]);
});

test('after the deadline’s days the decided proof is no longer shown', async () => {
  const { sessionId, anna, ben } = await proved();
  const sha256 = await shaOf(anna);
  await ask('decide', anna, sha256);
  await ask('decide', ben, sha256);
  expect((await view(anna)).state).toBe('decided');
  await lab.deps.db.asHost(
    (tx) => tx.$executeRaw`update proofs set closed_at = now() - interval '31 days' where session_id = ${sessionId}`,
  );
  expect((await view(anna)).state).toBe('expired');
});

test('the house adds somebody, sends a new link, gives more time, and decides on behalf with a reason', async () => {
  const { sessionId, anna } = await proved();
  const [{ id = '', recipients = [] } = {}] = await proofsOf(sessionId);
  const base = `/sessions/${sessionId}/proofs/${id}`;
  const recipientId = recipients[0]?.id ?? '';
  const resent = await lab.call<SessionProof>('POST', `${base}/recipients/${recipientId}/resend`, { as: ana });
  expect(resent.result.recipients[0]).toMatchObject({
    link: 'none',
    messages: [{ state: 'sent' }, { state: 'waiting' }],
  });
  expect((await ask('get', anna)).statusCode).toBe(404);
  expect((await view((await linksOf(ana, sessionId)).anna)).state).toBe('open');
  const add = { as: ana, body: { email: 'new@customer.test', name: 'New' } };
  expect((await lab.call<SessionProof>('POST', `${base}/recipients`, add)).result.recipients).toHaveLength(3);
  expect((await lab.call('POST', `${base}/recipients`, add)).statusCode).toBe(409);
  expect((await lab.call('POST', `${base}/extend`, { as: ana, body: { hours: 5 } })).statusCode).toBe(200);
  const silent = { as: ana, body: { decision: 'Declined', reason: '' } };
  expect((await lab.call('POST', `${base}/decision`, silent)).statusCode).toBe(400);
  const decided = await lab.call<SessionProof>('POST', `${base}/decision`, {
    as: ana,
    body: { decision: 'Declined', reason: 'Said so on the telephone' },
  });
  expect(decided.result).toMatchObject({
    state: 'Declined',
    isWaiting: false,
    records: [{ record: { link: null, onBehalf: { reason: 'Said so on the telephone' } } }],
  });
  await stands(ana, sessionId, 'CanceledByOperator');
  const late = await lab.call('POST', `${base}/recipients/${recipientId}/resend`, { as: ana });
  expect([late.statusCode, late.envelope.errors[0]?.code]).toEqual([409, 'proof.alreadyDecided']);
});

test('a gatekeeper who is deciding is seen by the other of the gate, who cannot decide meanwhile; a decline can be taken back', async () => {
  const gate = ['anna@customer.test', 'ben@customer.test'].map((address) => ({
    kind: 'address',
    address,
    isGatekeeper: true,
  }));
  const { anna, ben } = await proved(ana, await publish(ana, { approvers: gate, onDecline: 'Hold' }));
  const tell = (link: Link, isDeciding: boolean) =>
    lab.call('POST', `/client-proofing/${link.publicId}/${link.secret}/deciding`, { body: { isDeciding } });
  expect(await view(ben)).toMatchObject({ deciding: null, sharesGate: true });
  expect((await tell(anna, true)).statusCode).toBe(200);
  expect(await view(ben)).toMatchObject({ deciding: { by: 'a…@customer.test' } });
  expect(await view(anna)).toMatchObject({ deciding: null });
  expect((await tell(ben, true)).envelope.errors?.at(-1)?.code).toBe('proof.beingDecided');
  const sha256 = await shaOf(ben);
  const decline = { key: 'gate one', decision: 'Declined', name: 'Ben', comment: 'no', sha256 };
  expect((await decide(ben, decline)).envelope.errors?.at(-1)?.code).toBe('proof.beingDecided');
  expect((await tell(anna, false)).statusCode).toBe(200);
  expect((await decide(ben, decline)).result).toMatchObject({ state: 'decided', form: {}, sharesGate: false });
  expect(await view(anna)).toMatchObject({ state: 'decided', form: null });
  const changed = { key: 'gate two', decision: 'Approved', name: 'Ben', sha256, isChange: true };
  expect((await decide(ben, changed)).result).toMatchObject({ state: 'answered' });
  expect(await view(anna)).toMatchObject({ state: 'open', decided: null });
});

test('the house sees who is a gatekeeper and who waits for them, and adds one', async () => {
  const approvers = [
    { kind: 'address', address: 'ben@customer.test' },
    { kind: 'address', address: 'gail@customer.test', isGatekeeper: true },
  ];
  const sessionId = await atProof(ana, await publish(ana, { approvers }));
  const [proof] = await proofsOf(sessionId);
  const base = `/sessions/${sessionId}/proofs/${proof?.id}`;
  const [gail, ben] = proof?.recipients ?? [];
  expect(proof).toMatchObject({ lacksGatekeeper: false, recipients: [{}, {}] });
  expect(gail).toMatchObject({ email: 'gail@customer.test', isGatekeeper: true, state: 'Asked' });
  expect(ben).toMatchObject({ email: 'ben@customer.test', isGatekeeper: false, state: 'Waiting', linkExpiresAt: null });
  const early = await lab.call('POST', `${base}/recipients/${ben?.id}/resend`, { as: ana });
  expect(early.statusCode).toBe(400);
  const body = { email: 'gus@customer.test', isGatekeeper: true };
  const added = await lab.call<SessionProof>('POST', `${base}/recipients`, { as: ana, body });
  expect(added.result.recipients[2]).toMatchObject({ ...body, state: 'Asked' });
  const decide = async (recipientId = '') =>
    (
      await lab.call<SessionProof>('POST', `${base}/decision`, {
        as: ana,
        body: { decision: 'Approved', recipientId, reason: 'On the telephone' },
      })
    ).result.recipients.map(({ state }) => state);
  expect(await decide(gail?.id)).toEqual(['Approved', 'Waiting', 'Asked']);
  expect(await decide(added.result.recipients[2]?.id)).toEqual(['Approved', 'Asked', 'Approved']);
});

test('a proof whose gatekeepers stand for nobody says so', async () => {
  const approvers = [
    { kind: 'address', address: '{{upload.email}}', isGatekeeper: true },
    { kind: 'address', address: 'ben@customer.test' },
  ];
  const sessionId = await atProof(ana, await publish(ana, { approvers }));
  expect(await proofsOf(sessionId)).toMatchObject([{ lacksGatekeeper: true, recipients: [{ state: 'Waiting' }] }]);
});

test.each([
  [{ approvers: [{ kind: 'address', address: '{{customer.mail}}' }] }, 'placeholder.unknownName'],
  [{ approvers: [{ kind: 'address', address: 'nobody' }] }, 'value.email'],
  [{ approvers: [{ kind: 'assignee', id: 'usr_gone' }] }, 'workflow.assigneeGone'],
  [{ reminder: { cc: [{ kind: 'assignee', id: 'usr_gone' }] } }, 'workflow.assigneeGone'],
  [
    { onDeadline: 'Escalate', escalateTo: [{ kind: 'address', address: '{{customer.mail}}' }] },
    'placeholder.unknownName',
  ],
  [{ onDeadline: 'Expire', deadlineHours: 5 }, 'workflow.proofExitMissing'],
] as const)('a workflow with the profile %j is not published: %s', async (settings, code) => {
  const id = await draft(ana, settings);
  const { envelope, statusCode } = await lab.call<Issues>('POST', `/workflows/${id}/publish`, { as: ana, body: {} });
  expect(statusCode).toBe(422);
  expect(JSON.stringify(envelope)).toContain(code);
});

test('somebody who guesses links is stopped', async () => {
  const { anna } = await proved();
  lab.deps.limitFactor = 1;
  const answers: number[] = [];
  for (let at = 0; at < 61; at += 1) answers.push((await ask('get', { ...anna, secret: newId('file') })).statusCode);
  expect(answers.at(-1)).toBe(429);
  // Whoever has a right link still reads.
  expect((await view(anna)).state).toBe('open');
  lab.deps.limitFactor = 1000;
});

describe('notes', () => {
  const note = (link: Link, body: object) =>
    lab.call<WrittenNote>('POST', `/client-proofing/${link.publicId}/${link.secret}/notes`, { body });
  const read = async (link: Link) =>
    (await lab.call<NotesPage>('GET', `/client-proofing/${link.publicId}/${link.secret}/notes?pageSize=100`)).result
      .items;
  const house = async (sessionId: string) => {
    const [proof] = await proofsOf(sessionId);
    return `/sessions/${sessionId}/proofs/${proof?.id}/notes`;
  };

  test('a place is marked once for one click, read by all who are asked, answered and ticked off by the house', async () => {
    const { sessionId, anna, ben } = await proved();
    const body = { key: 'one click', text: ' The logo is too small ', page: 1, box: [10, 20, 110, 70] };
    const first = (await note(anna, body)).result;
    expect((await note(anna, body)).result).toEqual(first);
    const [written] = await read(anna);
    expect(written?.id).toBe(first.id);
    expect(written).toMatchObject({
      no: 1,
      page: 1,
      box: [10, 20, 110, 70],
      text: 'The logo is too small',
      isMine: true,
    });
    expect((await read(ben)).map(({ isMine, isHouse }) => [isMine, isHouse])).toEqual([[false, false]]);

    const path = await house(sessionId);
    const answer = { key: 'an answer', text: 'Twice as large?', answersId: written?.id };
    expect((await lab.call('POST', path, { as: ana, body: answer })).statusCode).toBe(200);
    // The house takes it on, which its readers see on the page and in the list, and ticks it off.
    const marked = await lab.call('PUT', `${path}/${written?.id}/to-do`, { as: ana, body: { isToDo: true } });
    expect(marked.statusCode).toBe(200);
    expect((await read(ben))[0]).toMatchObject({ isToDo: true, resolvedAt: null });
    const places = `/client-proofing/${ben.publicId}/${ben.secret}/note-places?on=1`;
    expect((await lab.call<NotePlaces>('GET', places, {})).result.places).toMatchObject([
      { isToDo: true, isDone: false },
    ]);
    await lab.call('PUT', `${path}/${written?.id}/resolved`, { as: ana, body: { isResolved: true } });
    await note(ben, { key: 'whole file', text: 'Fine otherwise' });
    const [answered, second] = await read(ben);
    expect(answered?.answers.map(({ text, isHouse }) => [text, isHouse])).toEqual([['Twice as large?', true]]);
    expect(answered?.resolvedAt).not.toBeNull();
    expect(second).toMatchObject({ no: 2, page: null, box: null, isMine: true });

    // Others' notes cannot be taken back, own ones can, with the answers to them.
    const removal = (link: Link, id = '') =>
      lab.call('POST', `/client-proofing/${link.publicId}/${link.secret}/notes/${id}/removal`, {});
    expect((await removal(ben, first.id)).statusCode).toBe(404);
    expect((await removal(anna, first.id)).statusCode).toBe(200);
    expect((await read(anna)).map(({ no }) => no)).toEqual([2]);
    expect((await lab.call<NotesPage>('GET', path, { as: ana })).result).toMatchObject({ total: 1, page: 1 });
  });

  test('arrows, lines, deletions and insertions are kept as they were drawn, and half ones are refused', async () => {
    const { anna, ben } = await proved();
    const write = (body: object) => note(anna, { key: newId('file'), text: 'See here', page: 1, ...body });
    await write({ mark: 'arrow', path: [10, 20, 50, 5] });
    await write({ mark: 'pen', path: [0, 0, 10, 30, 20, 10] });
    await write({ mark: 'strike', box: [1, 2, 3, 4] });
    await write({ mark: 'insert', box: [7, 8, 7, 8] });
    expect((await read(ben)).map(({ mark, path, box }) => [mark, path, box])).toEqual([
      ['arrow', [10, 20, 50, 5], [10, 5, 50, 20]],
      ['pen', [0, 0, 10, 30, 20, 10], [0, 0, 20, 30]],
      ['strike', [], [1, 2, 3, 4]],
      ['insert', [], [7, 8, 7, 8]],
    ]);
    for (const body of [
      { mark: 'arrow', path: [10, 20] },
      { mark: 'arrow', path: [10, 20, 30, 40, 50, 60] },
      { mark: 'pen', path: [0, 0, 10] },
      { mark: 'strike' },
      { mark: 'place', path: [0, 0, 10, 10] },
      { mark: 'arrow', path: [10, 20, 50, 5], page: null },
    ])
      expect((await write(body)).statusCode, JSON.stringify(body)).toBe(400);
  });

  test('the house gets the notes with their answers as a table, and asks for a copy of the file with them', async () => {
    const { sessionId, anna } = await proved();
    const path = await house(sessionId);
    const copy = path.replace('/notes', '/notes-copy');
    expect((await lab.call('GET', copy, { as: ana })).statusCode).toBe(404);
    await note(anna, { key: 'one click', text: '=HYPERLINK("x")', page: 1, mark: 'arrow', path: [10, 20, 50, 5] });
    const [written] = await read(anna);
    await lab.call('POST', path, { as: ana, body: { key: 'an answer', text: 'Done, twice', answersId: written?.id } });
    const table = await lab.call('GET', `${path}.csv`, { as: ana });
    expect([table.statusCode, table.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
    const [head, first, second] = table.body.split('\r\n');
    expect(head).toBe('\ufeffno,answer,page,mark,left,bottom,right,top,by,house,at,toDo,done,text,files');
    expect(first).toMatch(/^1,,1,arrow,10,5,50,20,anna@customer.test,false,[^,]+,false,,"'=HYPERLINK\(""x""\)",$/);
    expect(second).toMatch(/^1,1,,,,,,,[^,]+,true,[^,]+,,,"Done, twice",$/);
    expect((await lab.call('GET', copy, { as: ana })).result).toEqual({ name: '', downloadUrl: null });
    expect((await lab.call('GET', `${path}.pdf`, { as: ana })).statusCode).toBe(404);
    for (const address of [`${path}.csv`, copy, `${path}.pdf`])
      expect((await lab.call('GET', address, { as: stranger })).statusCode, address).toBe(404);
  });

  const png = Buffer.from('\x89PNG\r\n\x1a\n and the rest', 'latin1');
  const attach = (path: string, name: string, bytes: Uint8Array, as?: SignedIn) =>
    lab.call('POST', `${path}/files`, { as, ...form({}, { name, bytes }) });
  const notePath = ({ publicId, secret }: Link, noteId = '') =>
    `/client-proofing/${publicId}/${secret}/notes/${noteId}`;

  test('files are attached to notes and answers by their authors, read by all who read the notes, and go with what is taken back', async () => {
    const [{ sessionId, anna, ben }, other, foreign] = [await proved(), await proved(), await proved(stranger)];
    const written = (await note(anna, { key: 'one click', text: 'The right logo is attached' })).result;
    const path = notePath(anna, written?.id);
    await attach(path, '../lo\u202ego.png', png);
    // Sent again, because the answer was lost.
    await attach(path, '../lo\u202ego.png', png);
    const [{ files: [file] = [], files = [] } = {}] = await read(anna);
    expect(files).toMatchObject([{ name: 'logo.png', mediaType: 'image/png', size: png.length }]);
    const [first] = await read(ben);
    expect(first?.files).toEqual(files);

    const load = (link: Link, noteId = written?.id, fileId = file?.id) =>
      lab.call('GET', `${notePath(link, noteId)}/files/${fileId}`);
    const got = await load(ben);
    expect([got.statusCode, got.headers['content-type']]).toEqual([200, 'image/png']);
    expect(got.headers).toMatchObject({
      'content-disposition': expect.stringMatching(/^attachment; filename="logo.png"/),
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    expect(got.body.endsWith('and the rest')).toBe(true);
    for (const link of [other.anna, foreign.anna, { publicId: anna.publicId, secret: other.anna.secret }])
      expect((await load(link)).statusCode).toBe(404);
    // Nobody attaches to what another wrote.
    for (const each of [notePath(ben, written?.id), notePath(other.anna, written?.id)])
      expect((await attach(each, 'logo.png', png)).statusCode).toBe(404);

    const base = await house(sessionId);
    expect((await attach(`${base}/${written?.id}`, 'logo.png', png, ana)).statusCode).toBe(404);
    const body = { key: 'an answer', text: 'Like this?', answersId: written?.id };
    const answered = (await lab.call<WrittenNote>('POST', base, { as: ana, body })).result;
    const answerPath = `${base}/${answered.id}`;
    expect((await attach(answerPath, 'new.pdf', Buffer.from('%PDF-1.7 new'), stranger)).statusCode).toBe(404);
    await attach(answerPath, 'new.pdf', Buffer.from('%PDF-1.7 new'), ana);
    const given = (await read(anna))[0]?.answers[0];
    expect(given?.files).toMatchObject([{ name: 'new.pdf', mediaType: 'application/pdf' }]);
    expect((await load(anna, given?.id, given?.files[0]?.id)).body).toBe('%PDF-1.7 new');
    const own = `${base}/${written?.id}/files/${file?.id}`;
    expect((await lab.call('GET', own, { as: ana })).statusCode).toBe(200);
    expect((await lab.call('GET', own, { as: stranger })).statusCode).toBe(404);
    const reader = await lab.signIn(
      await lab.makePerson(ana.subscriberId, `${newId('user')}@example.com`, ['sessions.view']),
    );
    expect((await lab.call('GET', own, { as: reader })).statusCode).toBe(403);
    // Nor by the way to the other files of the session, where they are not listed.
    expect((await lab.call('GET', `/sessions/${sessionId}/files/${file?.id}`, { as: ana })).statusCode).toBe(404);
    const session = await lab.call<{ files: { id: string }[] }>('GET', `/sessions/${sessionId}`, { as: ana });
    expect(session.result.files.map(({ id }) => id)).not.toContain(file?.id);

    const [, line, answerLine] = (await lab.call('GET', `${base}.csv`, { as: ana })).body.split('\r\n');
    expect([line?.split(',').at(-1), answerLine?.split(',').at(-1)]).toEqual(['logo.png', 'new.pdf']);
    const audited = await lab.deps.db.asHost((tx) =>
      tx.auditEntry.findMany({ where: { act: 'proof.addNoteFile', object: sessionId }, orderBy: { no: 'asc' } }),
    );
    expect(audited.map(({ actor }) => actor)).toMatchObject([{ kind: 'customer' }, { kind: 'user' }]);

    await lab.call('POST', `${path}/removal`, {});
    expect([(await load(ben)).statusCode, (await load(ben, given?.id, given?.files[0]?.id)).statusCode]).toEqual([
      404, 404,
    ]);
    const left = await lab.deps.db.asHost((tx) =>
      tx.file.count({ where: { sessionId, kind: 'Others', removedAt: null } }),
    );
    expect(left).toBe(0);
  });

  test('what is attached to notes is a PDF or a picture by its bytes and its name, not too large, and not too much', async () => {
    const { anna, sessionId } = await proved();
    const written = (await note(anna, { key: 'one click', text: 'See the files' })).result;
    const path = notePath(anna, written?.id);
    const code = async (name: string, bytes: Uint8Array) => {
      const { statusCode, envelope } = await attach(path, name, bytes);
      return [statusCode, envelope.errors[0]?.code];
    };
    const refused = [415, 'proof.noteFileTypeNotAccepted'];
    expect(await code('page.html', Buffer.from('<html>'))).toEqual(refused);
    expect(await code('page.pdf', Buffer.from('<html>%PDF-1.4'))).toEqual(refused);
    expect(await code('both.pdf', Buffer.from('PK\x03\x04 %PDF-1.4'))).toEqual(refused);
    expect(await code('drawing.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toEqual(refused);
    expect(await code('logo.jpg', png)).toEqual(refused);
    expect(await code('empty.pdf', Buffer.alloc(0))).toEqual([422, 'file.empty']);
    expect(await code('large.png', Buffer.concat([png, Buffer.alloc(10 * 1024 * 1024)]))).toEqual([
      413,
      'file.tooLarge',
    ]);
    expect((await lab.call('POST', `${path}/files`, { body: {} })).statusCode).toBe(415);
    for (const no of [1, 2, 3, 4, 5]) expect(await code(`${no}.png`, png)).toEqual([200, undefined]);
    expect(await code('6.png', png)).toEqual([409, 'proof.tooManyNoteFiles']);

    // With the session, its files go: at once from everybody's sight, and then from the store.
    const [file] = (await read(anna))[0]?.files ?? [];
    await deleteSession(lab.deps.engine, { subscriberId: ana.subscriberId }, { sessionId, by: system });
    const gone = await lab.call('GET', `${path}/files/${file?.id}`);
    expect([gone.statusCode, gone.envelope.errors[0]?.code]).toEqual([410, 'proof.deleted']);
  });

  test('whoever has decided writes no more; the house still answers what was declined', async () => {
    const { sessionId, anna } = await proved();
    await note(anna, { key: 'before it', text: 'Wrong street' });
    const path = await house(sessionId);
    const sha256 = await shaOf(anna);
    await lab.call('POST', `/client-proofing/${anna.publicId}/${anna.secret}/decision`, {
      body: { key: 'one click', decision: 'Declined', sha256, name: 'Anna' },
    });
    const late = await note(anna, { key: 'after it', text: 'And the number' });
    expect([late.statusCode, late.envelope.errors[0]?.code]).toEqual([409, 'proof.notesNotPossible']);
    const [written] = await read(anna);
    const body = { key: 'an answer', text: 'Mended', answersId: written?.id };
    await lab.call('POST', path, { as: ana, body });
    expect((await read(anna))[0]?.answers).toHaveLength(1);
    expect((await lab.call('POST', path, { as: stranger, body: { ...body, key: 'a stranger' } })).statusCode).toBe(404);
    const files = await attach(notePath(anna, written?.id), 'logo.png', png);
    expect([files.statusCode, files.envelope.errors[0]?.code]).toEqual([409, 'proof.notesNotPossible']);
  });

  /** As many notes as a proof takes, straight into the table: every second one on page 1, every tenth with an answer. */
  const fill = (sessionId: string, proofId: string) =>
    lab.deps.db.asHost(
      (tx) => tx.$executeRaw`
        insert into proof_notes (id, subscriber_id, session_id, proof_id, no, answers_id, page, box, mark, path, text,
                                 author_name, request_key, resolved_at)
        select id, ${ana.subscriberId}, ${sessionId}, ${proofId}, no, answers,
               case when answers is null then case when n % 2 = 0 then 1 else 2 + n % 200 end end,
               case when answers is null then array[n % 300, n % 400, n % 300 + 20, n % 400 + 9]::float8[] else '{}' end,
               case when answers is null and n % 5 = 0 then 'pen' else 'place' end,
               case when answers is null and n % 5 = 0 then array_fill(n % 300 + 0.25, array[80])::float8[] else '{}' end,
               rpad('Note ' || n || ' ', 200, 'words '), 'Anna', 'many ' || n,
               case when n % 3 = 0 then clock_timestamp() end
          from (select n, 'pnt_' || ${proofId} || n as id, case when n <= 9091 then n end as no,
                       case when n > 9091 then 'pnt_' || ${proofId} || (n - 9091) * 10 end as answers
                  from generate_series(1, ${mostNotes}::int) as n) as made`,
    );

  test('ten thousand notes come page by page with bounded answers, and one more is refused with the limit @night', async () => {
    const { sessionId, anna } = await proved();
    const [proof] = await proofsOf(sessionId);
    await fill(sessionId, proof?.id ?? '');
    const one = await note(anna, { key: 'one more', text: 'And this' });
    expect([one.statusCode, one.envelope.errors[0]]).toMatchObject([
      409,
      { code: 'proof.tooManyNotes', message: 'There are 10000 notes already; no more can be added.' },
    ]);

    const address = notePath(anna).slice(0, -1);
    const path = await house(sessionId);
    const ask = async (url: string, as?: SignedIn) => {
      let answer: Answer<NotesPage> | undefined;
      const statements = await statementsOf(async () => {
        answer = await lab.call<NotesPage>('GET', url, { as });
      });
      if (!answer) throw new Error('no answer');
      expect(answer.body.length, url).toBeLessThan(100_000);
      return { result: answer.result, statements: statements.length };
    };
    const [first, last] = [await ask(`${address}?pageSize=50`), await ask(`${address}?pageSize=50&page=182`)];
    expect(first.result).toMatchObject({ total: 9091, page: 1, pageSize: 50 });
    expect(first.result.items.map(({ no }) => no)).toEqual(Array.from({ length: 50 }, (_, at) => at + 1));
    expect(first.result.items.flatMap(({ no, answers }) => (answers.length > 0 ? [no] : []))).toEqual([
      10, 20, 30, 40, 50,
    ]);
    expect(last.result.items.at(-1)).toMatchObject({ no: 9091, page: 93 });
    expect(last.statements).toBe(first.statements);
    expect((await ask(`${path}?pageSize=50&page=182`, ana)).result.items).toHaveLength(41);
    expect((await lab.call('GET', `${address}?pageSize=1000`)).statusCode).toBe(400);

    // What is drawn: of one page, the open ones first, of these the newest; and how many each page has.
    const places = await lab.call<NotePlaces>('GET', `${address.replace(/notes$/, 'note-places')}?on=1`);
    expect(places.body.length).toBeLessThan(250_000);
    expect(places.result.pages.find(({ page }) => page === 1)).toEqual({ page: 1, count: 4545 });
    expect(places.result.pages.reduce((sum, { count }) => sum + count, 0)).toBe(9091);
    expect([places.result.places.length, places.result.undrawn]).toEqual([mostDrawnNotes, 4545 - mostDrawnNotes]);
    expect(places.result.places.at(-1)).toMatchObject({ no: 9088, place: 9087, page: 1, isDone: false });
    const turned = await lab.call<NotePlaces>('GET', `${address.replace(/notes$/, 'note-places')}?on=3`);
    expect([turned.result.places.length, turned.result.undrawn]).toEqual([46, 0]);

    // The table has a line for each note and each answer.
    const table = await lab.call('GET', `${path}.csv`, { as: ana });
    expect(table.body.split('\r\n').filter((line) => /^\d+,/.test(line))).toHaveLength(mostNotes);
  });

  test('a note takes so many answers and says so', async () => {
    const { sessionId, anna } = await proved();
    const { id } = (await note(anna, { key: 'one click', text: 'Which blue?' })).result;
    const path = await house(sessionId);
    const answer = (no: number) =>
      lab.call('POST', path, { as: ana, body: { key: `answer ${no}`, text: 'This one?', answersId: id } });
    for (let no = 1; no <= mostNoteAnswers; no += 1) expect((await answer(no)).statusCode).toBe(200);
    const more = await answer(0);
    expect([more.statusCode, more.envelope.errors[0]?.code]).toEqual([409, 'proof.tooManyAnswers']);
    // A repetition of what was written is no further one.
    expect((await answer(1)).statusCode).toBe(200);
  });

  test('a customer replies to an answer of the house, and the house to that: one thread, in which each names what it replies to', async () => {
    const { sessionId, anna, ben } = await proved();
    const { id, place } = (await note(anna, { key: 'one click', text: 'Which blue?' })).result;
    const path = await house(sessionId);
    const answer = async (key: string, answersId: string, text = key) =>
      (await lab.call<WrittenNote>('POST', path, { as: ana, body: { key, text, answersId } })).result;
    const first = await answer('This one? ', id);
    const reply = { key: 'a reply ', text: 'Darker', answersId: first.id };
    const darker = (await note(anna, reply)).result;
    expect((await note(anna, reply)).result).toEqual(darker);
    expect(darker.place).toBe(place);
    const last = await answer('Like this?', darker.id);
    const also = (await note(ben, { key: 'from Ben', text: 'I agree', answersId: last.id })).result;
    const thread = (await read(ben))[0]?.answers ?? [];
    expect(thread.map(({ id: one, repliesToId, isHouse, isMine }) => [one, repliesToId, isHouse, isMine])).toEqual([
      [first.id, null, true, false],
      [darker.id, first.id, false, false],
      [last.id, darker.id, true, false],
      [also.id, last.id, false, true],
    ]);
    expect((await lab.call<NotesPage>('GET', path, { as: ana })).result.items[0]?.answers).toHaveLength(4);

    // What was taken back is no more replied to, and takes no other's reply with it; nor is another proof's answered.
    const removal = `/client-proofing/${ben.publicId}/${ben.secret}/notes/${also.id}/removal`;
    await lab.call('POST', removal, {});
    expect((await note(anna, { key: 'too late', text: 'And?', answersId: also.id })).statusCode).toBe(404);
    const other = await proved();
    expect((await note(other.anna, { ...reply, key: 'elsewhere' })).statusCode).toBe(404);
    await lab.call('POST', removal.replace(ben.secret, anna.secret).replace(also.id, darker.id), {});
    expect((await read(ben))[0]?.answers.map(({ text }) => text)).toEqual(
      ['This one? ', 'Like this?'].map((text) => text.trim()),
    );

    // All of a thread counts, whatever it replies to.
    for (let no = 4; no < mostNoteAnswers; no += 1)
      expect((await note(anna, { key: `a reply ${no}`, text: 'Hm', answersId: first.id })).statusCode).toBe(200);
    const more = await note(anna, { key: 'one more', text: 'Hm', answersId: last.id });
    expect([more.statusCode, more.envelope.errors[0]?.code]).toEqual([409, 'proof.tooManyAnswers']);
  });

  test('private notes are read by the house alone: no public route, table, copy, message, record or certificate has them', async () => {
    const { sessionId, anna, ben } = await proved();
    const secret = 'KEEP-THIS-INSIDE';
    const { id: noteId } = (await note(anna, { key: 'one click', text: 'Which blue?', page: 1 })).result;
    const notes = await house(sessionId);
    const path = notes.replace('/notes', '/private-notes');
    const write = (body: object, as = ana) => lab.call<{ id: string }>('POST', path, { as, body });
    const list = async (as = ana) => (await lab.call<PrivateNote[]>('GET', path, { as })).result;
    const body = { key: 'a private note', text: `${secret} they always complain`, noteId };
    const first = (await write(body)).result;
    expect((await write(body)).result).toEqual(first);
    await write({ key: 'of the proof', text: `${secret} ask the boss` });
    expect(await list()).toMatchObject([
      { id: first.id, noteId, isMine: true },
      { noteId: null, isMine: true },
    ]);
    // Others of the house with the right read them, but only their author removes one; without the right, nobody does.
    const colleague = await lab.signIn(
      await lab.makePerson(ana.subscriberId, `${newId('user')}@example.com`, [
        'proofs.view',
        'proofs.comments.manage',
        'sessions.view',
      ]),
    );
    expect((await list(colleague)).map(({ isMine }) => isMine)).toEqual([false, false]);
    const removal = `${path}/${first.id}/removal`;
    expect((await lab.call('POST', removal, { as: colleague })).statusCode).toBe(404);
    const reader = await lab.signIn(
      await lab.makePerson(ana.subscriberId, `${newId('user')}@example.com`, ['proofs.view', 'sessions.view']),
    );
    expect((await lab.call('GET', path, { as: reader })).statusCode).toBe(403);
    for (const address of [path, removal])
      expect((await lab.call(address === path ? 'GET' : 'POST', address, { as: stranger })).statusCode).toBe(404);
    for (const unknown of ['pnt_none', first.id])
      expect((await write({ ...body, key: `about ${unknown}`, noteId: unknown })).statusCode).toBe(404);

    // Everything that a link opens, before the decision and after it.
    const isNowhere = async () => {
      for (const { publicId, secret: key } of [anna, ben])
        for (const route of Object.values(clientProofRoutes).filter(({ method }) => method === 'GET')) {
          const address = route.path
            .replace(':sessionId', publicId)
            .replace(':proofStepId', key)
            .replace(':noteId', noteId)
            .replace(/:\w+/g, '1');
          const query = address.endsWith('/note-places') ? '?on=1' : '';
          const { body: text } = await lab.call('GET', `${address}${query}`, {});
          expect(text, address).not.toContain(secret);
        }
    };
    await isNowhere();
    expect((await read(anna)).map(({ no, answers }) => [no, answers])).toEqual([[1, []]]);
    const readerGets = await lab.call('GET', notes, { as: reader });
    expect(readerGets.body).not.toContain(secret);
    const table = await lab.call('GET', `${notes}.csv`, { as: ana });
    expect([table.body.includes('Which blue?'), table.body.includes(secret)]).toEqual([true, false]);
    const shown = await lab.deps.db.withSubscriber({ subscriberId: ana.subscriberId }, (tx) =>
      tx.proof.findFirstOrThrow({ where: { sessionId } }),
    );
    const copied: string[] = [];
    for await (const some of eachNote(
      (work) => lab.deps.db.withSubscriber({ subscriberId: ana.subscriberId }, work),
      shown.id,
    ))
      copied.push(JSON.stringify(some));
    expect([copied.join().includes('Which blue?'), copied.join().includes(secret)]).toEqual([true, false]);

    const sha256 = await shaOf(anna);
    for (const [key, link] of Object.entries({ anna, ben }))
      await lab.call('POST', `/client-proofing/${link.publicId}/${link.secret}/decision`, {
        body: { key: `decided by ${key}`, decision: 'Approved', sha256, name: key },
      });
    await isNowhere();
    await lab.deliverMails();
    const everywhere = await lab.deps.db.asHost(async (tx) => ({
      decisions: await tx.proofDecision.findMany({ where: { sessionId }, select: { record: true, notes: true } }),
      messages: await tx.effect.findMany({ where: { sessionId }, select: { payload: true } }),
      history: await tx.sessionEvent.findMany({ where: { sessionId }, select: { data: true } }),
      audit: await tx.auditEntry.findMany({ where: { object: sessionId }, select: { act: true, after: true } }),
    }));
    const text = JSON.stringify(everywhere);
    expect([everywhere.decisions.length, text.includes('Which blue?'), text.includes(secret)]).toEqual([
      2,
      true,
      false,
    ]);
    expect(everywhere.audit.filter(({ act }) => act === 'proof.notePrivately')).toHaveLength(2);
    const mails = await listKeptMail(lab.deps.mail.keepFolder, ana.subscriberId, 500);
    expect(JSON.stringify(mails)).not.toContain(secret);

    expect((await lab.call('POST', removal, { as: ana })).statusCode).toBe(200);
    expect((await list()).map(({ text: left }) => left)).toEqual([`${secret} ask the boss`]);
  });

  test('a proof takes so many private notes, a note as many as answers, and says so', async () => {
    const { sessionId, anna } = await proved();
    const { id: noteId } = (await note(anna, { key: 'one click', text: 'Which blue?' })).result;
    const path = (await house(sessionId)).replace('/notes', '/private-notes');
    const { proofId } = await lab.deps.db.asHost((tx) => tx.proofNote.findUniqueOrThrow({ where: { id: noteId } }));
    const fill = (from: number, to: number, about: string | null) =>
      lab.deps.db.asHost(
        (tx) => tx.$executeRaw`
          insert into private_notes (id, subscriber_id, session_id, proof_id, note_id, author, text, request_key)
          select 'pvn_' || ${proofId} || n, ${ana.subscriberId}, ${sessionId}, ${proofId}, ${about}, '{}', 'Hm', 'many ' || n
            from generate_series(${from}::int, ${to}::int) as n`,
      );
    const refused = async (about: string | null) => {
      const body = { key: 'one more', text: 'Hm', noteId: about };
      const { statusCode, envelope } = await lab.call('POST', path, { as: ana, body });
      return [statusCode, envelope.errors[0]?.params];
    };
    await fill(1, mostNoteAnswers, noteId);
    expect(await refused(noteId)).toEqual([409, { limit: mostNoteAnswers }]);
    await fill(mostNoteAnswers + 1, mostPrivateNotes, null);
    expect(await refused(null)).toEqual([409, { limit: mostPrivateNotes }]);
  });

  test('where places are not marked, notes are about pages', async () => {
    const { anna } = await proved(ana, await publish(ana, { ...bothAsked, allowMarks: false }));
    expect(await view(anna)).toMatchObject({ canNote: true, canMark: false });
    const path = `/client-proofing/${anna.publicId}/${anna.secret}/notes`;
    const write = (body: object) => lab.call('POST', path, { body: { text: 'Blue', ...body } });
    const [boxed, arrow, page] = [
      await write({ key: 'with a box', page: 1, box: [1, 2, 3, 4] }),
      await write({ key: 'with an arrow', page: 1, mark: 'arrow', path: [1, 2, 3, 4] }),
      await write({ key: 'about the page', page: 1 }),
    ];
    for (const { statusCode, envelope } of [boxed, arrow])
      expect([statusCode, envelope.errors[0]?.code]).toEqual([409, 'proof.notesNotPossible']);
    expect(page.statusCode).toBe(200);
  });

  test('where the profile has no notes, there are none', async () => {
    const { sessionId, anna } = await proved();
    const [proof] = await proofsOf(sessionId);
    await note(anna, { key: 'one click', text: 'Written before' });
    await lab.deps.db.asHost(
      (tx) =>
        tx.$executeRaw`update proofs set settings = settings || '{"allowNotes": false}' where id = ${proof?.id ?? ''}`,
    );
    expect(await read(anna)).toEqual([]);
    const places = await lab.call<NotePlaces>(
      'GET',
      `${notePath(anna)
        .slice(0, -1)
        .replace(/notes$/, 'note-places')}?on=1`,
    );
    expect(places.result).toEqual({ total: 0, pages: [], places: [], undrawn: 0 });
    expect((await note(anna, { key: 'not here', text: 'x' })).statusCode).toBe(409);
  });
});
