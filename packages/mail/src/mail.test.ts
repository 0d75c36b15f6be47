import { mkdtempSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { locales } from '@pdf2press/contract';
import { checkPlaceholders, namesIn } from '@pdf2press/settings';
import fc from 'fast-check';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listKeptMail, mailTemplates, readAddress, renderMail, sendMail, verifyServer, vetHost } from './mail.ts';
import { mailNames, mailSource } from './templates.ts';
import { isBlockedAddress } from './vet-host.ts';

const keepFolder = mkdtempSync(path.join(os.tmpdir(), 'pdf2press-mail-'));
const received: { from: string; to: string[]; text: string }[] = [];
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onAuth: ({ username, password }, _session, done) =>
    password === 'right' ? done(null, { user: username }) : done(new Error('no')),
  onData: (stream, session, done) => {
    const parts: Buffer[] = [];
    stream.on('data', (part: Buffer) => parts.push(part));
    stream.on('end', () => {
      const { mailFrom, rcptTo } = session.envelope;
      received.push({
        from: mailFrom ? mailFrom.address : '',
        to: rcptTo.map((to) => to.address),
        text: Buffer.concat(parts).toString(),
      });
      done();
    });
  },
});
let port = 0;
beforeAll(
  () =>
    new Promise<void>((resolve) => {
      const listening = server.listen(0, '127.0.0.1', () => {
        port = (listening.address() as AddressInfo).port;
        resolve();
      });
    }),
);
afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));

const smtp = (password = 'right') => ({
  host: 'localhost',
  port,
  username: 'user',
  password,
  senderEmail: 'print@example.com',
  enableSsl: false,
});
const mail = { to: 'ana@example.com', subject: 'A\r\nBcc: evil@example.com', text: 'text', html: '<p>html</p>' };
const open = { keepFolder, allowedHosts: [{ host: 'localhost', port: null, scheme: null }] };

describe('sending', () => {
  test('a message reaches a real server, one recipient, no header smuggled in', async () => {
    expect(await sendMail(open, { subscriberId: 'sub_1', server: smtp(), mail })).toBe('sent');
    expect(received[0]?.to).toEqual(['ana@example.com']);
    expect(received[0]?.from).toBe('print@example.com');
    expect(received[0]?.text).not.toMatch(/^Bcc:/m);
    expect(received[0]?.text).toMatch(/^Auto-Submitted: auto-generated/m);
  });
  test('a wrong password is told, a private host is not even asked', async () => {
    await expect(verifyServer(open, smtp('wrong'))).rejects.toThrow();
    await verifyServer(open, smtp());
    await expect(verifyServer({ ...open, allowedHosts: [] }, { ...smtp(), port: 25 })).rejects.toThrow('localhost');
  });
  test('without a server the message is kept for administrators, apart by subscriber', async () => {
    expect(await sendMail(open, { subscriberId: 'sub_2', mail })).toBe('kept');
    const kept = await listKeptMail(keepFolder, 'sub_2');
    expect(kept).toMatchObject([{ to: 'ana@example.com', subject: 'A Bcc: evil@example.com', text: 'text' }]);
    expect(await listKeptMail(keepFolder, 'sub_3')).toEqual([]);
    expect(await listKeptMail(keepFolder, '../sub_2')).toEqual(kept); // never a path
  });
});

describe('addresses', () => {
  test.each(['a@b.example', "o'neil+x@sub.example.com"])('%s is plain', (text) => expect(readAddress(text)).toBe(text));
  test.each([
    'a',
    'a@b@c',
    '"a b"@c.example',
    'a@b.example\r\nBcc: c@d.example',
    'a@b.example,c@d.example',
    'ä@b.example',
    'x <a@b.example>',
  ])('%s is refused', (text) => expect(() => readAddress(text)).toThrow());
});

describe('hosts that must not be reached', () => {
  test.each([
    '127.0.0.1',
    '10.1.2.3',
    '169.254.169.254',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    'fd00::1',
    '0.0.0.0',
    '192.168.1.1',
  ])('%s', async (address) => {
    expect(isBlockedAddress(address)).toBe(true);
    await expect(vetHost(address)).rejects.toThrow();
  });
  test.each(['2130706433', '0x7f.1', '017700000001', 'localhost', '[::1]', 'a b', ''])('%s as a name', async (name) => {
    await expect(vetHost(name)).rejects.toThrow();
  });
  test('public addresses pass', async () => expect(await vetHost('93.184.216.34')).toBe('93.184.216.34'));
});

describe('templates', () => {
  const params = {
    app: 'pdf2press',
    name: 'Ana',
    link: 'https://x.example/#token=1',
    device: 'Firefox',
    ip: '::1',
    minutes: 5,
  };
  test('every template is written in every language, with no place left open', () => {
    for (const locale of locales)
      for (const template of mailTemplates) {
        const { subject, text, html } = renderMail(template, locale, params);
        expect(subject).not.toBe(template);
        expect(`${subject}${text}${html}`).not.toMatch(/[{}]/);
        if (locale !== 'en') expect(text).not.toBe(renderMail(template, 'en', params).text);
      }
  });
  test('every template names only what messages know, each language what the English one names', () => {
    for (const locale of locales)
      for (const template of mailTemplates) {
        const whole = (language: typeof locale) => {
          const { subject, paragraphs, button } = mailSource(template, language);
          return [subject, ...paragraphs, button].join('\n');
        };
        expect(checkPlaceholders(whole(locale), mailNames)).toEqual([]);
        expect(namesIn(whole(locale)).sort()).toEqual(namesIn(whole('en')).sort());
      }
  });
  test('what people wrote stays text', () => {
    fc.assert(
      fc.property(fc.string(), (name) => {
        const { html } = renderMail('activation', 'en', { ...params, name: `<b>${name}` });
        expect(html).not.toContain('<b>');
      }),
    );
  });
});
