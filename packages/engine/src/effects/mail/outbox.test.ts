import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { freePort } from '@pdf2press/config/free-port';
import { listKeptMail } from '@pdf2press/mail';
import { newId } from '@pdf2press/prisma';
import { startTestPostgres } from '@pdf2press/prisma/testing';
import { SMTPServer } from 'smtp-server';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openInstanceKeys } from '../../secrets/secrets.ts';
import { answerSender, tellSender } from '../../sessions/answer-sender.ts';
import { receiveFile } from '../../sessions/receive-file.ts';
import { type Lab, openLab, tester } from '../../testing/lab.ts';
import { deliverDue, retryEffect } from '../deliver.ts';
import { enqueueEffect } from '../enqueue.ts';
import { queueMail } from './queue-mail.ts';
import { deliverMail } from './run.ts';

/** How the server answers the next messages; `silence` = it accepts a message's data and never answers. */
let answers: ('ok' | 'later' | 'never' | 'silence')[] = [];
const received: string[] = [];
const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onRcptTo: (_address, _session, done) => {
    const [next] = answers;
    if (next === 'never') {
      answers.shift();
      return done(Object.assign(new Error('no such mailbox'), { responseCode: 550 }));
    }
    done();
  },
  onData: (stream, session, done) => {
    const parts: Buffer[] = [];
    stream.on('data', (part: Buffer) => parts.push(part));
    stream.on('end', () => {
      const answer = answers.shift() ?? 'ok';
      if (answer === 'later') return done(Object.assign(new Error('greylisted'), { responseCode: 451 }));
      received.push(Buffer.concat(parts).toString());
      if (answer === 'ok') return done();
      // The message is accepted and the connection breaks before the answer.
      const { id } = session;
      for (const connection of smtp.connections) if ((connection as { id?: string }).id === id) connection.close();
    });
  },
});

let server: Awaited<ReturnType<typeof startTestPostgres>>;
let port = 0;
let lab: Lab;
beforeAll(async () => {
  server = await startTestPostgres();
  await new Promise<void>((resolve) => {
    const listening = smtp.listen(0, '127.0.0.1', () => {
      port = (listening.address() as AddressInfo).port;
      resolve();
    });
  });
});
afterAll(async () => {
  await new Promise<void>((resolve) => smtp.close(() => resolve()));
  await server.stop();
});
beforeEach(async () => {
  lab = await openLab(server);
  answers = [];
  received.length = 0;
});
afterEach(() => lab.close());

async function outbox({ hasServer = true, at = port } = {}) {
  const keys = await openInstanceKeys({ dataDir: lab.folder });
  const hostServer = {
    host: '127.0.0.1',
    port: at,
    username: '',
    password: null,
    senderEmail: 'house@a.test',
    enableSsl: false,
  };
  const environment = {
    keepFolder: path.join(lab.folder, 'mail'),
    allowedHosts: [],
    ...(hasServer ? { hostServer } : {}),
  };
  const mail = deliverMail(lab.deps, { keys, environment, title: 'pdf2press', baseUrl: 'https://p.test' });
  const { subscriberId } = lab;
  const inside = <T>(work: Parameters<typeof lab.deps.database.withSubscriber<T>>[1]) =>
    lab.deps.database.withSubscriber<T>({ subscriberId }, work);
  const reader = { subscriberId, email: 'ana@example.com', firstName: 'Ana', lastName: 'Test', locale: 'en' };
  return {
    keys,
    environment,
    inside,
    send: (cause: string, link?: string) =>
      inside((tx) =>
        queueMail(tx, keys, { reader, template: 'reset', params: { minutes: 30, ...(link ? { link } : {}) }, cause }),
      ),
    /** Makes every waiting message due and delivers once. */
    deliver: async () => {
      await lab.sql.query(`update effects set next_at = now() where state = 'Pending'`);
      return deliverDue(lab.deps, { mail }, { count: 10, stopped: new AbortController().signal });
    },
    rows: async () =>
      (
        await lab.sql.query(
          'select state, attempt, unknown_count, last_error, payload::text from effects order by created_at',
        )
      ).rows,
  };
}

test('a message is written with its cause or not at all and sent once; its link is stored encrypted until then', async () => {
  const box = await outbox();
  await expect(
    box.inside(async (tx) => {
      await tx.notification.create({ data: { id: newId('notification'), kind: 'x' } });
      throw new Error('the cause did not come about');
    }),
  ).rejects.toThrow();
  await box.send('one', 'https://p.test/reset#token=sesame');
  await box.send('one', 'https://p.test/reset#token=sesame');
  const [row, ...more] = await box.rows();
  expect(more).toEqual([]);
  expect(row.payload).not.toContain('sesame');
  expect(await box.deliver()).toBe(1);
  expect(await box.deliver()).toBe(0);
  expect(received).toHaveLength(1);
  expect(received[0]).toContain('sesame');
  expect(await box.rows()).toMatchObject([{ state: 'Done', attempt: 1 }]);
  expect(await box.inside((tx) => tx.secret.count({ where: { purpose: 'mail.link' } }))).toBe(0);
});

test('a message of an organization has its look and its address for answers, and leads to the product', async () => {
  const box = await outbox();
  const { subscriberId } = lab;
  const reader = { subscriberId, email: 'ana@example.com', firstName: 'Ana', lastName: 'Test', locale: 'en' };
  const welcome = {
    reader,
    template: 'organizationWelcome',
    params: { organization: 'Acme Cards' },
    cause: 'acme',
    path: '/',
    sender: { brand: { name: 'Acme Cards', color: '#8a1c5c' }, fromName: 'Acme Cards', replyTo: 'hello@acme.example' },
  } as const;
  await box.inside((tx) => queueMail(tx, box.keys, welcome));
  await box.inside((tx) => queueMail(tx, box.keys, welcome));
  expect(await box.deliver()).toBe(1);
  const plain = (received[0] ?? '').replaceAll('=\r\n', '').replaceAll('=3D', '=');
  expect(received).toHaveLength(1);
  expect(plain).toContain('Subject: Welcome to Acme Cards');
  expect(plain).toMatch(/From: "?Acme Cards"? </);
  expect(plain).toContain('Reply-To: hello@acme.example');
  expect(plain).toContain('#8a1c5c');
  expect(plain).toContain('https://p.test/');
});

test('a server that is not ready is tried again with growing pauses; the message keeps its Message-ID', async () => {
  const box = await outbox();
  answers = ['later', 'later', 'ok'];
  await box.send('slow');
  await box.deliver();
  const [{ wait }] = (await lab.sql.query(`select extract(epoch from next_at - now())::float as wait from effects`))
    .rows;
  expect(wait).toBeGreaterThan(3);
  await box.deliver();
  await box.deliver();
  expect(received).toHaveLength(1);
  expect(received[0]).toMatch(/Message-ID: <eff_\S+@pdf2press>/);
  expect(await box.rows()).toMatchObject([{ state: 'Done', attempt: 3, unknown_count: 0 }]);
});

test('a server that is down is tried again, and the message arrives once it is back', async () => {
  const box = await outbox({ at: await freePort() });
  await box.send('down');
  await box.deliver();
  expect(await box.rows()).toMatchObject([{ state: 'Pending', attempt: 1, unknown_count: 0 }]);
  const back = await outbox();
  await back.deliver();
  expect(received).toHaveLength(1);
  expect(await back.rows()).toMatchObject([{ state: 'Done', attempt: 2 }]);
});

test('a message that may have arrived is sent only once more, under the same Message-ID', async () => {
  const box = await outbox();
  answers = ['silence', 'silence', 'ok'];
  await box.send('unknown');
  await box.deliver();
  expect(await box.rows()).toMatchObject([{ state: 'Pending', unknown_count: 1 }]);
  await box.deliver();
  expect(await box.rows()).toMatchObject([{ state: 'Dead' }]);
  expect(await box.deliver()).toBe(0);
  const names = received.map((text) => /Message-ID: (\S+)/.exec(text)?.[1]);
  expect(names).toHaveLength(2);
  expect(new Set(names).size).toBe(1);
});

test('when a worker is lost while sending, the outcome counts as unknown', async () => {
  const box = await outbox();
  await box.send('lost');
  await lab.sql.query(`update effects set state = 'Sending', attempt = 1, lease_until = now() - interval '1 s'`);
  await box.deliver();
  expect(await box.rows()).toMatchObject([{ state: 'Done', unknown_count: 1 }]);
});

test('an address refused for good, or three days of failures, give a dead letter that is notified and can be retried', async () => {
  const box = await outbox();
  answers = ['never'];
  const userId = newId('user');
  const roleId = newId('role');
  await box.inside(async (tx) => {
    await tx.user.create({
      data: { id: userId, email: 'boss@example.com', userName: 'boss', firstName: '', lastName: '' },
    });
    await tx.role.create({ data: { id: roleId, name: 'Boss', permissions: ['settings.smtp.manage'] } });
    await tx.userRole.create({ data: { userId, roleId } });
  });
  await box.send('refused');
  await box.deliver();
  expect(await box.rows()).toMatchObject([{ state: 'Dead', last_error: expect.stringContaining('no such mailbox') }]);
  const told = await box.inside((tx) => tx.notification.findMany());
  expect(told).toMatchObject([{ userId, kind: 'mail.dead', data: { to: 'ana@example.com' } }]);

  const id = (await lab.sql.query('select id from effects')).rows[0].id;
  expect(await box.inside((tx) => retryEffect(tx, { id, kind: 'mail' }))).toBe(true);
  expect(await box.inside((tx) => retryEffect(tx, { id, kind: 'mail' }))).toBe(false);
  await lab.sql.query(`update effects set created_at = now() - interval '73 hours'`);
  answers = ['later'];
  await box.deliver();
  expect(await box.rows()).toMatchObject([{ state: 'Dead' }]);
});

test('a message that a workflow words is sent as it is written, and given up after the tries that it has', async () => {
  const box = await outbox();
  const content = { subject: 'Job <1>', text: 'First.\n\nSecond <b>.' };
  const ask = (key: string, maxTries: number) =>
    box.inside((tx) =>
      enqueueEffect(tx, {
        kind: 'mail',
        key,
        payload: { template: 'message', to: 'ana@example.com', name: '', locale: 'en', params: {}, content, maxTries },
      }),
    );
  await ask('a', 1);
  await box.deliver();
  expect(received[0]).toMatch(/Subject: Job <1>/);
  expect(received[0]).toContain('Second <b>.');
  expect(received[0]).toContain('Second &lt;b&gt;.');
  answers = ['later', 'later', 'later'];
  await ask('b', 2);
  await box.deliver();
  await box.deliver();
  expect(await box.rows()).toMatchObject([{ state: 'Done' }, { state: 'Dead', attempt: 2 }]);
});

test('a mail is answered once, as an answer, in its sender’s language, and no address without end', async () => {
  const box = await outbox();
  const { subscriberId } = lab;
  const answer = {
    key: 'mail 1',
    count: 2,
    no: 1,
    to: 'anna@example.com',
    reference: 'K7M2-9QXD',
    languages: ['de-DE', 'it'],
    messageId: '<order@example.com>',
  };
  const tell = (change: Partial<typeof answer> = {}) =>
    answerSender(lab.deps, {
      subscriberId,
      workflowId: lab.workflowId,
      answer: { ...answer, ...change },
      outcomes: [null, { code: 'file.tooSmall', params: { limit: 1 } }],
    });
  await tell();
  await tell();
  await box.deliver();
  expect(received).toHaveLength(1);
  expect(received[0]).toMatch(/^In-Reply-To: <order@example\.com>/m);
  expect(received[0]).toMatch(/^Auto-Submitted: auto-replied/m);
  expect(received[0]).toContain('Abbiamo ricevuto file della sua e-mail');
  expect(received[0]).toContain('K7M2-9QXD');
  expect(received[0]).toMatch(/^2: /m);
  for (let no = 2; no < 20; no += 1) await tell({ key: `mail ${no}` });
  expect(await box.rows()).toHaveLength(10);
});

async function* none(): AsyncGenerator<Uint8Array> {
  // What is in a file does not matter here.
}

test('what turns out to be unusable of one mail is told in one message; what went wrong here, and names of files, are not', async () => {
  const box = await outbox();
  const sender = {
    ...{ key: 'mail 1', to: 'anna@example.com', reference: 'K7M2-9QXD', languages: ['fr'], messageId: null },
    no: 2,
  };
  const receive = async (arrival: object) => {
    const { sessionId } = await receiveFile(lab.deps, {
      ...{
        context: { subscriberId: lab.subscriberId },
        workflowId: lab.workflowId,
        source: 'Email',
        fileName: 'a.pdf',
      },
      ...{ bytes: none(), ingest: { kind: 'email' }, createdBy: tester, arrival },
    });
    return (...problems: { code: string; params?: Record<string, string> }[]) =>
      box.inside((tx) => tellSender(tx, { sessionId, problems }));
  };
  const [nobody, whole, part] = [
    await receive({}),
    await receive({ sender }),
    await receive({ sender: { ...sender, no: 3 }, part: { fileName: 'a.zip', index: 4, count: 9 } }),
  ];
  await nobody({ code: 'PDF_DAMAGED' });
  await whole({ code: 'PDF_CRASH' }, { code: 'INTERNAL' }, { code: 'STORAGE_FULL' });
  expect(await box.rows()).toEqual([]);
  await whole({ code: 'MERGE_FILE', params: { name: 'come-to-evil.pdf', reason: 'PDF_EMPTY' } }, { code: 'PDF_EMPTY' });
  await part({ code: 'PDF_DAMAGED' });
  expect(await box.rows()).toHaveLength(1);
  await box.deliver();
  const lines = (received[0] ?? '')
    .replaceAll('=\r\n', '')
    .split('\r\n')
    .filter((line) => /^\d/.test(line));
  expect(lines.map((line) => line.slice(0, 8))).toEqual(['2: Le fi', '3 (4/9):']);
  expect(received[0]).not.toContain('evil');
  // It has gone: what is found out now needs another.
  await part({ code: 'PDF_EMPTY' });
  expect(await box.rows()).toHaveLength(2);
  for (let no = 0; no < 20; no += 1)
    await (await receive({ sender: { ...sender, key: `mail ${no + 2}` } }))({ code: 'PDF_EMPTY' });
  expect(await box.rows()).toHaveLength(10);
});

test('without a mail server the message is kept for the administrators', async () => {
  const box = await outbox({ hasServer: false });
  await box.send('kept');
  await box.deliver();
  const kept = await listKeptMail(box.environment.keepFolder, lab.subscriberId);
  expect(kept).toMatchObject([{ to: 'ana@example.com', subject: 'Choose a new password for pdf2press' }]);
});
