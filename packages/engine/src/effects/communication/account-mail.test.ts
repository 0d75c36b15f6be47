import path from 'node:path';
import { decodedMail, startMailServer, type TestMailServer } from '@pdf2press/mail/testing';
import { newId } from '@pdf2press/prisma';
import { startTestPostgres } from '@pdf2press/prisma/testing';
import { communicationProfileSchema } from '@pdf2press/steps/communication-profile';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openInstanceKeys } from '../../secrets/secrets.ts';
import { type Lab, openLab } from '../../testing/lab.ts';
import { giveSettings } from '../../testing/settings.ts';
import { deliverDue } from '../deliver.ts';
import { deliverMail } from '../mail/run.ts';
import { type AccountMail, queueAccountMail } from './account-mail.ts';

/* What people are written about their account in the words of a profile, read at a real mail server. */

let server: Awaited<ReturnType<typeof startTestPostgres>>;
let mails: TestMailServer;
let lab: Lab;
beforeAll(async () => {
  server = await startTestPostgres();
  mails = await startMailServer(decodedMail);
});
afterAll(async () => {
  await mails.stop();
  await server.stop();
});
beforeEach(async () => {
  lab = await openLab(server);
  mails.received.length = 0;
});
afterEach(() => lab.close());

/** The house with this profile for messages about accounts; null = with none. */
async function house(settings: object | null) {
  const { subscriberId } = lab;
  const deps = { ...lab.deps, app: { title: 'House & Co', baseUrl: 'https://print.test' } };
  const keys = await openInstanceKeys({ dataDir: lab.folder });
  const inside = <T>(work: Parameters<typeof deps.database.withSubscriber<T>>[1]) =>
    deps.database.withSubscriber<T>({ subscriberId }, work);
  const accountProfileId = settings === null ? '' : newId('profile');
  await inside(async (tx) => {
    await giveSettings(tx, subscriberId, { mailSettings: { accountProfileId }, culture: 'fr-FR', timeZone: 'UTC' });
    if (settings === null) return;
    await tx.profile.create({ data: { id: accountProfileId, kind: 'communication', name: 'Accounts' } });
    const stored = communicationProfileSchema.parse(settings) as object;
    await tx.profileVersion.create({
      data: { id: newId('profileVersion'), profileId: accountProfileId, no: 1, settings: stored },
    });
  });
  const hostServer = {
    host: '127.0.0.1',
    port: mails.port,
    username: '',
    password: null,
    senderEmail: 'house@a.test',
    enableSsl: false,
  };
  const environment = { keepFolder: path.join(lab.folder, 'mail'), allowedHosts: [], hostServer };
  const mail = deliverMail(deps, { keys, environment, title: 'House & Co', baseUrl: 'https://print.test' });
  const reader = { subscriberId, email: 'ana@a.test', firstName: 'Ana', lastName: '<Lima>', locale: 'en' };
  return {
    queue: (given: Omit<AccountMail, 'reader'>, locale = 'en') =>
      inside((tx) => queueAccountMail(tx, { deps, keys }, { reader: { ...reader, locale }, ...given })),
    stored: async () => (await lab.sql.query(`select string_agg(payload::text, '') as text from effects`)).rows[0].text,
    secrets: () => inside((tx) => tx.secret.count({ where: { purpose: 'mail.link' } })),
    deliver: () => deliverDue(deps, { mail }, { count: 10, stopped: new AbortController().signal }),
    remove: () => inside((tx) => tx.profile.updateMany({ data: { deletedAt: new Date() } })),
  };
}
const link = { url: 'https://print.test/reset-password#token=sesame', minutes: 30 };
const reset = { event: 'PasswordReset', link } as const;

test('a new password is asked for in the words, the look and the name of the profile; the link is filled in as it is sent', async () => {
  const own = {
    subject: 'Password, {{user.name}}',
    text: 'Here, until {{link.expiresAt|date:yyyy}} ({{link.minutes}} min): {{link.url}}',
    html: '<p>Dear {{user.name}}, <a href="{{link.url}}">here</a><script>x</script></p>',
  };
  const { queue, stored, secrets, deliver } = await house({
    fromName: 'Lima Press',
    replyTo: 'help@lima.test',
    accounts: { PasswordReset: { texts: { en: own } } },
  });
  await queue(reset);
  expect(await stored()).not.toContain('sesame');
  expect(await deliver()).toBe(1);
  expect(mails.received.map(({ to }) => to)).toEqual(['ana@a.test']);
  const text = mails.received[0]?.text ?? '';
  expect(text).toMatch(/From: "?Lima Press"? <house@a\.test>/);
  expect(text).toContain('Reply-To: help@lima.test');
  expect(text).toContain('Subject: Password, Ana <Lima>');
  expect(text).toContain(`Here, until ${new Date().getFullYear()} (30 min): ${link.url}`);
  expect(text).toContain(`Dear Ana &lt;Lima&gt;, <a href="${link.url}"`);
  expect(text).not.toMatch(/<script|link\.invalid/);
  expect(await secrets()).toBe(0);
});

test('a language without words of its own has the product’s, in the look of the house; a fixed language holds here as well', async () => {
  const { queue, deliver } = await house({
    accounts: { PasswordReset: { texts: { fr: { subject: 'F', text: 'F', button: 'Ici' } } } },
  });
  await queue(reset);
  await queue(reset, 'fr');
  await deliver();
  const [english, french] = [
    'Choose a new password for House & Co',
    'Ici: https://print.test/reset-password#token=sesame',
  ].map((words) => mails.received.find(({ text }) => text.includes(words))?.text);
  expect(english).toContain('works once and for 30 minutes');
  expect(english).toContain(`Choose a new password: ${link.url}`);
  expect(french).toContain('Subject: F');
});

test('somebody is welcomed once, whosever words the welcome has, in the look of the organization, and led to the product', async () => {
  const { queue, deliver } = await house({
    accounts: {
      OrganisationWelcome: {
        texts: { en: { subject: 'Hi from {{org.name}}', text: 'Ends {{link.minutes}}.', button: 'Go' } },
      },
    },
  });
  const organization = { id: newId('organization'), name: 'Acme Cards' };
  await lab.deps.database.withSubscriber({ subscriberId: lab.subscriberId }, (tx) =>
    tx.organization.create({ data: { ...organization, color: '#8a1c5c', options: { replyTo: 'hello@acme.test' } } }),
  );
  const welcome = { event: 'OrganisationWelcome', link: { path: '/' }, organization, cause: organization.id } as const;
  await queue(welcome);
  await queue(welcome);
  expect(await deliver()).toBe(1);
  const text = mails.received[0]?.text ?? '';
  expect(text).toContain('Subject: Hi from Acme Cards');
  expect(text).toContain('Reply-To: hello@acme.test');
  expect(text).toContain('#8a1c5c');
  expect(text).toContain('Ends .');
  expect(text).toContain('Go: https://print.test/');
});

test('without a profile, and after one was deleted, the product’s own message is written', async () => {
  const none = await house(null);
  await none.queue(reset);
  expect(await none.stored()).toContain('"template": "reset"');
  expect(await none.stored()).not.toContain('sesame');
  await lab.close();
  lab = await openLab(server);
  const gone = await house({ accounts: {} });
  await gone.remove();
  await gone.queue({ event: 'UserActivation', link: { ...link, minutes: 4320 } });
  await gone.deliver();
  expect(mails.received.map(({ text }) => text).join()).toContain('Your account at House & Co');
});
