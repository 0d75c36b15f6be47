import { createHash } from 'node:crypto';
import { isNight } from '@pdf2press/config/by-day';
import { SourceFaultError, workflowDefinitionSchema } from '@pdf2press/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SourceItem } from '../source.ts';
import { composeTestMail, hasDovecot, startDovecot, type TestDovecot, type TestMail } from '../testing/dovecot.ts';
import { offline } from '../testing/offline.ts';
import { composeWinmail, type PackedPart } from '../testing/winmail.ts';
import { type MailboxSettings, mailboxSettingsSchema } from './contract.ts';
import { run } from './run.ts';
import { tryMailbox } from './try-mailbox.ts';

const pdf = (text: string) => `%PDF-1.4 ${text}`;
const attached = (...names: string[]) => names.map((name) => ({ name, content: pdf(name) }));

describe.skipIf(!hasDovecot)('a mailbox on a real server (skipped without dovecot)', () => {
  let server: TestDovecot;
  beforeAll(async () => {
    server = await startDovecot();
  });
  afterAll(() => server.stop());

  const variables = workflowDefinitionSchema.shape.variables.parse([
    { name: 'order', type: 'String' },
    { name: 'Copies', type: 'Number' },
    { name: 'paper', type: 'Select', options: ['Gloss', 'Matt'] },
  ]);
  let user: string;
  let cursor: unknown;
  let memory: Map<string, unknown>;
  /** Ids of what people ask for once more. */
  let asked: string[];
  let no = 0;
  beforeEach(() => {
    no += 1;
    user = `box${no}`;
    cursor = undefined;
    memory = new Map();
    asked = [];
  });

  const settingsOf = (change: Partial<MailboxSettings> = {}): MailboxSettings =>
    mailboxSettingsSchema.parse({
      host: 'localhost',
      port: server.port,
      security: 'none',
      username: user,
      workflowId: 'wfl_1',
      startWith: 'all',
      ...change,
    });

  interface Seen {
    item: SourceItem;
    name: string;
    text: string;
    refusal: string | undefined;
    error: unknown;
  }

  /** Polls as intake does: reads and settles each item, and moves the cursor unless one waits. */
  async function poll(
    change: Partial<MailboxSettings> = {},
    {
      decide = () => 'take',
      keepsCursor = false,
      acceptsAll = false,
    }: {
      decide?: (name: string) => 'take' | 'wait';
      keepsCursor?: boolean;
      acceptsAll?: boolean;
    } = {},
  ): Promise<Seen[]> {
    const { signal } = new AbortController();
    const seen: Seen[] = [];
    let isHeld = keepsCursor;
    const items = run({
      settings: { connectionId: 'prf_1' },
      connection: {
        settings: settingsOf(change),
        secret: { password: server.password },
      },
      cursor: cursor as never,
      signal,
      tools: {
        root: '',
        memory,
        now: () => performance.now(),
        addressOf: async () => '127.0.0.1',
        ...offline,
        variables,
        asked: async () => new Map(asked.map((id) => [id, { name: 'lost.pdf', sourceName: '' }])),
      },
    });
    for (;;) {
      const next = await items.next();
      if (next.done) {
        if (!isHeld && next.value) cursor = next.value;
        return seen;
      }
      const item = next.value;
      const entry: Seen = {
        item,
        name: item.name,
        text: '',
        refusal: item.refusal?.code,
        error: undefined,
      };
      seen.push(entry);
      if (decide(item.name) === 'wait') {
        isHeld = true;
        continue;
      }
      try {
        if (!item.refusal) for await (const piece of item.open()) entry.text += Buffer.from(piece).toString('latin1');
      } catch (error) {
        entry.error = error;
      }
      await item.settle(!acceptsAll && (item.refusal || entry.error) ? 'rejected' : 'accepted');
      if (!isHeld && item.cursorAfter) cursor = item.cursorAfter;
    }
  }
  const names = (seen: readonly Seen[]) => seen.map(({ name }) => name);
  const put = (mail: TestMail | string, options?: Parameters<TestDovecot['put']>[2]) => server.put(user, mail, options);
  const flags = async (folder?: string) => (await server.mails(user, folder)).map((mail) => mail.flags.join(' '));

  test('each attachment is an item with its bytes; the mail is marked when all are settled', async () => {
    await put({
      attachments: attached('a.pdf', 'b.pdf'),
      subject: 'Order 4711',
    });
    const seen = await poll({
      subjectVariable: 'order',
      senderVariable: 'from',
      bodyVariable: 'note',
    });
    expect(seen.map(({ name, text }) => [name, text])).toEqual([
      ['a.pdf', pdf('a.pdf')],
      ['b.pdf', pdf('b.pdf')],
    ]);
    expect(seen[0]?.item).toMatchObject({
      sourceName: expect.stringMatching(/^anna@example\.com · [2-9A-Z]{4}-[2-9A-Z]{4}$/),
      variables: {
        order: 'Order 4711',
        from: 'anna@example.com',
        note: 'Please print.',
      },
    });
    expect(await flags()).toEqual(['\\Seen']);
    expect(await poll()).toEqual([]);
  });

  test('subject, sender and text fill variables by patterns, each value by the type of its variable', async () => {
    const patterns: MailboxSettings['patterns'] = [
      { part: 'subject', pattern: '*Order {{order}}*' },
      { part: 'subject', pattern: '*{{copies}} pieces*' },
      { part: 'sender', pattern: '{{customer}}@*' },
      { part: 'body', pattern: 'Order no: {{order}}' },
      { part: 'body', pattern: 'Copies: {{copies}}' },
      { part: 'body', pattern: 'Paper: {{paper}}' },
    ];
    const valuesOf = async (mail: TestMail, change: Partial<MailboxSettings> = {}) => {
      await put({ ...mail, attachments: attached('a.pdf') });
      return (await poll({ patterns, ...change }))[0]?.item.variables;
    };
    expect(
      await valuesOf({ subject: 'Re: order A-17, 500 pieces', text: 'Paper: Linen\r\n Paper: Matt \r\n' }),
    ).toEqual({
      ...{ order: 'A-17', Copies: '500', customer: 'anna', paper: 'Matt' },
    });
    // What is said first counts, and what does not fit says nothing.
    expect(await valuesOf({ subject: 'Order 1', text: 'Order no: 2\r\nCopies: many\r\nCopies: 20 or so' })).toEqual({
      ...{ order: '1', customer: 'anna' },
    });
    expect(
      await valuesOf({ subject: 'Hello', text: 'Grüße\r\nOrder no: Ü2\r\n' }, { subjectVariable: 'order' }),
    ).toEqual({
      ...{ order: 'Ü2', customer: 'anna' },
    });
    // A line of 300 characters is looked at, a longer one is not.
    const long = (characters: number) => `Order no: ${'9'.repeat(characters - 10)}`;
    expect((await valuesOf({ subject: '-', text: long(300) }))?.order).toHaveLength(290);
    expect((await valuesOf({ subject: '-', text: long(301) }))?.order).toBeUndefined();
  });

  test('connected from now on, mails that were there are left alone', async () => {
    for (let old = 0; old < 3; old += 1) await put({ attachments: attached(`old${old}.pdf`) });
    expect(await poll({ startWith: 'new' })).toEqual([]);
    await put({ attachments: attached('new.pdf') });
    expect(names(await poll({ startWith: 'new' }))).toEqual(['new.pdf']);
  });

  const oldMails = isNight ? 10_000 : 300;
  test(`of ${oldMails} old mails none or all are taken, as it was chosen, each once and in their order`, {
    timeout: 15 * 60_000,
  }, async () => {
    const name = (at: number) => `${String(at).padStart(5, '0')}.pdf`;
    const all = Array.from({ length: oldMails }, (_, at) => name(at));
    await server.putMany(
      user,
      all.map((one) => () => ({ attachments: attached(one) })),
    );
    expect(await poll({ startWith: 'new' })).toEqual([]);
    await put({ attachments: attached('new.pdf') });
    expect(names(await poll({ startWith: 'new' }))).toEqual(['new.pdf']);
    cursor = undefined;
    memory = new Map();
    const seen = await poll({ startWith: 'all' });
    expect(names(seen)).toEqual([...all, 'new.pdf']);
    expect(new Set(seen.map(({ item }) => item.externalId)).size).toBe(oldMails + 1);
    expect(await poll({ startWith: 'all' })).toEqual([]);
  });

  test('an empty mailbox, connected from now on, loses nothing that comes', async () => {
    expect(await poll({ startWith: 'new' })).toEqual([]);
    await put({ attachments: attached('first.pdf') });
    expect(names(await poll({ startWith: 'new' }))).toEqual(['first.pdf']);
  });

  test('the same mail twice has the same keys; the same file in another mail has others', async () => {
    const mail = {
      messageId: '<one@example.com>',
      date: 'Mon, 23 Nov 2026 10:00:00 +0000',
      attachments: attached('a.pdf'),
    };
    await put(mail);
    await put(mail);
    await put({ ...mail, messageId: '<two@example.com>' });
    const [one, again, other] = (await poll()).map(({ item }) => item.externalId);
    expect(again).toBe(one);
    expect(other).not.toBe(one);
  });

  test('a server that numbers its mails anew gives the same keys, and none of the mails from before the beginning', async () => {
    await put({ attachments: attached('old.pdf') }, { receivedAt: new Date(Date.now() - 3_600_000) });
    await poll({ startWith: 'new' });
    await put({ attachments: attached('a.pdf') });
    const [before] = await poll({ startWith: 'new' });
    await server.renumber(user);
    const again = await poll({ startWith: 'new' });
    expect(names(again)).toEqual(['a.pdf']);
    expect(again[0]?.item.externalId).toBe(before?.item.externalId);
    // What is put there by hand later is taken, however old it is.
    await put({ attachments: attached('dragged.pdf') }, { receivedAt: new Date(Date.now() - 7_200_000) });
    expect(names(await poll({ startWith: 'new' }))).toEqual(['dragged.pdf']);
  });

  test('after a crash before the cursor the same keys come again, and only then is the mail done with', async () => {
    await put({ attachments: attached('a.pdf', 'b.pdf') });
    const first = await poll(
      { after: 'delete' },
      {
        decide: (name) => (name === 'b.pdf' ? 'wait' : 'take'),
        keepsCursor: true,
      },
    );
    expect(await flags()).toEqual(['']);
    memory = new Map();
    const second = await poll({ after: 'delete' });
    expect(second.map(({ item }) => item.externalId)).toEqual(first.map(({ item }) => item.externalId));
    expect(await server.mails(user)).toEqual([]);
  });

  test('a mail that waits delays none of the later ones, and those are not looked at twice', async () => {
    await put({ attachments: attached('slow.pdf') });
    await put({ attachments: attached('quick.pdf') });
    const wait = {
      decide: (name: string): 'take' | 'wait' => (name === 'slow.pdf' ? 'wait' : 'take'),
    };
    expect(names(await poll({}, wait))).toEqual(['slow.pdf', 'quick.pdf']);
    expect(names(await poll({}, wait))).toEqual(['slow.pdf']);
    expect(names(await poll())).toEqual(['slow.pdf']);
    expect(await poll()).toEqual([]);
  });

  test('moved to a folder that is made, or deleted', async () => {
    await put({ attachments: attached('a.pdf') });
    await poll({ after: 'move', moveTo: 'Done' });
    expect([await server.mails(user), await server.mails(user, 'Done')].map((list) => list.length)).toEqual([0, 1]);
    await put({ attachments: attached('b.pdf') });
    await poll({ after: 'delete' });
    expect(await server.mails(user)).toEqual([]);
  });

  test('a mail with a refused attachment stays and is flagged', async () => {
    await put({
      attachments: [...attached('a.pdf'), { name: 'b.docx', type: 'application/msword', content: 'x' }],
    });
    const seen = await poll({ after: 'delete' });
    expect(seen.map(({ name, refusal }) => [name, refusal])).toEqual([
      ['a.pdf', undefined],
      ['b.docx', 'file.typeNotAccepted'],
    ]);
    expect(await flags()).toEqual(['\\Flagged']);
  });

  test('sizes, types and numbers of attachments are limited, each refusal is told', async () => {
    const size = (bytes: number, name: string) => ({
      name,
      content: Buffer.alloc(bytes, 'x'),
    });
    await put({
      attachments: [
        size(100, 'small.pdf'),
        size(5_000, 'right.pdf'),
        size(50_000, 'large.pdf'),
        ...attached('late.pdf'),
      ],
    });
    const seen = await poll({
      minBytes: 1_000,
      maxBytes: 10_000,
      maxAttachments: 3,
    });
    expect(seen.map(({ name, refusal, error }) => [name, refusal ?? (error as Error | undefined)?.message])).toEqual([
      ['small.pdf', 'file.tooSmall'],
      ['right.pdf', undefined],
      ['large.pdf', 'file.tooLarge'],
      ['late.pdf', 'mail.tooManyAttachments'],
    ]);
  });

  test('only mails that fit the subject and the senders are taken, others are left as they are', async () => {
    await put({ attachments: attached('a.pdf'), subject: 'Order 1' });
    await put({ attachments: attached('b.pdf'), subject: 'Newsletter' });
    await put({
      attachments: attached('c.pdf'),
      subject: 'order 2',
      from: 'Eve <eve@elsewhere.example>',
    });
    expect(names(await poll({ subject: 'order*', senders: ['*@EXAMPLE.com'] }))).toEqual(['a.pdf']);
    expect(await flags()).toEqual(['\\Seen', '', '']);
  });

  test('answers of programs, reports and own mails are not taken; orders of shops are', async () => {
    const headers = [
      ['Auto-Submitted: auto-replied'],
      ['Return-Path: <>'],
      ['X-Pdf2press: 1'],
      ['Auto-Submitted: auto-generated'],
    ];
    for (const [at, header] of headers.entries())
      await put({
        headers: header,
        subject: `mail ${at}`,
        attachments: attached('a.pdf'),
      });
    const report = [
      'From: mailer@example.com',
      'Subject: Undelivered',
      'Content-Type: multipart/report; boundary=b',
      '',
      '--b',
    ];
    await put([...report, 'Content-Type: application/pdf; name=a.pdf', '', 'x', '--b--', ''].join('\r\n'));
    await put({ subject: 'Hello' });
    expect((await poll()).map(({ name, refusal }) => [name, refusal])).toEqual([
      ['mail 0', 'mail.automatic'],
      ['mail 1', 'mail.automatic'],
      ['mail 2', 'mail.automatic'],
      ['a.pdf', undefined],
      ['Undelivered', 'mail.automatic'],
      ['Hello', 'mail.noAttachment'],
    ]);
    expect((await flags()).filter((one) => one !== '')).toEqual(['\\Seen']);
  });

  test('a report of a server says which messages of ours did not arrive, whatever mails the mailbox takes', async () => {
    const report = (messageId: string, action = 'failed') =>
      [
        'Return-Path: <>',
        'From: MAILER-DAEMON@example.com',
        'Subject: Undelivered Mail Returned to Sender',
        'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
        '',
        '--b',
        'Content-Type: text/plain',
        '',
        'I am sorry to inform you.',
        '--b',
        'Content-Type: message/delivery-status',
        '',
        'Reporting-MTA: dns; mx.example.com',
        '',
        'Original-Recipient: rfc822; Anna@example.com',
        'Final-Recipient: rfc822; anna.b@example.com',
        `Action: ${action}`,
        'Status: 5.1.1',
        'Diagnostic-Code: smtp; 550 5.1.1 no such',
        '  mailbox',
        '',
        'Final-Recipient: rfc822; ben@example.com',
        'Action: relayed',
        '',
        '--b',
        'Content-Type: message/rfc822',
        '',
        `Message-ID: ${messageId}`,
        'Subject: Please look at it',
        'To: Anna@example.com',
        '',
        'Final-Recipient: rfc822; nobody@example.com',
        '--b--',
        '',
      ].join('\r\n');
    await put(report('<eff_1@pdf2press>'));
    await put(report('<eff_2@pdf2press>', 'delayed'));
    await put(report('<another@example.com>'));
    const wants = { senders: ['*@customer.test'] };
    const seen = await poll(wants);
    expect(seen.map(({ name, refusal }) => [name, refusal])).toEqual([
      ['Undelivered Mail Returned to Sender', 'mail.automatic'],
    ]);
    expect(seen[0]?.item.bounces).toEqual([
      {
        messageId: '<eff_1@pdf2press>',
        addresses: ['Anna@example.com', 'anna.b@example.com'],
        said: '5.1.1 550 5.1.1 no such mailbox',
        at: expect.any(Date),
      },
    ]);
    // Where all mails are taken, the others are refused as before, and say nothing of ours.
    cursor = undefined;
    memory = new Map();
    expect((await poll()).map(({ item }) => item.bounces?.length ?? 0)).toEqual([1, 0, 0]);
  });

  test('a person is answered, in their language and under the same reference; nobody else is', async () => {
    const mail = {
      messageId: '<order@example.com>',
      headers: ['Accept-Language: pt-BR, en;q=0.5', 'Content-Language: pt-BR'],
      attachments: attached('a.pdf', 'b.docx'),
    };
    await put(mail);
    const [first, second] = (await poll({}, { keepsCursor: true })).map(({ item }) => item);
    expect(first?.answer).toMatchObject({
      count: 2,
      to: 'anna@example.com',
      languages: ['pt-BR', 'en', 'pt-BR'],
      messageId: '<order@example.com>',
    });
    expect(second?.answer).toEqual({ ...first?.answer, no: 2 });
    expect(first?.sourceName).toBe(`anna@example.com · ${first?.answer?.reference}`);
    // Found again, as after a crash, it is the same answer; switched off, there is none.
    memory = new Map();
    expect((await poll({}, { keepsCursor: true }))[0]?.item.answer).toEqual(first?.answer);
    memory = new Map();
    expect((await poll({ answersSenders: false }))[0]?.item).toMatchObject({ sourceName: 'anna@example.com' });

    const attachments = attached('c.pdf');
    const unanswered: TestMail[] = [
      { attachments, headers: ['Auto-Submitted: auto-generated'] },
      { attachments, headers: ['Precedence: bulk'] },
      { attachments, headers: ['List-Id: <news.example.com>'] },
      { attachments, headers: ['List-Unsubscribe: <https://example.com/>'] },
      { attachments, headers: ['X-Auto-Response-Suppress: DR, AutoReply'] },
      { attachments, from: 'no-reply@example.com' },
      { attachments, from: 'MAILER-DAEMON@example.com' },
      { attachments, from: 'anna@example.com, ben@example.com' },
      { attachments, from: `${user}@example.com` },
      { attachments: [], headers: ['In-Reply-To: <answer@house.example>'] },
    ];
    for (const one of unanswered) await put(one);
    await put({ attachments }, { receivedAt: new Date(Date.now() - 3 * 24 * 3_600_000) });
    const seen = await poll({ username: user });
    const answered = seen.filter(({ item }) => item.answer);
    expect(seen).toHaveLength(unanswered.length + 1);
    // The mailbox signs in by a name that is no address; one that is named by its address is not answered either.
    expect(answered.map(({ item }) => item.answer?.to)).toEqual([`${user}@example.com`]);
    await put({ attachments: [] });
    expect((await poll()).map(({ item, refusal }) => [refusal, item.answer?.to])).toEqual([
      ['mail.noAttachment', 'anna@example.com'],
    ]);
  });

  test('a refused attachment that is asked for comes again with its mail; one that is gone is told', async () => {
    const word = { name: 'b.docx', type: 'application/msword', content: 'x' };
    await put({ attachments: [...attached('a.pdf'), word] });
    await put({ attachments: attached('c.pdf') });
    const [, refused] = await poll();
    expect(refused?.refusal).toBe('file.typeNotAccepted');
    expect(await flags()).toEqual(['\\Flagged', '\\Seen']);
    const id = refused?.item.externalId ?? '';
    asked = [id, 'prf_1 gone'];
    const again = await poll({ fileTypes: ['PDF'] });
    expect(again.map(({ name, refusal }) => [name, refusal])).toEqual([
      ['a.pdf', undefined],
      ['b.docx', 'file.typeNotAccepted'],
      ['lost.pdf', 'mail.gone'],
    ]);
    expect(again[1]?.item.externalId).toBe(id);
    expect(await flags()).toEqual(['\\Flagged', '\\Seen']);
    // Once it is taken the mail is done with, like any other.
    const all = await poll({}, { decide: () => 'take', acceptsAll: true });
    expect(names(all)).toEqual(['a.pdf', 'b.docx', 'lost.pdf']);
    expect(await flags()).toEqual(['\\Seen', '\\Seen']);
    asked = [];
    expect(await poll()).toEqual([]);
  });

  test('nested mails are looked into, pictures of the text are left out, names in other alphabets are read', async () => {
    const inner = composeTestMail({ attachments: attached('inner.pdf') });
    const lines = [
      'From: =?utf-8?Q?J=C3=BCrgen?= <jurgen@example.com>',
      'Subject: =?utf-8?Q?Gr=C3=B6=C3=9Fe?=',
      'Message-ID: <nested@example.com>',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=outer',
      '',
      '--outer',
      'Content-Type: multipart/related; boundary=rel',
      '',
      '--rel',
      'Content-Type: text/html; charset=utf-8',
      '',
      '<img src="cid:logo">',
      '--rel',
      'Content-Type: image/png; name=logo.png',
      'Content-ID: <logo>',
      'Content-Transfer-Encoding: base64',
      '',
      'iVBORw0KGgo=',
      '--rel--',
      '--outer',
      'Content-Type: application/pdf',
      'Content-Transfer-Encoding: base64',
      "Content-Disposition: inline; filename*=utf-8''%C3%9Cbergr%C3%B6%C3%9Fe.pdf",
      '',
      Buffer.from(pdf('inline')).toString('base64'),
      '--outer',
      'Content-Type: message/rfc822',
      'Content-Disposition: attachment; filename=forwarded.eml',
      '',
      inner,
      '--outer',
      'Content-Type: application/pgp-signature; name=signature.asc',
      '',
      'x',
      '--outer--',
      '',
    ];
    await put(lines.join('\r\n'));
    const seen = await poll({ subjectVariable: 'size' });
    expect(seen.map(({ name, text }) => [name, text])).toEqual([
      ['Übergröße.pdf', pdf('inline')],
      ['inner.pdf', pdf('inner.pdf')],
    ]);
    expect(seen[0]?.item.variables).toEqual({ size: 'Größe' });
  });

  const winmail = (...parts: PackedPart[]) => ({
    name: 'winmail.dat',
    type: 'application/ms-tnef',
    content: composeWinmail({ parts }),
  });
  const file = (name: string, bytes = 100): PackedPart => ({ name, content: pdf(name).padEnd(bytes, ' ') });

  test('what lies in a winmail.dat is taken as if it were attached to the mail, with the mails within it', async () => {
    const logo = { name: 'logo.png', mediaType: 'image/png', contentId: 'logo', flags: 4, content: 'x' };
    const inner = { name: 'Forwarded', mail: { parts: [file('inner.pdf', 3_000_000)] } };
    const packed = winmail(logo, file('../Größe.pdf'), inner, { ...file('untold'), mediaType: 'application/pdf' });
    const nested = composeTestMail({
      attachments: [{ ...winmail(file('deep.pdf')), type: 'application/octet-stream' }],
    });
    await put(
      composeTestMail({ attachments: [...attached('a.pdf'), packed] }).replace(
        /\r\n--([a-z-]+)--\r\n$/,
        (_, mark) => `\r\n--${mark}\r\nContent-Type: message/rfc822\r\n\r\n${nested}\r\n--${mark}--\r\n`,
      ),
    );
    const seen = await poll({}, { keepsCursor: true });
    expect(seen.map(({ name, text, item }) => [name, text.trimEnd(), item.size])).toEqual([
      ['a.pdf', pdf('a.pdf'), 14],
      ['../Größe.pdf', Buffer.from(pdf('../Größe.pdf')).toString('latin1'), 102],
      ['inner.pdf', pdf('inner.pdf'), 3_000_000],
      ['untold.pdf', pdf('untold'), 100],
      ['deep.pdf', pdf('deep.pdf'), 100],
    ]);
    expect(seen[0]?.item.answer?.count).toBe(5);
    expect(new Set(seen.map(({ item }) => item.externalId)).size).toBe(5);
    expect(await flags()).toEqual(['\\Seen']);
    memory = new Map();
    expect((await poll()).map(({ item }) => item.externalId)).toEqual(seen.map(({ item }) => item.externalId));
  });

  test('files in a winmail.dat have the limits of other attachments', async () => {
    await put({
      attachments: [
        winmail(
          ...[file('small.pdf', 999), file('least.pdf', 1_000), file('most.pdf', 10_000), file('large.pdf', 10_001)],
          ...[file('offer.docx', 1_000), file('late.pdf', 1_000)],
        ),
      ],
    });
    const seen = await poll({ minBytes: 1_000, maxBytes: 10_000, maxAttachments: 5 });
    expect(seen.map(({ name, refusal, error }) => [name, refusal ?? (error as Error | undefined)?.message])).toEqual([
      ['small.pdf', 'file.tooSmall'],
      ['least.pdf', undefined],
      ['most.pdf', undefined],
      ['large.pdf', 'file.tooLarge'],
      ['offer.docx', 'file.typeNotAccepted'],
      ['late.pdf', 'mail.tooManyAttachments'],
    ]);
    expect(await flags()).toEqual(['\\Flagged']);
  });

  test('a winmail.dat without files is no attachment; a damaged one is refused beside what is whole', async () => {
    await put({ attachments: [winmail()] });
    const { content, ...rest } = winmail(file('whole.pdf'), file('cut.pdf'));
    await put({ attachments: [{ ...rest, content: content.subarray(0, content.indexOf('%PDF-1.4 cut') + 20) }] });
    await put({ attachments: [{ ...rest, content: 'nothing of the kind' }] });
    const seen = await poll({ after: 'delete' });
    expect(seen.map(({ name, refusal }) => [name, refusal])).toEqual([
      ['Order', 'mail.noAttachment'],
      ['whole.pdf', undefined],
      ['winmail.dat', 'mail.winmailDamaged'],
      ['winmail.dat', 'mail.winmailDamaged'],
    ]);
    expect(await flags()).toEqual(['', '\\Flagged', '\\Flagged']);
  });

  test('a refused file in a winmail.dat that is asked for comes again with its mail', async () => {
    await put({ attachments: [winmail(file('a.pdf'), file('b.png'))] });
    await put({ attachments: [winmail(file('c.docx'))] });
    const [, refused] = await poll({ fileTypes: ['PDF'] });
    expect(await flags()).toEqual(['\\Flagged', '\\Flagged']);
    asked = [refused?.item.externalId ?? ''];
    const again = await poll();
    expect(again.map(({ name, refusal }) => [name, refusal])).toEqual([
      ['a.pdf', undefined],
      ['b.png', undefined],
    ]);
    expect(await flags()).toEqual(['\\Seen', '\\Flagged']);
  });

  test('a mail with a winmail.dat that waits is looked through once', async () => {
    const uid = await put({ attachments: [winmail(file('slow.pdf'), file('quick.pdf'))] });
    const wait = { decide: (name: string): 'take' | 'wait' => (name === 'slow.pdf' ? 'wait' : 'take') };
    expect(names(await poll({}, wait))).toEqual(['slow.pdf', 'quick.pdf']);
    const { unpacked } = memory.get('mails') as { unpacked: Map<number, unknown[]> };
    expect([...unpacked].map(([of, all]) => [of, all.length])).toEqual([[uid, 2]]);
    expect(names(await poll())).toEqual(['slow.pdf', 'quick.pdf']);
    expect(unpacked.size).toBe(0);
  });

  test('a mail that is nothing but a PDF is taken', async () => {
    const body = Buffer.from(pdf('alone')).toString('base64');
    await put(
      [
        'From: scanner@example.com',
        'Subject: Scan',
        'Content-Type: application/pdf',
        'Content-Transfer-Encoding: base64',
        '',
        body,
        '',
      ].join('\r\n'),
    );
    expect((await poll()).map(({ name, text }) => [name, text])).toEqual([['attachment-1.pdf', pdf('alone')]]);
  });

  test('a large attachment arrives unchanged', async () => {
    const content = Buffer.alloc(7_000_000, Math.random().toString());
    await put({ attachments: [{ name: 'large.pdf', content }] });
    const [seen] = await poll();
    const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
    expect(hash(Buffer.from(seen?.text ?? '', 'latin1'))).toBe(hash(content));
  });

  test('a mail that somebody removes meanwhile is told, and holds nothing up', async () => {
    const uid = await put({ attachments: attached('gone.pdf') });
    await put({ attachments: attached('stays.pdf') });
    const remove = async () => {
      const client = await server.connect(user);
      await client.mailboxOpen('INBOX');
      await client.messageDelete(String(uid), { uid: true });
      client.close();
    };
    const { signal } = new AbortController();
    const items = run({
      settings: { connectionId: 'prf_1' },
      connection: {
        settings: settingsOf(),
        secret: { password: server.password },
      },
      cursor: undefined,
      signal,
      tools: {
        root: '',
        memory,
        now: () => 0,
        addressOf: async () => '127.0.0.1',
        ...offline,
      },
    });
    const { value: item } = await items.next();
    await remove();
    const read = async () => {
      for await (const _ of (item as SourceItem).open());
    };
    await expect(read()).rejects.toThrow('mail.gone');
    await (item as SourceItem).settle('rejected');
    expect(((await items.next()).value as SourceItem).name).toBe('stays.pdf');
    await items.return(undefined);
  });

  const trying = ({
    password = server.password,
    address = '127.0.0.1',
    signal = new AbortController().signal,
  } = {}) => ({
    secret: { password },
    tools: { ...offline, addressOf: async () => address },
    signal,
  });
  const failing = async (change: Partial<MailboxSettings>, password = server.password, address = '127.0.0.1') => {
    const { failed } = await tryMailbox(settingsOf(change), trying({ password, address }));
    return failed && [failed.stage, failed.code];
  };

  test('a connection is tried stage by stage', async () => {
    await put({ attachments: attached('a.pdf') });
    expect(await tryMailbox(settingsOf(), trying())).toEqual({
      failed: null,
      folders: ['INBOX'],
      mails: 1,
    });
    expect(await failing({ port: 1 })).toEqual(['connect', 'source.unreachable']);
    expect(await failing({ port: server.tlsPort, security: 'tls' })).toEqual(['tls', 'source.tlsFailed']);
    expect(await failing({ security: 'startTls' })).toEqual(['tls', 'source.tlsFailed']);
    expect(await failing({ port: server.port, security: 'tls' })).toEqual(['tls', 'source.tlsFailed']);
    expect(await failing({}, 'wrong')).toEqual(['signIn', 'source.denied']);
    expect(await failing({ folder: 'Nowhere' })).toEqual(['read', 'source.folderMissing']);
    for (const encrypted of [{ port: server.tlsPort, security: 'tls' }, { security: 'startTls' }] as const)
      expect(await failing({ ...encrypted, ignoreSslWarnings: true })).toBeNull();
  });

  test('what a poll fails of is told, and a poll that is aborted ends', async () => {
    await expect(poll({ folder: 'Nowhere' })).rejects.toEqual(
      new SourceFaultError('source.folderMissing', { folder: 'Nowhere' }),
    );
    await expect(poll({ port: 1 })).rejects.toThrow('source.unreachable');
    server.freeze();
    try {
      const controller = new AbortController();
      setTimeout(() => controller.abort(new Error('aborted')), 300);
      const { failed } = await tryMailbox(settingsOf(), trying({ signal: controller.signal }));
      expect(failed).toMatchObject({ stage: 'connect' });
    } finally {
      server.thaw();
    }
  });
});
