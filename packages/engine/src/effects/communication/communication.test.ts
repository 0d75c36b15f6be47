import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { contractMessages, type WorkflowDefinition, workflowDefinitionSchema } from '@pdf2press/contract';
import { decodedMail, startMailServer, type TestMailServer } from '@pdf2press/mail/testing';
import { newId } from '@pdf2press/prisma';
import { startTestPostgres } from '@pdf2press/prisma/testing';
import { communicationProfileSchema } from '@pdf2press/steps/communication-profile';
import type { StepContext, StepResult } from '@pdf2press/steps/contracts';
import { runStep } from '@pdf2press/steps/runners';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deleteSession } from '../../commands/session-commands.ts';
import { decideProof } from '../../proofs/decide-proof.ts';
import { resendLink } from '../../proofs/manage-proof.ts';
import { warnOfDeletion } from '../../retention/warn-of-deletion.ts';
import { openInstanceKeys } from '../../secrets/secrets.ts';
import { type NotTaken, noteNotTaken } from '../../sessions/not-taken.ts';
import type { ExecuteStep } from '../../steps/run-step.ts';
import { inLab, patient } from '../../testing/in-lab.ts';
import { type Lab, openLab, tester } from '../../testing/lab.ts';
import { asked, proving } from '../../testing/proving.ts';
import { giveSettings } from '../../testing/settings.ts';
import { decide } from '../../waits/decide.ts';
import { type RunningWorker, startWorker } from '../../worker/worker.ts';
import { noteBounces } from '../mail/bounce.ts';
import { deliverMail } from '../mail/run.ts';
import { makePictureCopies } from '../picture-copy/run.ts';
import { makeReports } from '../report/run.ts';
import { drawMessage } from './compose.ts';
import { composeMessages } from './run.ts';

/* What communication profiles write, with real workers, a real Postgres and a real mail server whose messages are read. */

let server: Awaited<ReturnType<typeof startTestPostgres>>;
let lab: Lab;
let worker: RunningWorker | undefined;
/** Addresses that the server refuses. */
let mails: TestMailServer;
beforeAll(async () => {
  server = await startTestPostgres();
  mails = await startMailServer(decodedMail);
});
afterAll(async () => {
  await mails.stop();
  await server.stop();
});
beforeEach(() => {
  mails.received.length = 0;
  drawn.length = 0;
  mails.refused = [];
  mails.busy = [];
});

const snapshot = (id: string, settings: object) => ({
  [id]: { id, kind: 'communication', name: id, version: 1, settings: communicationProfileSchema.parse(settings) },
});
/** Inject, a hold that only warnings keep, and the end: written about by the profile `prf_told`. */
const told = (steps: readonly object[] = []): WorkflowDefinition => {
  const all = [{ id: 'inject', kind: 'Inject' }, ...steps, { id: 'end', kind: 'Complete' }] as { id: string }[];
  return workflowDefinitionSchema.parse({
    communicationProfileId: 'prf_told',
    variables: [{ name: 'customer', type: 'String', default: 'Carla@example.com; dora@example.com' }],
    steps: all,
    edges: all.slice(1).map(({ id }, at) => ({
      id: `e${at}`,
      from: all[at]?.id,
      outcome: all[at]?.id === 'route' ? 'other' : 'done',
      to: id,
    })),
  });
};

const tools = { progress: () => undefined, runTask: () => Promise.reject(new Error('opens no PDF')) };
/** Warnings, and the JSON that a report is made of. */
async function checked({ workDir, file }: StepContext): Promise<StepResult> {
  await writeFile(
    path.join(workDir, 'report.json'),
    JSON.stringify({ checks: [], counts: { Fail: 0, Warn: 1, Info: 0 } }),
  );
  const meta = { role: 'preflightReport', of: file.id };
  const report = {
    kind: 'Others',
    path: 'report.json',
    name: 'report.json',
    mediaType: 'application/json',
    meta,
  } as const;
  return { end: 'outcome', outcome: 'done', level: 'Warning', files: [report] };
}
const execute: ExecuteStep = (context) => {
  if (context.step.kind === 'Inject') return Promise.resolve({ end: 'outcome', outcome: 'done' });
  if (context.step.kind === 'Preflight') return checked(context);
  if (context.step.kind === 'Complete') return Promise.resolve({ end: 'session', status: 'Completed' });
  return runStep(context, tools);
};

/** What was drawn for messages. */
const drawn: string[] = [];

async function open(options: Parameters<typeof openLab>[1]): Promise<void> {
  lab = await openLab(server, options);
  const hostServer = {
    host: '127.0.0.1',
    port: mails.port,
    username: '',
    password: null,
    senderEmail: 'house@a.test',
    enableSsl: false,
  };
  const environment = { keepFolder: path.join(lab.folder, 'mail'), allowedHosts: [], hostServer };
  const keys = await openInstanceKeys({ dataDir: lab.folder });
  const deps = { ...lab.deps, app: { title: 'House', baseUrl: 'https://print.test' } };
  worker = await startWorker(deps, {
    databaseUrl: lab.url,
    instance: 'a',
    doorbell: { kind: 'none' },
    slots: 2,
    execute,
    workFolder: `${lab.folder}/work`,
    engineVersion: '1',
    effects: {
      communication: composeMessages(deps),
      report: makeReports(deps, {
        workFolder: `${lab.folder}/reports`,
        makeReport: async ({ workDir, locale }) => {
          const made = path.join(workDir, 'made.pdf');
          await writeFile(made, `report in ${locale}`);
          return made;
        },
      }),
      pictureCopy: makePictureCopies(deps, {
        workFolder: `${lab.folder}/pictures`,
        makePictureCopy: async ({ workDir, format, watermark }) => {
          const made = path.join(workDir, 'made');
          drawn.push(`${format} of “${watermark}”`);
          await writeFile(made, drawn.at(-1) ?? '');
          return made;
        },
      }),
      mail: deliverMail(deps, { keys, environment, title: 'House', baseUrl: 'https://print.test' }),
    },
  });
}

/** Until nothing waits to be written or sent. */
const written = () =>
  expect
    .poll(
      async () =>
        (await lab.sql.query(`select count(*)::int as open from effects where state in ('Pending', 'Sending')`)).rows[0]
          .open,
      { timeout: 60_000 },
    )
    .toBe(0);
const subjects = () =>
  mails.received.map(({ to, text }) => `${to} ${/^Subject: (?:=\?UTF-8\?Q\?)?(\w+)/m.exec(text)?.[1]}`).sort();

describe('a profile', () => {
  afterEach(async () => {
    expect(await lab.broken()).toEqual([]);
    await worker?.stop();
    await lab.close();
  });

  test('writes about each event once to each reader, in the words of their language or its own', async () => {
    await open({
      definition: told([{ id: 'check', kind: 'Preflight' }]),
      profiles: snapshot('prf_told', {
        fromName: 'Print House',
        replyTo: 'desk@a.test',
        events: {
          Received: { to: ['{{customer}}', 'carla@example.com'] },
          PreflightWarnings: {
            isOn: true,
            to: ['ops@a.test'],
            when: { match: 'all', rules: [{ fact: 'file.name', operator: 'contains', value: 'nothing like it' }] },
          },
          Completed: {
            to: ['carla@example.com'],
            cc: ['boss@example.com'],
            bcc: ['archive@a.test'],
            texts: {
              en: {
                subject: 'Done: {{file.name}}',
                text: 'Line one\nStatus {{session.status}} <b>',
                button: 'See it',
                html: '<p onclick="x()">Hello <b>{{recipient.email}}</b></p><script>alert(1)</script><img src="https://x.test/t.gif">',
              },
            },
          },
        },
      }),
    });
    const sessionId = await lab.hand();
    await lab.settled();
    await written();
    expect(subjects()).toEqual([
      'archive@a.test Done',
      'boss@example.com Done',
      'carla@example.com Done',
      'carla@example.com We_have_your_file',
      'dora@example.com We_have_your_file',
    ]);
    const copy = mails.received.find(({ to }) => to === 'archive@a.test')?.text ?? '';
    expect(copy).toMatch(/^To: carla@example.com\r$/m);
    expect(copy).toMatch(/^Cc: boss@example.com\r$/m);
    expect(copy).not.toMatch(/^Bcc/m);
    expect(copy).toMatch(/^From: "?Print House"? <house@a.test>\r$/m);
    expect(copy).toMatch(/^Reply-To: desk@a.test\r$/m);
    expect(copy).toContain('Status Completed <b>');
    expect(copy).toContain('See it: https://print.test/workflows/session/');
    expect(copy).toContain('<p>Hello <b>archive@a.test</b></p>');
    expect(copy).not.toMatch(/script|onclick|t\.gif/);
    const { rows } = await lab.sql.query(
      `select payload->>'event' as event, count(*)::int as count from effects where kind = 'mail' and session_id = $1
        group by 1 order by 1`,
      [sessionId],
    );
    expect(rows).toEqual([
      { event: 'Completed', count: 3 },
      { event: 'Received', count: 2 },
    ]);
  });

  test('an address that is refused keeps nobody else from being written to, and the refusal is kept', async () => {
    mails.refused = ['gone@example.com'];
    await open({
      definition: told(),
      profiles: snapshot('prf_told', {
        events: {
          Received: { isOn: false },
          Completed: { to: ['gone@example.com', 'here@example.com', '{{file.baseName}}'] },
        },
      }),
    });
    await lab.hand();
    await lab.settled();
    await written();
    expect(mails.received.map(({ to }) => to)).toEqual(['here@example.com']);
    const { rows } = await lab.sql.query(
      `select payload->>'to' as to, last_error from effects where state = 'Dead' order by 1`,
    );
    expect(rows).toEqual([
      { to: 'gone@example.com', last_error: expect.stringContaining('no such mailbox') },
      { to: 'test', last_error: 'not a plain mail address' },
    ]);
  });

  test('before files are deleted, whoever the profile names is told which, when and in how many days', async () => {
    await open({
      definition: told([{ id: 'keep', kind: 'Retention', settings: { daysSource: 3, daysFinal: 90 } }]),
      profiles: snapshot('prf_told', {
        events: {
          Received: { isOn: false },
          Completed: { isOn: false },
          RetentionWarning: { isOn: true, to: ['desk@a.test'] },
        },
      }),
    });
    const { subscriberId } = lab;
    await lab.deps.database.withSubscriber({ subscriberId }, (tx) =>
      giveSettings(tx, subscriberId, { timeZone: 'UTC' }),
    );
    await lab.hand();
    await lab.settled();
    expect(await warnOfDeletion(lab.deps)).toBe(1);
    expect(await warnOfDeletion(lab.deps)).toBe(0);
    await written();
    expect(subjects()).toEqual(['desk@a.test Files_of_']);
    const { rows } = await lab.sql.query(`select source_due_at as at from sessions`);
    const day = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(rows[0].at);
    const text = mails.received[0]?.text.replace(/=\r\n/g, '') ?? '';
    expect(text).toContain('the file as it came');
    expect(text).toContain('in 3 days');
    expect(text).toContain(day);
  });

  test('a file that was refused has no session, and is told once with what is known of it, so often in an hour', async () => {
    await open({
      definition: told(),
      profiles: snapshot('prf_told', {
        digest: { mode: 'daily', atOnce: [] },
        events: {
          Rejected: {
            isOn: true,
            to: ['desk@a.test', '{{customer}}'],
            attach: ['report'],
            when: { match: 'all', rules: [{ fact: 'file.extension', operator: 'equals', value: 'zip' }] },
          },
        },
      }),
    });
    const refuse = (name: string, more: Partial<NotTaken> = {}) =>
      noteNotTaken(lab.deps, lab, {
        workflowId: lab.workflowId,
        kind: 'folder',
        key: name,
        name,
        size: 2048,
        way: 'hotFolder',
        sourceName: 'Flyers',
        state: 'Rejected',
        reason: 'file.notPdf',
        params: {},
        ...more,
      });
    await refuse('parts.zip');
    await refuse('parts.zip');
    await refuse('again.zip', { state: 'Retry' });
    await refuse('chosen.zip', { way: 'manual' });
    await refuse('notes.txt');
    await written();
    expect(mails.received.map(({ to }) => to)).toEqual(['desk@a.test']);
    const text = mails.received[0]?.text.replace(/=\r\n/g, '') ?? '';
    for (const words of ['parts.zip', 'Flyers', 'https://print.test/arrivals']) expect(text).toContain(words);
    expect(text).toContain(contractMessages.en['file.notPdf']?.slice(0, 12));
    for (let no = 0; no < 25; no += 1) await refuse(`${no}.zip`);
    await written();
    // One was of no archive, and counts as well: what is asked is whether its profile writes.
    expect(mails.received).toHaveLength(19);
  });

  test('in quiet hours a message waits until their end, in the time zone of the house, and is sent then', async () => {
    const timeZone = 'Pacific/Auckland';
    const clockAt = (hours: number) =>
      new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(
        Date.now() + hours * 3_600_000,
      );
    await open({
      definition: told(),
      profiles: snapshot('prf_told', {
        quietHours: { isOn: true, from: clockAt(-2), until: clockAt(3) },
        events: { Received: { isOn: false }, Completed: { to: ['late@a.test'] } },
      }),
    });
    const { subscriberId } = lab;
    await lab.deps.database.withSubscriber({ subscriberId }, (tx) => giveSettings(tx, subscriberId, { timeZone }));
    const sessionId = await lab.hand();
    await lab.settled();
    const mail = async () =>
      (
        await lab.sql.query(
          `select state::text, attempt, extract(epoch from next_at - clock_timestamp()) / 3600 as hours
             from effects where kind = 'mail' and session_id = $1`,
          [sessionId],
        )
      ).rows[0];
    await expect.poll(mail, { timeout: 60_000 }).toMatchObject({ state: 'Pending', attempt: 0 });
    // Clocks show whole minutes.
    expect(Number((await mail()).hours)).toBeGreaterThan(2.9);
    expect(Number((await mail()).hours)).toBeLessThanOrEqual(3);
    expect(mails.received).toEqual([]);
    await lab.sql.query(`update effects set next_at = next_at - interval '3 hours'`);
    await written();
    expect(mails.received.map(({ to }) => to)).toEqual(['late@a.test']);
  });

  test('what is tried again keeps to the quiet hours, too @night', async () => {
    const clockAt = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
    mails.busy = ['late@a.test'];
    await open({
      definition: told(),
      profiles: snapshot('prf_told', {
        quietHours: { isOn: true, from: clockAt(-2), until: clockAt(3) },
        events: { Received: { isOn: false }, Completed: { to: ['late@a.test'] } },
      }),
    });
    const { subscriberId } = lab;
    await lab.deps.database.withSubscriber({ subscriberId }, (tx) =>
      giveSettings(tx, subscriberId, { timeZone: 'UTC' }),
    );
    await lab.hand();
    await lab.settled();
    const mail = async () =>
      (
        await lab.sql.query(
          `select state::text, attempt, last_error, extract(epoch from next_at - clock_timestamp()) / 3600 as hours
             from effects where kind = 'mail'`,
        )
      ).rows[0];
    await expect.poll(mail, { timeout: 60_000 }).toMatchObject({ state: 'Pending', attempt: 0 });
    // As if they had begun only after the first try.
    await lab.sql.query(`update effects set next_at = clock_timestamp() where kind = 'mail'`);
    await expect.poll(mail, { timeout: 60_000 }).toMatchObject({ state: 'Pending', attempt: 1 });
    const { hours, last_error } = await mail();
    expect(last_error).toContain('come again');
    expect(Number(hours)).toBeGreaterThan(2.9);
    expect(mails.received).toEqual([]);
  });

  test('gathered messages are one digest for each reader, sent once; what is urgent, or whose session is gone, is not in it', async () => {
    await open({
      definition: told(),
      profiles: snapshot('prf_told', {
        fromName: 'Print House',
        digest: { mode: 'hours', hours: 4, atOnce: ['Received'] },
        events: {
          Received: { to: ['now@a.test'] },
          Completed: {
            to: ['one@a.test', 'two@a.test'],
            texts: { en: { subject: 'Done {{session.id}}', text: 'T', html: '<b>T</b>' } },
          },
        },
      }),
    });
    const ids: string[] = [];
    for (const key of ['a', 'b', 'c']) ids.push(await lab.hand({ key }));
    await lab.settled();
    const digests = async () =>
      (
        await lab.sql.query(
          `select payload->>'to' as to, state::text, jsonb_array_length(payload #> '{digest,items}') as count,
                  extract(epoch from next_at - clock_timestamp()) / 3600 as hours
             from effects where payload ? 'digest' order by 1, 2`,
        )
      ).rows;
    await expect.poll(digests, { timeout: 60_000 }).toMatchObject([
      { to: 'one@a.test', state: 'Pending', count: 3 },
      { to: 'two@a.test', state: 'Pending', count: 3 },
    ]);
    for (const { hours } of await digests()) expect(Number(hours)).toBeGreaterThan(3.9);
    await expect.poll(() => mails.received.map(({ to }) => to)).toEqual(['now@a.test', 'now@a.test', 'now@a.test']);

    const [gone = '', ...kept] = ids;
    await deleteSession(lab.deps, lab, { sessionId: gone, by: tester });
    await lab.sql.query(`update effects set next_at = clock_timestamp() where payload ? 'digest'`);
    await written();
    const sent = mails.received.slice(3);
    expect(sent.map(({ to }) => to).sort()).toEqual(['one@a.test', 'two@a.test']);
    for (const { text } of sent) {
      expect(text).toContain('what happened to your files (2)');
      expect(text).toMatch(/^From: "?Print House"? <house@a.test>\r$/m);
      for (const id of kept) expect(text).toContain(`Done ${id}`);
      expect(text).not.toContain(gone);
    }
    // What happens after it was sent begins the next.
    await lab.hand({ key: 'd' });
    await lab.settled();
    await expect.poll(digests, { timeout: 60_000 }).toMatchObject([
      { to: 'one@a.test', state: 'Done', count: 3 },
      { to: 'one@a.test', state: 'Pending', count: 1 },
      { to: 'two@a.test', state: 'Done', count: 3 },
      { to: 'two@a.test', state: 'Pending', count: 1 },
    ]);
  });

  test('sends the file along as the session has it', async () => {
    await open({
      definition: told(),
      profiles: snapshot('prf_told', {
        events: { Received: { isOn: false }, Completed: { to: ['a@a.test'], attach: ['production', 'report'] } },
      }),
    });
    const sessionId = await lab.hand({ key: 'the bytes' });
    await lab.settled();
    await written();
    const { rows } = await lab.sql.query('select sha256 from files where session_id = $1', [sessionId]);
    const [, name, base64 = ''] =
      /filename=(test\.pdf)[\s\S]*?\r\n\r\n([A-Za-z0-9+/=\r\n]+)/.exec(mails.received[0]?.text ?? '') ?? [];
    expect(name).toBe('test.pdf');
    expect(createHash('sha256').update(Buffer.from(base64, 'base64')).digest('hex')).toBe(rows[0].sha256);
  });

  test('waits for the report that goes along, in the language of each reader', async () => {
    const texts = { subject: 'S', text: 'T' };
    await open({
      definition: told([{ id: 'check', kind: 'Preflight' }]),
      profiles: snapshot('prf_told', {
        language: 'fixed',
        locale: 'it-IT',
        events: {
          Received: { isOn: false },
          Completed: { to: ['a@a.test'], attach: ['report'], texts: { 'it-IT': texts } },
        },
      }),
    });
    await lab.hand();
    await lab.settled();
    await written();
    expect(mails.received).toHaveLength(1);
    expect(mails.received[0]?.text).toContain('filename=test-preflight-it-IT.pdf');
    expect(mails.received[0]?.text).toContain(Buffer.from('report in it-IT').toString('base64'));
  });

  test('that a route chooses writes from then on; nobody writes where none is chosen', async () => {
    const rule = { id: 'other', action: 'changeCommunication', profileId: 'prf_other' };
    const when = { match: 'all', rules: [{ fact: 'file.name', operator: 'contains', value: 'test' }] };
    await open({
      definition: told([{ id: 'route', kind: 'Route', settings: { rules: [{ ...rule, when }] } }]),
      profiles: {
        ...snapshot('prf_told', {
          events: { Received: { to: ['first@a.test'] }, Completed: { to: ['first@a.test'] } },
        }),
        ...snapshot('prf_other', { events: { Completed: { to: ['other@a.test'] } } }),
      },
    });
    await lab.hand();
    await lab.settled();
    await written();
    expect(mails.received.map(({ to }) => to)).toEqual(['first@a.test', 'other@a.test']);
  });

  test('words what is written to those who are asked about a proof; their links are nowhere but in their messages', async () => {
    const { definition, profiles } = proving({ approvers: asked('anna@example.com', 'ben@example.com'), locale: 'fr' });
    await open({
      definition: { ...definition, communicationProfileId: 'prf_told' },
      profiles: {
        ...profiles,
        ...snapshot('prf_told', {
          events: {
            Received: { isOn: false },
            ProofRequested: {
              to: ['copy@a.test'],
              texts: {
                fr: {
                  subject: 'À vous',
                  text: 'Voici {{proof.url}}',
                  button: 'Voir',
                  html: '<a href="{{proof.url}}">ici</a>',
                },
              },
            },
          },
        }),
      },
    });
    await lab.hand();
    await lab.settled();
    await written();
    const of = (email: string) => mails.received.find(({ to }) => to === email)?.text ?? '';
    const linkIn = (text: string) =>
      /Voici (https:\/\/print\.test\/client-proofing\/[\w-]+\/[\w-]{43})\s/.exec(text)?.[1];
    const links = ['anna@example.com', 'ben@example.com'].map((email) => linkIn(of(email)) ?? '');
    expect(new Set(links).size).toBe(2);
    expect(links).not.toContain('');
    expect(of('anna@example.com')).toContain(`<a href="${links[0]}">ici</a>`);
    expect(mails.received.map(({ to }) => to).sort()).toEqual(['anna@example.com', 'ben@example.com', 'copy@a.test']);
    expect(of('copy@a.test')).not.toContain('client-proofing');
    const { rows } = await lab.sql.query(`select string_agg(payload::text, '') as kept from effects`);
    expect(rows[0].kept).not.toContain('client-proofing');
  });

  test('who cannot be reached about a proof is noted at the proof, and whoever can send another link is told until one arrives', async () => {
    mails.refused = ['gone@example.com'];
    const { definition, profiles } = proving({ approvers: asked('gone@example.com', 'here@example.com'), mode: 'All' });
    await open({
      definition: { ...definition, communicationProfileId: 'prf_told' },
      profiles: { ...profiles, ...snapshot('prf_told', { events: { Received: { isOn: false } } }) },
    });
    const inside = <T>(work: Parameters<typeof lab.deps.database.withSubscriber<T>>[1]) =>
      lab.deps.database.withSubscriber<T>({ subscriberId: lab.subscriberId }, work);
    const [userId, roleId] = [newId('user'), newId('role')];
    await inside(async (tx) => {
      const named = { email: 'desk@example.com', userName: 'desk', firstName: '', lastName: '' };
      await tx.user.create({ data: { id: userId, ...named } });
      const permissions = ['proofs.links.manage', 'sessions.view'];
      await tx.role.create({ data: { id: roleId, name: 'Desk', permissions } });
      await tx.userRole.create({ data: { userId, roleId } });
    });
    const sessionId = await lab.hand();
    await lab.settled();
    await written();
    const asks = async () =>
      (
        await lab.sql.query(
          `select id, proof_id as proof, email, refused_at is not null as refused from proof_recipients order by email`,
        )
      ).rows;
    expect((await asks()).map(({ email, refused: is }) => [email, is])).toEqual([
      ['gone@example.com', true],
      ['here@example.com', false],
    ]);
    const notices = () => inside((tx) => tx.notification.findMany({ where: { kind: 'proof.refused' } }));
    expect(await notices()).toMatchObject([
      { userId, readAt: null, data: { sessionId, email: 'gone@example.com', file: 'test.pdf' } },
    ]);
    const [gone, here] = await asks();
    mails.refused = [];
    await resendLink(lab.deps, lab, { proofId: gone.proof, sessionId, recipientId: gone.id, by: tester });
    await written();
    expect((await asks()).map(({ refused: is }) => is)).toEqual([false, false]);
    expect(mails.received.map(({ to }) => to).sort()).toEqual(['gone@example.com', 'here@example.com']);
    for (const { id } of [gone, here]) {
      const by = { kind: 'customer', id, name: 'A' } as const;
      const given = { decision: 'Approved' } as const;
      await decideProof(lab.deps, lab, { proofId: gone.proof, recipientId: id, given, key: id, by });
    }
    await lab.settled();
    expect((await notices()).map(({ readAt }) => readAt !== null)).toEqual([true]);
  });

  test('a message that comes back is given up as one that was refused, if the report names it, its reader and its time', async () => {
    const { definition, profiles } = proving({ approvers: asked('gone@example.com', 'here@example.com'), mode: 'All' });
    await open({
      definition: { ...definition, communicationProfileId: 'prf_told' },
      profiles: { ...profiles, ...snapshot('prf_told', { events: { Received: { isOn: false } } }) },
    });
    const context = { subscriberId: lab.subscriberId };
    const inside = <T>(work: Parameters<typeof lab.deps.database.withSubscriber<T>>[1]) =>
      lab.deps.database.withSubscriber<T>(context, work);
    await inside(async (tx) => {
      const [userId, roleId] = [newId('user'), newId('role')];
      const named = { email: 'desk@example.com', userName: 'desk', firstName: '', lastName: '' };
      await tx.user.create({ data: { id: userId, ...named } });
      const permissions = ['proofs.links.manage', 'sessions.view', 'settings.smtp.manage'];
      await tx.role.create({ data: { id: roleId, name: 'Desk', permissions } });
      await tx.userRole.create({ data: { userId, roleId } });
    });
    await lab.hand();
    await lab.settled();
    await written();
    const standing = async () =>
      (
        await lab.sql.query(
          `select state::text, last_error as error, refused_at is not null as refused
             from effects join proof_recipients asked on asked.email = payload->>'to'
            where kind = 'mail' order by payload->>'to'`,
        )
      ).rows;
    const { rows } = await lab.sql.query(
      `select id from effects where kind = 'mail' and payload->>'to' = 'gone@example.com'`,
    );
    const messageId = `<${rows[0].id}@pdf2press>`;
    expect(mails.received.find(({ to }) => to === 'gone@example.com')?.text).toContain(messageId);
    const bounce = { messageId, addresses: ['Gone@example.com'], said: '5.1.1 no such mailbox', at: new Date() };
    const sent = { state: 'Done', error: null, refused: false };
    for (const wrong of [
      { addresses: ['here@example.com'] },
      { messageId: '<eff_nothing@pdf2press>' },
      { messageId: 'nonsense' },
      // Of an earlier time: it was sent again since.
      { at: new Date(Date.now() - 86_400_000) },
    ])
      expect(await noteBounces(lab.deps, context, [{ ...bounce, ...wrong }])).toBe(0);
    const other = newId('subscriber');
    expect(await noteBounces(lab.deps, { subscriberId: other }, [bounce])).toBe(0);
    expect(await standing()).toEqual([sent, sent]);

    expect(await noteBounces(lab.deps, context, [bounce])).toBe(1);
    // Read again, as after a crash.
    expect(await noteBounces(lab.deps, context, [bounce])).toBe(0);
    expect(await standing()).toEqual([{ state: 'Dead', error: '5.1.1 no such mailbox', refused: true }, sent]);
    const notices = await inside((tx) => tx.notification.findMany({ orderBy: { kind: 'asc' } }));
    expect(notices.map(({ kind }) => kind)).toEqual(['mail.dead', 'proof.refused']);
    expect(notices[1]).toMatchObject({ data: { email: 'gone@example.com' } });
  });

  test('tells how a proof was decided, once, when all whose decision counts have decided', async () => {
    const labels = { Approved: { en: 'Print it' } };
    const approvers = asked('anna@example.com', 'ben@example.com');
    const { definition, profiles } = proving({ approvers, mode: 'All', labels });
    const text = {
      subject: 'x',
      text: '{{proof.decision}} by {{proof.decidedBy}}: {{proof.comment}}. {{proof.answer}}, not {{proof.decline}}',
    };
    const on = { isOn: true, to: ['ops@a.test'], texts: { en: text } };
    await open({
      definition: { ...definition, communicationProfileId: 'prf_told' },
      profiles: {
        ...profiles,
        ...snapshot('prf_told', {
          events: {
            Received: { isOn: false },
            ProofApproved: on,
            ProofDeclined: on,
            Held: on,
            Released: on,
            Completed: on,
          },
        }),
      },
    });
    await lab.hand();
    await lab.settled();
    await written();
    const { rows } = await lab.sql.query('select id, proof_id, name, email from proof_recipients order by no');
    for (const { id: recipientId, proof_id: proofId, email: name } of rows) {
      const by = { kind: 'customer', id: recipientId, name } as const;
      const given = { decision: 'Approved', comment: `fine, ${name}` } as const;
      await decideProof(lab.deps, { subscriberId: lab.subscriberId }, { proofId, recipientId, given, key: name, by });
    }
    await lab.settled();
    await written();
    const told = mails.received
      .filter(({ to }) => to === 'ops@a.test')
      .map(({ text }) => /Approved by.*/.exec(text)?.[0].trim());
    expect(told.sort()).toEqual([
      'Approved by ben@example.com: fine, ben@example.com. Print it, not Decline',
      'Approved by ben@example.com: fine, ben@example.com. Print it, not Decline',
    ]);
  });

  test('can have a picture of the proof’s first page with it, which is made when it is written for the first time @night', async () => {
    const { definition, profiles } = proving({
      approvers: asked('anna@example.com'),
      watermark: 'Proof {{proof.version}}',
    });
    const on = { isOn: true, to: ['ops@a.test', 'desk@a.test'], attach: ['proof'] };
    await open({
      definition: { ...definition, communicationProfileId: 'prf_told' },
      profiles: {
        ...profiles,
        ...snapshot('prf_told', {
          events: {
            Received: on,
            ProofRequested: { attach: ['proof'] },
            ProofDeclined: on,
            Completed: { isOn: false },
          },
        }),
      },
    });
    await lab.hand();
    await lab.settled();
    const { rows } = await lab.sql.query('select id, proof_id from proof_recipients');
    const [{ id: recipientId, proof_id: proofId }] = rows;
    const by = { kind: 'customer', id: recipientId, name: 'Anna' } as const;
    const given = { decision: 'Declined' } as const;
    await decideProof(lab.deps, { subscriberId: lab.subscriberId }, { proofId, recipientId, given, key: 'one', by });
    await lab.settled();
    await written();
    const withPicture = mails.received.filter(({ text }) => /filename="?test-proof-1\.jpg/.test(text));
    expect(withPicture.map(({ to }) => to).sort()).toEqual(['desk@a.test', 'ops@a.test']);
    for (const { text } of withPicture) expect(text).toContain(Buffer.from('jpeg of “Proof 1”').toString('base64'));
    expect(drawn).toEqual(['jpeg of “Proof 1”']);
  });

  test('says that the deadline decided where nobody did', async () => {
    const approvers = asked('anna@example.com');
    const { definition, profiles } = proving({ approvers, deadlineHours: 24, onDeadline: 'AutoApprove' });
    const text = { subject: 'x', text: '{{proof.decision}} by {{proof.decidedBy}}.' };
    const on = { isOn: true, to: ['ops@a.test'], texts: { en: text } };
    await open({
      definition: { ...definition, communicationProfileId: 'prf_told' },
      profiles: {
        ...profiles,
        ...snapshot('prf_told', { events: { Received: { isOn: false }, ProofApproved: on, Completed: { to: [] } } }),
      },
    });
    const sessionId = await lab.hand();
    await lab.settled();
    await lab.sql.query('update waits set due_at = clock_timestamp() where session_id = $1', [sessionId]);
    await expect.poll(() => lab.status(sessionId), { timeout: 30_000 }).toBe('Completed');
    await written();
    const told = mails.received.flatMap(({ text: line }) => /Approved by.*/.exec(line)?.[0].trim() ?? []);
    expect(told).toEqual(['Approved by the deadline, without an answer.']);
  });

  test('tells of a hold and of its end', async () => {
    const text = { subject: 'x', text: '{{hold.reason}} {{session.status}}', button: 'See' };
    const on = { isOn: true, to: ['ops@a.test'], texts: { en: text } };
    const hold = { id: 'hold', kind: 'Hold', settings: { reason: 'Paper for {{file.name}}' } };
    const definition = told([hold]);
    await open({
      definition: {
        ...definition,
        edges: definition.edges.map((edge) => (edge.from === 'hold' ? { ...edge, outcome: 'continue' } : edge)),
      },
      profiles: snapshot('prf_told', {
        events: { Received: { isOn: false }, Held: on, Released: on, Completed: { to: [] } },
      }),
    });
    const sessionId = await lab.hand();
    await lab.settled();
    await written();
    expect(mails.received.map(({ text }) => /Paper for \S+ \w+/.exec(text)?.[0])).toEqual([
      'Paper for test.pdf OnHold',
    ]);
    const [wait] = (await lab.sql.query('select id from waits where session_id = $1', [sessionId])).rows;
    const decision = { waitId: wait.id, decision: 'continue', by: tester };
    await decide(lab.deps, { subscriberId: lab.subscriberId }, decision);
    await lab.settled();
    await written();
    expect(mails.received).toHaveLength(2);
  });

  test('is drawn as it would be sent, with a session’s values or those of examples; nothing is written', async () => {
    await open({ definition: told(), profiles: {} });
    const sessionId = await lab.hand();
    await lab.settled();
    const profile = communicationProfileSchema.parse({
      events: {
        Completed: { to: ['{{customer}}'], texts: { en: { subject: '{{file.name}}', text: '{{session.status}}' } } },
      },
    });
    const context = { subscriberId: lab.subscriberId };
    const drawing = { profile, event: 'Completed', locale: 'en', ...context, logo: 'inside' } as const;
    expect(await drawMessage(lab.deps, context, { ...drawing, sessionId })).toMatchObject({
      subject: 'test.pdf',
      text: 'Completed',
      recipients: ['carla@example.com', 'dora@example.com'],
      isSent: true,
    });
    const sample = await drawMessage(lab.deps, context, { ...drawing, locale: 'it-IT', sessionId: null });
    expect(sample).toMatchObject({ recipients: null, isSent: null });
    expect(sample.subject).toContain('è pronto');
    const { rows } = await lab.sql.query('select count(*)::int as count from effects');
    expect(rows).toEqual([{ count: 0 }]);
  });
});

describe('a worker killed (SIGKILL) while it writes about an event', () => {
  const all = ['beforeEffect', 'afterEffect', 'insideEffectCommit', 'afterEffectCommit'] as const;
  test.each(all)('%s: each reader gets one message @night', (place) =>
    inLab(
      server,
      async (at, start) => {
        await at.hand();
        // The first effect is what is written about; its messages are effects of their own.
        expect(await start({ smtpPort: mails.port, failpoints: `${place}:kill` }).ended).toBe('SIGKILL');
        start({ smtpPort: mails.port, timing: patient });
        const hurried = async () => {
          await at.sql.query(`update effects set next_at = now() where state = 'Pending'`);
          await at.sql.query(
            `update effects set lease_until = now() - interval '1 s' where state = 'Sending' and kind = 'communication'`,
          );
          const { rows } = await at.sql.query(
            `select count(*) filter (where kind = 'mail' and state = 'Done')::int as sent,
                      count(*) filter (where state <> 'Done')::int as open from effects`,
          );
          return rows[0];
        };
        await at.settled();
        await expect.poll(hurried, { timeout: 60_000, interval: 500 }).toEqual({ sent: 4, open: 0 });
        expect(mails.received.map(({ to }) => to).sort()).toEqual(['a@a.test', 'a@a.test', 'b@a.test', 'b@a.test']);
      },
      {
        definition: told(),
        profiles: snapshot('prf_told', {
          events: { Received: { to: ['a@a.test', 'b@a.test'] }, Completed: { to: ['a@a.test', 'b@a.test'] } },
        }),
      },
    ),
  );

  test.each(all)('%s: each reader gets one digest with all in it @night', (place) =>
    inLab(
      server,
      async (at, start) => {
        await at.hand();
        expect(await start({ smtpPort: mails.port, failpoints: `${place}:kill` }).ended).toBe('SIGKILL');
        start({ smtpPort: mails.port, timing: patient });
        await at.settled();
        const gathered = async () => {
          await at.sql.query(
            `update effects set next_at = now(), lease_until = least(lease_until, now() - interval '1 s')
              where state <> 'Done' and kind = 'communication'`,
          );
          const { rows } = await at.sql.query(
            `select payload->>'to' as to, jsonb_array_length(payload #> '{digest,items}') as count
               from effects where payload ? 'digest' order by 1`,
          );
          return rows;
        };
        await expect.poll(gathered, { timeout: 60_000, interval: 500 }).toEqual([
          { to: 'a@a.test', count: 2 },
          { to: 'b@a.test', count: 2 },
        ]);
        await at.sql.query(`update effects set next_at = now() where payload ? 'digest'`);
        const open = async () =>
          (await at.sql.query(`select count(*)::int as n from effects where state <> 'Done'`)).rows[0].n;
        await expect.poll(open, { timeout: 60_000 }).toBe(0);
        expect(mails.received.map(({ to }) => to).sort()).toEqual(['a@a.test', 'b@a.test']);
      },
      {
        definition: told(),
        profiles: snapshot('prf_told', {
          digest: { mode: 'daily' },
          events: { Received: { to: ['a@a.test', 'b@a.test'] }, Completed: { to: ['a@a.test', 'b@a.test'] } },
        }),
      },
    ),
  );
});
