import { mkdtempSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { accountEvents, locales, messageEvents } from '@pdf2press/contract';
import { checkPlaceholders, factsOf, knownNames, namesIn } from '@pdf2press/settings';
import fc from 'fast-check';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sanitized } from './events/sanitize.ts';
import {
  accountText,
  composeMessage,
  eventText,
  listKeptMail,
  mailTemplates,
  readAddress,
  renderMail,
  sendMail,
  verifyServer,
  vetHost,
} from './mail.ts';
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
    '0:0:0:0:0:ffff:7f00:1',
    '::127.0.0.1',
    '::a9fe:a9fe',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::7f00:1',
    '2001:0:7f00:1::',
    '2001:db8::1',
    '2002:7f00:1::',
    '3fff::1',
    'fec0::1',
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
  test('the own addresses of this machine, also inside of IPv6', () => {
    const own = Object.values(os.networkInterfaces()).flatMap((list) => list ?? []);
    expect(own.length).toBeGreaterThan(0);
    for (const { address, family } of own) {
      expect(isBlockedAddress(address), address).toBe(true);
      if (family === 'IPv4') expect(isBlockedAddress(`::ffff:${address}`), address).toBe(true);
    }
  });
  test.each(['93.184.216.34', '8.8.8.8', '::ffff:8.8.8.8', '2606:4700::1111', '2a00:1450:4001::1'])(
    'public addresses pass: %s',
    async (address) => expect(await vetHost(address)).toBe(address),
  );
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
        expect(`${subject}${text}${html.replace(/<style>.*?<\/style>/, '')}`).not.toMatch(/[{}]/);
        if (locale !== 'en') expect(text).not.toBe(renderMail(template, 'en', params).text);
      }
  });
  test('whoever is asked about a proof reads what the answers are called', () => {
    const own = { ...params, file: 'flyer.pdf', approve: 'Print it', decline: 'Change it' };
    for (const template of ['proofRequest', 'proofVersion'] as const) {
      expect(renderMail(template, 'en', own).text).toContain('answer “Print it” or “Change it”');
      expect(renderMail(template, 'fr', params).text).toContain('« Approuver » ou « Refuser »');
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

describe('messages about sessions', () => {
  const known = knownNames({ scope: 'message' });
  const facts = factsOf(
    Object.fromEntries(known.list.map(({ name, variable }) => [name, variable.example])),
    (name) => known.get(name)?.type,
  );
  const brand = { name: 'Lima & Söhne', color: '#ffe600', logo: null };
  const composed = (texts: Parameters<typeof composeMessage>[0]['texts'], more = {}) =>
    composeMessage({
      texts,
      facts,
      reader: { locale: 'en', unit: 'Millimeters', timeZone: 'UTC' },
      brand,
      link: 'https://p.test/x',
      ...more,
    });

  test('each event has a text in each language, which names only what messages know, and the same as the English one', () => {
    for (const locale of locales)
      for (const event of messageEvents) {
        const whole = (language: typeof locale) => Object.values(eventText(event, language)).join('\n');
        expect(checkPlaceholders(whole(locale), known), `${event} ${locale}`).toEqual([]);
        expect(namesIn(whole(locale)).sort(), `${event} ${locale}`).toEqual(namesIn(whole('en')).sort());
        expect(eventText(event, locale).subject).not.toBe('');
        expect(eventText(event, locale).button === '').toBe(eventText(event, 'en').button === '');
        if (locale !== 'en') expect(whole(locale)).not.toBe(whole('en'));
      }
  });

  test('each event of an account has a text in each language, which leads to its link and names only what is known of accounts', () => {
    const ofAccounts = knownNames({ scope: 'account' });
    expect(ofAccounts.get('file.name') ?? ofAccounts.get('paper')).toBeUndefined();
    for (const locale of locales)
      for (const event of accountEvents) {
        const { subject, text, button } = accountText(event, locale);
        expect(checkPlaceholders([subject, text].join('\n'), ofAccounts), `${event} ${locale}`).toEqual([]);
        expect([subject, text, button], `${event} ${locale}`).not.toContain('');
        if (locale !== 'en') expect(text).not.toBe(accountText(event, 'en').text);
      }
  });

  test('looks like the organization, is read on any colour, and has a part of text with the link', () => {
    const { text, html, subject } = composed({ ...eventText('Held', 'en'), button: 'Open' });
    expect(subject).toBe('“flyer final.pdf” is waiting for you');
    expect(text).toContain('\n\nOpen: https://p.test/x');
    expect(html).toContain('Lima &amp; Söhne');
    // On yellow the button is written in black, and the name is not yellow on white.
    expect(html).toContain('bgcolor="#ffe600"');
    expect(html).toMatch(/color:#000000;text-decoration:none">Open</);
    expect(html).toContain('font-weight:700;color:#0f172a');
    expect(composed(eventText('Held', 'en'), { brand: { ...brand, color: 'red;x' } }).html).not.toContain('red;x');
    expect(composed(eventText('Completed', 'en')).html).not.toContain('https://');
  });

  test('HTML that a person wrote is cleaned after it was filled in', () => {
    const evil = factsOf({ 'file.name': '<script>x</script>', 'session.url': 'javascript:alert(1)' }, () => 'String');
    const html =
      '<p style="color:#f00;background:url(https://x.test/a)">{{file.name}}</p><a href="{{session.url}}">go</a>';
    const made = composed({ subject: 's', text: 't', button: '', html }, { facts: evil }).html;
    expect(made).toContain('<p style="color:#f00">&lt;script&gt;x&lt;/script&gt;</p><a>go</a>');
    expect(made).not.toContain('<script');
  });

  test.each([
    ['<img src=x onerror=alert(1)>', ''],
    ['<svg><script>alert(1)</script></svg>', ''],
    ['<a href="JaVa&#x0A;script:alert(1)">x</a>', '<a>x</a>'],
    ['<a href="//x.test">x</a>', '<a>x</a>'],
    ['<p style="position:fixed;color:blue">x</p>', '<p style="color:blue">x</p>'],
    ['<p style="width:expression(alert(1))">x</p>', '<p>x</p>'],
    ['<form action="https://x.test"><input name="a">x</form>', 'x'],
    ['<iframe src="https://x.test"></iframe><base href="https://x.test"><meta http-equiv="refresh" content="0">x', 'x'],
    ['<style>p{color:red}</style><p class="sheet" id="x">y</p>', '<p>y</p>'],
    [
      '<table width="100%" background="https://x.test/a"><tr><td bgcolor="#fff">a</td></tr></table>',
      '<table width="100%"><tr><td bgcolor="#fff">a</td></tr></table>',
    ],
    ['</td></tr></table><p>out</p>', '<p>out</p>'],
  ])('%s → %s', (html, expected) => expect(sanitized(html)).toBe(expected));
});
