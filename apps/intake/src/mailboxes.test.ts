import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { isNight } from '@pdf2press/config/by-day';
import { retryItem } from '@pdf2press/engine';
import { newId, type Transaction } from '@pdf2press/prisma';
import { startTestPostgres, type TestPostgres } from '@pdf2press/prisma/testing';
import { composeLargeMail, hasDovecot, startDovecot, type TestDovecot } from '@pdf2press/sources/testing';
import { composeWinmail } from '@pdf2press/sources/testing-winmail';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deathsOfSource, type House, hurry, largeFile, mayMount, openHouse, smallDisk } from './testing/house.ts';

const attached = (...names: string[]) => names.map((name) => ({ name, content: `%PDF-1.4 ${name}` }));

describe.skipIf(!hasDovecot)('mailboxes on a real server (skipped without dovecot)', () => {
  let postgres: TestPostgres;
  let server: TestDovecot;
  beforeAll(async () => {
    postgres = await startTestPostgres();
    server = await startDovecot();
  });
  afterAll(async () => {
    await server.stop();
    await postgres.stop();
  });

  let house: House;
  let user: string;
  let mailbox: string;
  let no = 0;
  beforeEach(async () => {
    no += 1;
    user = `orders${no}`;
    house = await openHouse(postgres.migratedUrl);
    mailbox = await house.addMailbox(server, user);
  });
  afterEach(() => house.close());

  const inlet = () =>
    house.database.withSubscriber({ subscriberId: house.subscriberId }, (tx) =>
      tx.inlet.findFirst({ where: { connectionId: mailbox } }),
    );
  const flags = async (of = user) => (await server.mails(of)).map((mail) => mail.flags.join(' '));

  test('mails become sessions, and their mails are marked', async () => {
    await server.put(user, { attachments: attached('a.pdf', 'b.pdf') });
    house.start();
    await expect.poll(flags).toEqual(['\\Seen']);
    await server.put(user, { attachments: attached('c.pdf') });
    await expect.poll(flags).toEqual(['\\Seen', '\\Seen']);
    expect(await house.taken()).toEqual(['a.pdf', 'b.pdf', 'c.pdf']);
    const { source, sourceName } = await house.database.withSubscriber({ subscriberId: house.subscriberId }, (tx) =>
      tx.session.findFirstOrThrow(),
    );
    expect(source).toBe('Email');
    expect(sourceName).toMatch(/^anna@example\.com · [2-9A-Z]{4}-[2-9A-Z]{4}$/);
  });

  test('between polls the server tells of new mail, and it is taken at once', { timeout: 60_000 }, async () => {
    await server.put(user, { attachments: attached('a.pdf') });
    const intake = house.start({ isUnhurried: true });
    await expect.poll(flags).toEqual(['\\Seen']);
    await expect.poll(async () => (await inlet())?.dueAt.getTime()).toBeGreaterThan(Date.now() + 60_000);
    for (const name of ['b.pdf', 'c.pdf']) {
      const before = await house.taken();
      await server.put(user, { attachments: attached(name) });
      await expect.poll(() => house.taken(), { timeout: 3_000, interval: 50 }).toEqual([...before, name]);
    }
    await expect.poll(flags).toEqual(['\\Seen', '\\Seen', '\\Seen']);
    // Told to stop, nothing waits any longer.
    intake.child.kill('SIGTERM');
    expect(await intake.ended).toBe('0');
  });

  test('mailboxes that wait for news take no slot from others', async () => {
    await house.addMailbox(server, `${user}-second`);
    house.start({ isUnhurried: true, timing: { slots: 1 } });
    await server.put(user, { attachments: attached('a.pdf') });
    await server.put(`${user}-second`, { attachments: attached('b.pdf') });
    await expect.poll(() => house.taken()).toEqual(['a.pdf', 'b.pdf']);
    await server.put(user, { attachments: attached('c.pdf') });
    await expect.poll(() => house.taken(), { timeout: 3_000, interval: 50 }).toEqual(['a.pdf', 'b.pdf', 'c.pdf']);
  });

  const told = () =>
    house.database.withSubscriber({ subscriberId: house.subscriberId }, async (tx) =>
      (await tx.effect.findMany({ where: { kind: 'mail' }, orderBy: { createdAt: 'asc' } })).map(
        ({ payload }) => payload as { template: string; to: string; locale: string; params: Record<string, string> },
      ),
    );

  test('senders are told what became of their mail, in their language and under its reference', async () => {
    const word = { name: 'offer.docx', type: 'application/msword', content: 'x' };
    await server.put(user, { attachments: attached('a.pdf') });
    await server.put(user, {
      from: 'ben@example.com',
      headers: ['Accept-Language: it-IT'],
      attachments: [...attached('b.pdf'), word],
    });
    await server.put(user, { from: 'carl@example.com', attachments: [word] });
    await server.put(user, {
      from: 'robot@example.com',
      headers: ['Auto-Submitted: auto-replied'],
      attachments: [word],
    });
    house.start();
    await expect.poll(async () => (await told()).length).toBe(3);
    await expect.poll(flags).toEqual(['\\Seen', '\\Flagged', '\\Flagged', '']);
    const answers = await told();
    expect(answers.map(({ template, to, locale }) => [template, to, locale])).toEqual([
      ['mailReceived', 'anna@example.com', 'en'],
      ['mailPartly', 'ben@example.com', 'it-IT'],
      ['mailRefused', 'carl@example.com', 'en'],
    ]);
    expect(answers[1]?.params.problems).toMatch(/^2: .*PDF/);
    const { sourceName } = await house.database.withSubscriber({ subscriberId: house.subscriberId }, (tx) =>
      tx.session.findFirstOrThrow({ where: { fileName: 'b.pdf' } }),
    );
    expect(sourceName).toBe(`ben@example.com · ${answers[1]?.params.reference}`);
  });

  test.each(
    isNight ? (['beforeStartCommit', 'afterStartCommit', 'beforeCursor'] as const) : (['beforeCursor'] as const),
  )('killed at %s: a sender is told once, of all that came', async (place) => {
    await server.put(user, { attachments: attached('1.pdf', '2.pdf') });
    expect(await house.start({ failpoints: `${place}:kill` }).ended).toBe('SIGKILL');
    house.start();
    await expect.poll(flags).toEqual(['\\Seen']);
    await expect.poll(async () => ((await inlet())?.cursor as { uid?: number } | null)?.uid).toBe(1);
    expect((await told()).map(({ template }) => template)).toEqual(['mailReceived']);
  });

  test.each(deathsOfSource)('killed at %s: nothing is taken twice, nothing is skipped', async (place) => {
    await server.put(user, { attachments: attached('1.pdf', '2.pdf') });
    await server.put(user, { attachments: attached('3.pdf') });
    expect(await house.start({ failpoints: `${place}:kill` }).ended).toBe('SIGKILL');
    house.start();
    await expect.poll(flags).toEqual(['\\Seen', '\\Seen']);
    await expect.poll(async () => ((await inlet())?.cursor as { uid?: number } | null)?.uid).toBe(2);
    expect(await house.taken()).toEqual(['1.pdf', '2.pdf', '3.pdf']);
  });

  /** What the intake asks the server at a moment, or how many bytes it was given by then. */
  const moments = {
    'while it looks for mails': { asks: / SEARCH / },
    'while it lists them': { asks: / FETCH .*ENVELOPE/ },
    'while it downloads': { given: 300_000 },
    'while it marks a mail': { asks: / STORE / },
  } as const;
  type Moment = keyof typeof moments;
  test.each<Moment>(isNight ? (Object.keys(moments) as Moment[]) : [])(
    'killed %s: nothing is taken twice, nothing is skipped',
    async (name) => {
      const moment: { asks?: RegExp; given?: number } = moments[name];
      let given = 0;
      let reach: () => unknown = () => undefined;
      const way = createServer((near) => {
        const far = connect(server.port, '127.0.0.1');
        for (const end of [near, far])
          end.on('error', () => undefined).on('close', () => [near, far].map((one) => one.destroy()));
        near.on('data', (part) => {
          if (moment.asks?.test(String(part))) reach();
          far.write(part);
        });
        far.on('data', (part) => {
          given += part.length;
          if (moment.given !== undefined && given > moment.given) reach();
          near.write(part);
        });
      });
      await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve));
      const far = `${user}-far`;
      await house.addMailbox({ port: (way.address() as AddressInfo).port, password: server.password }, far);
      const large = { name: '2.pdf', content: Buffer.concat([Buffer.from('%PDF-1.4 '), randomBytes(600_000)]) };
      await server.put(far, { attachments: [...attached('1.pdf'), large] });
      await server.put(far, { attachments: attached('3.pdf') });
      const intake = house.start();
      reach = () => intake.child.kill('SIGKILL');
      expect(await intake.ended).toBe('SIGKILL');
      reach = () => undefined;
      house.start();
      await expect.poll(() => flags(far)).toEqual(['\\Seen', '\\Seen']);
      expect(await house.taken()).toEqual(['1.pdf', '2.pdf', '3.pdf']);
      way.close();
    },
  );

  test.skipIf(!mayMount)(
    'while the disk is full a file waits and the cursor stays before it; with room it is taken once (needs namespaces) @night',
    async () => {
      await server.put(user, { attachments: [{ name: 'large.pdf', content: largeFile() }] });
      const full = house.start({ spoolBytes: smallDisk });
      const noted = () =>
        house.database.withSubscriber({ subscriberId: house.subscriberId }, (tx) => tx.ingestItem.findFirst());
      await expect.poll(noted).toMatchObject({ state: 'Retry', reason: 'storage.full' });
      expect((await inlet())?.cursor).toBeNull();
      expect(await house.taken()).toEqual([]);
      full.child.kill('SIGKILL');
      await full.ended;
      await hurry(house);
      house.start();
      await expect.poll(flags).toEqual(['\\Seen']);
      expect(await house.taken()).toEqual(['large.pdf']);
    },
  );

  test('the same mail twice, and mails that are numbered anew, make no second session', async () => {
    const mail = {
      messageId: '<once@example.com>',
      date: 'Mon, 23 Nov 2026 10:00:00 +0000',
      attachments: attached('a.pdf'),
    };
    await server.put(user, mail);
    await server.put(user, mail);
    const first = house.start();
    await expect.poll(flags).toEqual(['\\Seen', '\\Seen']);
    first.child.kill('SIGTERM');
    await first.ended;
    await server.renumber(user);
    await server.put(user, { attachments: attached('b.pdf') });
    house.start();
    await expect.poll(house.taken).toEqual(['a.pdf', 'b.pdf']);
    await expect.poll(async () => (await flags()).length).toBe(3);
    expect(await house.taken()).toEqual(['a.pdf', 'b.pdf']);
  });

  test.each(deathsOfSource)(
    'killed at %s: a message of the product that comes back is given up, and its report makes no session',
    async (place) => {
      const { subscriberId } = house;
      const inside = <T>(work: Parameters<typeof house.database.withSubscriber<T>>[1]) =>
        house.database.withSubscriber<T>({ subscriberId }, work);
      const ids = [newId('effect'), newId('effect')];
      await inside(async (tx) => {
        for (const id of ids) {
          const payload = { template: 'mailReceived', to: 'anna@example.com', name: '', locale: 'en', params: {} };
          const done = { state: 'Done', doneAt: new Date(), remoteRef: 'sent' } as const;
          await tx.effect.create({ data: { id, key: id, kind: 'mail', payload, ...done } });
        }
      });
      const report = [
        'Return-Path: <>',
        'From: MAILER-DAEMON@example.com',
        'Subject: Undelivered',
        'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
        '',
        '--b',
        'Content-Type: message/delivery-status',
        '',
        'Reporting-MTA: dns; mx.example.com',
        '',
        'Final-Recipient: rfc822; anna@example.com',
        'Action: failed',
        'Status: 5.2.2',
        '',
        '--b',
        'Content-Type: text/rfc822-headers',
        '',
        `Message-ID: <${ids[0]}@pdf2press>`,
        '',
        '--b--',
        '',
      ];
      await server.put(user, report.join('\r\n'));
      await server.put(user, { attachments: attached('a.pdf') });
      expect(await house.start({ failpoints: `${place}:kill` }).ended).toBe('SIGKILL');
      house.start();
      await expect.poll(house.taken).toEqual(['a.pdf']);
      const states = async () =>
        (await inside((tx) => tx.effect.findMany({ where: { id: { in: ids } }, orderBy: { id: 'asc' } }))).map(
          ({ state, lastError }) => [state, lastError],
        );
      await expect.poll(states).toEqual([
        ['Dead', '5.2.2'],
        ['Done', null],
      ]);
    },
  );

  test('names that lead elsewhere, hide their end or are endless are cleaned; programs and videos are refused', async () => {
    const video = { name: 'film.mp4', type: 'video/mp4', content: 'x' };
    const program = { name: 'setup.exe', type: 'application/octet-stream', content: 'MZ' };
    const hostile = [
      '../../../etc/up.pdf',
      'C:\\temp\\drive.pdf',
      'card\u202Efdp.exe.pdf',
      `${'long'.repeat(100)}.pdf`,
    ];
    await server.put(user, { attachments: [...attached(...hostile), video, program] });
    house.start();
    await expect.poll(flags).toEqual(['\\Flagged']);
    const names = await house.taken();
    expect(names).toHaveLength(hostile.length);
    expect(names.filter((name) => /[/\\\u202A-\u202E\u2066-\u2069]|\.\./u.test(name))).toEqual([]);
    expect(names.filter((name) => Buffer.byteLength(name) > 200 || !name.endsWith('.pdf'))).toEqual([]);
    const refused = await house.database.withSubscriber({ subscriberId: house.subscriberId }, (tx) =>
      tx.ingestItem.findMany({ where: { state: 'Rejected' }, orderBy: { name: 'asc' } }),
    );
    expect(refused.map(({ name, reason }) => [name, reason])).toEqual([
      ['film.mp4', 'file.typeNotAccepted'],
      ['setup.exe', 'file.typeNotAccepted'],
    ]);
  });

  test('a connection that breaks in the middle of an attachment leaves nothing of it, and it comes whole later', async () => {
    let isCut = true;
    const way = createServer((near) => {
      const far = connect(server.port, '127.0.0.1');
      let room = 700_000;
      for (const end of [near, far])
        end.on('error', () => undefined).on('close', () => [near, far].map((one) => one.destroy()));
      near.pipe(far);
      far.on('data', (part) => {
        room -= part.length;
        if (isCut && room < 0) near.destroy();
        else near.write(part);
      });
    });
    await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve));
    const { port } = way.address() as AddressInfo;
    const far = `${user}-far`;
    const farMailbox = await house.addMailbox({ port, password: server.password }, far);
    const content = Buffer.concat([Buffer.from('%PDF-1.4 '), Buffer.alloc(2_000_000, 'x')]);
    await server.put(far, { attachments: [{ name: 'large.pdf', content }] });
    house.start();
    const inHouse = <T>(work: (tx: Transaction) => Promise<T>) =>
      house.database.withSubscriber({ subscriberId: house.subscriberId }, work);
    const noted = () => inHouse((tx) => tx.ingestItem.findFirst({ where: { name: 'large.pdf' } }));
    await expect.poll(noted, { timeout: 30_000 }).toMatchObject({ state: 'Retry', reason: 'source.unreachable' });
    expect(await house.taken()).toEqual([]);
    const { cursor } = await inHouse((tx) => tx.inlet.findFirstOrThrow({ where: { connectionId: farMailbox } }));
    expect(cursor).toBeNull();
    isCut = false;
    await inHouse((tx) => tx.$executeRaw`update ingest_items set next_at = clock_timestamp()`);
    await expect
      .poll(
        async () => {
          await inHouse(
            (tx) => tx.$executeRaw`update inlets set due_at = clock_timestamp() where failing_since is not null`,
          );
          return house.taken();
        },
        { timeout: 30_000 },
      )
      .toEqual(['large.pdf']);
    expect(await noted()).toMatchObject({ state: 'Accepted', size: BigInt(content.length) });
    way.close();
  });

  test('files in a winmail.dat become sessions under cleaned names, also after a crash; a damaged one is told to its sender', async () => {
    const parts = ['1.pdf', 'C:\\temp\\2.pdf'].map((name) => ({ name, content: `%PDF-1.4 ${name}` }));
    const content = composeWinmail({ parts });
    const packed = { name: 'winmail.dat', type: 'application/ms-tnef' };
    await server.put(user, { attachments: [{ ...packed, content }] });
    await server.put(user, { from: 'ben@example.com', attachments: [{ ...packed, content: content.subarray(0, -3) }] });
    expect(await house.start({ failpoints: 'beforeCursor:kill' }).ended).toBe('SIGKILL');
    house.start();
    await expect.poll(flags).toEqual(['\\Seen', '\\Flagged']);
    expect(await house.taken()).toEqual(['1.pdf', '1.pdf', '2.pdf']);
    await expect.poll(async () => (await told()).length).toBe(2);
    expect((await told()).map(({ template, to }) => [template, to])).toEqual([
      ['mailReceived', 'anna@example.com'],
      ['mailPartly', 'ben@example.com'],
    ]);
    expect((await told())[1]?.params.problems).toContain('winmail.dat');
  });

  test('patterns of a mailbox fill the variables of its published workflow by their types', async () => {
    const { subscriberId } = house;
    const patterns = [{ part: 'subject', pattern: '*{{copies}} of {{order}}' }];
    const variables = [
      { name: 'copies', type: 'Number', default: 7 },
      { name: 'order', type: 'String' },
    ];
    await house.database.withSubscriber({ subscriberId }, async (tx) => {
      const before = await tx.profileVersion.findFirstOrThrow({ where: { profileId: mailbox } });
      const settings = { ...(before.settings as object), patterns };
      await tx.profileVersion.create({ data: { id: newId('profileVersion'), profileId: mailbox, no: 2, settings } });
      await tx.profile.update({ where: { id: mailbox }, data: { currentNo: 2 }, select: { id: true } });
      const { workflowId } = settings as unknown as { workflowId: string };
      const version = await tx.workflowVersion.findFirstOrThrow({ where: { workflowId } });
      const definition = { ...(version.definition as object), variables };
      await tx.workflowVersion.create({
        data: { id: newId('workflowVersion'), workflowId, no: 2, definition, profiles: {}, hash: '' },
      });
      await tx.workflow.update({ where: { id: workflowId }, data: { publishedNo: 2 }, select: { id: true } });
    });
    await server.put(user, { subject: '500 of A-17', attachments: attached('a.pdf') });
    await server.put(user, { subject: 'many of A-18', attachments: attached('b.pdf') });
    house.start();
    await expect.poll(house.taken).toEqual(['a.pdf', 'b.pdf']);
    const taken = await house.database.withSubscriber({ subscriberId }, (tx) =>
      tx.session.findMany({ orderBy: { fileName: 'asc' }, select: { variables: true } }),
    );
    expect(taken.map(({ variables: values }) => values)).toEqual([
      { copies: 500, order: 'A-17' },
      { copies: 7, order: null },
    ]);
  });

  test('a ZIP is taken whole where the workflow unpacks it, and refused with its reason where it does not', async () => {
    // The end of an archive without entries (APPNOTE 4.3.16) after bytes that no mail may carry as they are.
    const packed = Buffer.concat([randomBytes(300_000), Buffer.from('504b0506'.padEnd(44, '0'), 'hex')]);
    const zip = { name: 'order 17.zip', type: 'application/zip', content: packed };
    const unpacking = `${user}-zip`;
    await house.addMailbox(server, unpacking, { fileTypes: ['PDF', 'ZIP'] });
    await server.put(unpacking, { attachments: [zip] });
    await server.put(user, { attachments: [...attached('a.pdf'), zip] });
    house.start();
    await expect.poll(() => flags(unpacking)).toEqual(['\\Seen']);
    await expect.poll(flags).toEqual(['\\Flagged']);
    expect(await house.taken()).toEqual(['a.pdf', 'order 17.zip']);
    const { file, refused } = await house.database.withSubscriber({ subscriberId: house.subscriberId }, async (tx) => ({
      file: await tx.file.findFirstOrThrow({ where: { name: 'order 17.zip' } }),
      refused: await tx.ingestItem.findMany({ where: { state: 'Rejected' } }),
    }));
    expect(file.sha256).toBe(createHash('sha256').update(packed).digest('hex'));
    expect(refused.map(({ name, reason }) => [name, reason])).toEqual([['order 17.zip', 'file.typeNotAccepted']]);
  });

  /** The most memory that a process has had so far, bytes. */
  const peakOf = (pid = 0) => 1024 * Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  const hugeBytes = isNight ? 2_000_000_000 : 120_000_000;

  test.runIf(process.platform === 'linux')(
    `an attachment of ${hugeBytes / 1_000_000} MB is refused without being held in memory, and its sender is told (reads /proc)`,
    { timeout: 600_000 },
    async () => {
      const intake = house.start();
      await server.put(user, { attachments: attached('a.pdf') });
      await expect.poll(flags).toEqual(['\\Seen']);
      const before = peakOf(intake.child.pid);
      await server.deliver(user, composeLargeMail('film.pdf', hugeBytes));
      await expect.poll(flags, { timeout: 300_000 }).toEqual(['\\Seen', '\\Flagged']);
      expect(peakOf(intake.child.pid) - before).toBeLessThan(30_000_000);
      expect(await house.taken()).toEqual(['a.pdf']);
      const [, refused] = await told();
      expect(refused).toMatchObject({ template: 'mailRefused', to: 'anna@example.com' });
      // The mailbox's own limit.
      expect(refused?.params.problems).toContain('larger than the 100.00 MB');
      expect(house.spooled()).toBe(0);
    },
  );

  test('what is refused is noted with the reason and the name', async () => {
    await server.put(user, { attachments: [{ name: 'offer.docx', type: 'application/msword', content: 'x' }] });
    await server.put(user, { subject: 'A question', attachments: [] });
    house.start();
    const noted = () =>
      house.database.withSubscriber({ subscriberId: house.subscriberId }, async (tx) =>
        (await tx.ingestItem.findMany({ orderBy: { createdAt: 'asc' } })).map((row) => [
          row.name,
          row.state,
          row.reason,
        ]),
      );
    await expect.poll(noted).toEqual([
      ['offer.docx', 'Rejected', 'file.typeNotAccepted'],
      ['A question', 'Rejected', 'mail.noAttachment'],
    ]);
    expect(await flags()).toEqual(['\\Flagged', '']);
  });

  test('a refused attachment that somebody asks for is tried again, and taken when nothing is against it any more', async () => {
    const { subscriberId } = house;
    const inside = <T>(work: Parameters<typeof house.database.withSubscriber<T>>[1]) =>
      house.database.withSubscriber<T>({ subscriberId }, work);
    await server.put(user, { attachments: [{ name: 'big.png', type: 'image/png', content: 'x' }] });
    const limit = async (fileTypes: string[]) =>
      inside(async (tx) => {
        const versions = await tx.profileVersion.findMany({ where: { profileId: mailbox }, orderBy: { no: 'desc' } });
        const { no: before = 0, settings = {} } = versions[0] ?? {};
        await tx.profileVersion.create({
          data: {
            id: newId('profileVersion'),
            profileId: mailbox,
            no: before + 1,
            settings: { ...(settings as object), fileTypes },
          },
        });
        await tx.profile.update({ where: { id: mailbox }, data: { currentNo: before + 1 }, select: { id: true } });
      });
    await limit(['PDF']);
    house.start();
    const item = () => inside((tx) => tx.ingestItem.findFirst());
    await expect.poll(async () => (await item())?.state).toBe('Rejected');
    await expect.poll(flags).toEqual(['\\Flagged']);
    await limit(['PDF', 'PNG']);
    const key = (await item())?.sourceKey ?? '';
    const ask = () => inside((tx) => retryItem(tx, { kind: 'email', key }));
    expect(await ask()).toEqual({ name: 'big.png', isNew: true });
    await expect.poll(house.taken).toEqual(['big.png']);
    await expect.poll(flags).toEqual(['\\Seen']);
    expect(await item()).toMatchObject({ state: 'Accepted', askedAt: null });
    expect(await ask()).toBeUndefined();
    expect(await told().then((all) => all.map(({ template }) => template))).toEqual(['mailRefused', 'mailReceived']);
  });

  test('files of a mail wait for room in the plan, their sender is told once, and they are taken when there is room', async () => {
    const { subscriberId } = house;
    const limit = (sessionsPerMonth: number) =>
      house.database.asHost((tx) =>
        tx.subscriber.update({
          where: { id: subscriberId },
          data: { plan: { quotas: { sessionsPerMonth } } },
          select: { id: true },
        }),
      );
    const waiting = () =>
      house.database.withSubscriber({ subscriberId }, async (tx) =>
        (await tx.ingestItem.findMany({ where: { state: 'Retry' }, orderBy: { name: 'asc' } })).map((row) => [
          row.name,
          row.reason,
        ]),
      );
    await limit(1);
    await server.put(user, { attachments: attached('a.pdf') });
    house.start();
    await expect.poll(house.taken).toEqual(['a.pdf']);
    await server.put(user, { from: 'ben@example.com', attachments: attached('b.pdf', 'c.pdf') });
    await expect.poll(waiting).toEqual([
      ['b.pdf', 'quota.sessions'],
      ['c.pdf', 'quota.sessions'],
    ]);
    const toBen = async () => (await told()).filter(({ to }) => to === 'ben@example.com');
    expect((await toBen()).map(({ template }) => template)).toEqual(['mailWaits']);
    expect((await toBen())[0]?.params.problems).toMatch(/^The plan takes 1 file a month/);
    await limit(3);
    const items = await house.database.withSubscriber({ subscriberId }, (tx) =>
      tx.ingestItem.findMany({ where: { state: 'Retry' }, select: { sourceKey: true } }),
    );
    for (const { sourceKey } of items)
      await house.database.withSubscriber({ subscriberId }, (tx) => retryItem(tx, { kind: 'email', key: sourceKey }));
    await expect.poll(house.taken).toEqual(['a.pdf', 'b.pdf', 'c.pdf']);
    await expect
      .poll(async () => (await toBen()).map(({ template }) => template))
      .toEqual(['mailWaits', 'mailReceived']);
  });

  test('a server that hangs delays nobody, and its failing is told until it answers @night', async () => {
    const hanging = await startDovecot();
    try {
      const stuck = await house.addMailbox(hanging, 'stuck');
      const stuckInlet = () =>
        house.database.withSubscriber({ subscriberId: house.subscriberId }, (tx) =>
          tx.inlet.findFirst({ where: { connectionId: stuck } }),
        );
      await hanging.put('stuck', { attachments: attached('late.pdf') });
      hanging.freeze();
      await server.put(user, { attachments: attached('a.pdf') });
      house.start({ timing: { slots: 2 } });
      await expect.poll(house.taken).toEqual(['a.pdf']);
      await expect
        .poll(async () => (await stuckInlet())?.errorCode, { timeout: 30_000 })
        .toMatch(/source\.(timedOut|unreachable)/);
      await server.put(user, { attachments: attached('b.pdf') });
      await expect.poll(house.taken).toEqual(['a.pdf', 'b.pdf']);
      hanging.thaw();
      await expect.poll(house.taken, { timeout: 60_000 }).toEqual(['a.pdf', 'b.pdf', 'late.pdf']);
      await expect.poll(async () => (await stuckInlet())?.errorCode).toBeNull();
    } finally {
      await hanging.stop();
    }
  });
});
