import type { Profile, SystemSettings, Workflow } from '@pdf2press/contract';
import { listKeptMail } from '@pdf2press/mail';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Lab, type SignedIn, startLab } from '../testing/lab.ts';

/* The words of messages about accounts, as a communication profile has them and the settings name it. */

let lab: Lab;
let ana: SignedIn;
/** Words messages, and nothing else. */
let wil: SignedIn;
/** Sets the mail server, and lacks permissions that others have. */
let sam: SignedIn;
beforeAll(async () => {
  lab = await startLab();
  const subscriberId = await lab.makeSubscriber('Paper');
  ana = await lab.signIn(await lab.makeAdministrator(subscriberId, 'ana@example.com'));
  wil = await lab.signIn(
    await lab.makePerson(subscriberId, 'wil@example.com', ['communication.view', 'communication.manage']),
  );
  sam = await lab.signIn(
    await lab.makePerson(subscriberId, 'sam@example.com', ['settings.view', 'settings.smtp.manage']),
  );
}, 120_000);
afterAll(() => lab.stop());

const path = '/profiles/communication';
const words = (text: string, more: object = {}) => ({
  subject: 'S {{app.title}}',
  text,
  button: '',
  html: '',
  ...more,
});
const reset = (en: object) => ({ accounts: { PasswordReset: { texts: { en } } } });
const make = (name: string, settings: object, more: object = {}) =>
  lab.call<Profile>('POST', path, { as: ana, body: { name, settings, ...more } });
const change = (as: SignedIn, { id, name, version }: Profile, settings: object) =>
  lab.call<Profile>('PUT', `${path}/${id}`, { as, body: { name, version, description: '', settings } });
async function nameProfile(as: SignedIn, accountProfileId: string) {
  const { result } = await lab.call<SystemSettings>('GET', '/SystemSettings', { as: ana });
  return lab.call('PUT', '/SystemSettings', { as, body: { ...result, mailSettings: { accountProfileId } } });
}
const codes = ({ envelope }: Awaited<ReturnType<typeof nameProfile>>) =>
  envelope.errors.map(({ code, field }) => [code, field]);

test('a text that does not lead to its link is refused, and so is a name that no message about an account knows', async () => {
  const faults = async (en: object) => codes(await make('Wrong', reset(en))).slice(1);
  const at = (field: string) => `settings.accounts.PasswordReset.texts.en.${field}`;
  expect(await faults(words('Come in'))).toEqual([['message.linkMissing', at('text')]]);
  expect(await faults(words('{{Link.URL}}', { html: '<p>Come in</p>' }))).toEqual([
    ['message.linkMissing', at('html')],
  ]);
  expect(await faults(words('{{link.url}} {{file.name}}'))).toEqual([['placeholder.unknownName', at('text')]]);
  expect(await faults(words('Come in, {{paper}}', { button: 'Here' }))).toEqual([
    ['placeholder.unknownName', at('text')],
  ]);
  for (const [name, en] of Object.entries({
    'by a button': words('Come in', { button: 'Here', html: '<p>x</p>' }),
    'in the text': words('{{link.url}}'),
    'in both': words('{{link.url}}', { html: '<a href="{{link.url}}">Here</a>' }),
  }))
    expect((await make(name, reset(en))).statusCode, name).toBe(201);
});

test('the product’s texts are told, and a message is drawn with a link that leads nowhere and tried on the caller', async () => {
  const { result: texts } = await lab.call<{ event: string; subject: string; button: string }[]>(
    'GET',
    `${path}-texts?locale=fr`,
    { as: wil },
  );
  expect(texts.filter(({ event }) => /User|Password|Organisation/.test(event)).map(({ button }) => button)).toEqual([
    expect.stringMatching(/mot de passe/),
    expect.stringMatching(/mot de passe/),
    expect.any(String),
  ]);
  const settings = reset(words('Go to {{link.url}} within {{link.minutes}} minutes'));
  const body = { settings, event: 'PasswordReset', locale: 'en', sessionId: null };
  const drawn = await lab.call<{ text: string; recipients: null }>('POST', `${path}-preview`, { as: wil, body });
  expect(drawn.result).toMatchObject({ recipients: null, isSent: null, subject: expect.stringMatching(/^S \w/) });
  expect(drawn.result.text).toMatch(/^Go to http\S+\/reset-password#token=… within 30 minutes$/);
  expect((await lab.call('POST', `${path}-test`, { as: wil, body })).result).toEqual({ to: 'wil@example.com' });
  // Programs and channels are told of sessions alone.
  const hook = { format: 'slack', secretId: 'x' };
  for (const wrong of ['hook-test', 'webhook-test']) {
    const asked = await lab.call('POST', `${path}-${wrong}`, { as: wil, body: { ...body, name: 'x', hook } });
    expect(codes(asked)).toContainEqual([expect.any(String), 'event']);
  }
});

test('the settings name one, which takes every permission that anybody has; then it words the mails and cannot go', async () => {
  const { result: profile } = await make('Accounts', reset(words('Own words: {{link.url}}')));
  const acme = await lab.call<{ id: string }>('POST', '/organizations', { as: ana, body: { name: 'Acme' } });
  const others = await make('Of Acme', {}, { organizationId: acme.result.id });
  expect(codes(await nameProfile(sam, profile.id)).map(([code]) => code)).toEqual(['access.denied']);
  for (const id of ['prf_gone', others.result.id])
    expect(codes(await nameProfile(ana, id))).toEqual([['resource.notFound', 'mailSettings.accountProfileId']]);
  // Before it is named, its words are like those of any other.
  const prepared = (await change(wil, profile, reset(words('Other words: {{link.url}}')))).result;
  expect(prepared.version).toBe(2);
  expect((await nameProfile(ana, profile.id)).statusCode).toBe(200);

  await lab.call('POST', '/TokenAuth/forgot-password', { body: { email: wil.email } });
  await expect
    .poll(async () => {
      await lab.deliverMails();
      const [mail] = (await listKeptMail(lab.deps.mail.keepFolder, ana.subscriberId)).filter(
        ({ to, subject }) => to === wil.email && subject.startsWith('S '),
      );
      return mail?.text;
    })
    .toMatch(/^Other words: http:\S+\/reset-password#token=[\w-]{20,}$/);
  const stored = await lab.deps.db.withSubscriber({ subscriberId: ana.subscriberId }, (tx) =>
    tx.effect.findMany({ where: { kind: 'mail' } }),
  );
  expect(JSON.stringify(stored.map(({ payload }) => payload))).not.toMatch(/token=[\w-]{20,}/);

  const evil = reset(words('https://evil.example/?{{link.url}}'));
  expect(codes(await change(wil, prepared, evil)).map(([code]) => code)).toEqual(['access.denied']);
  const renamed = await change(wil, { ...prepared, name: 'Renamed' }, { ...prepared.settings, fromName: 'Paper' });
  expect(renamed.statusCode).toBe(200);
  expect(codes(await lab.call('DELETE', `${path}/${profile.id}`, { as: ana }))).toEqual([
    ['profile.writesToAccounts', undefined],
  ]);
  const body = { name: 'Renamed', version: 3, description: '', settings: {}, organizationId: acme.result.id };
  expect(codes(await lab.call('PUT', `${path}/${profile.id}`, { as: ana, body }))).toEqual([
    ['profile.writesToAccounts', undefined],
  ]);
  expect((await nameProfile(ana, '')).statusCode).toBe(200);
  expect((await lab.call('DELETE', `${path}/${profile.id}`, { as: ana })).statusCode).toBe(200);
});

test('a workflow that uses the profile for its sessions does not judge what is written about accounts', async () => {
  const { result: profile } = await make('Both', reset(words('{{link.url}} {{link.minutes}}')));
  const made = (await lab.call<Workflow>('POST', '/workflows', { as: ana, body: { name: 'W', template: 'empty' } }))
    .result;
  const draft = {
    communicationProfileId: profile.id,
    steps: [
      { id: 'inject', kind: 'Inject' },
      { id: 'end', kind: 'Complete' },
    ],
    edges: [{ id: 'e', from: 'inject', outcome: 'done', to: 'end' }],
  };
  const body = { name: 'W', draft, draftRevision: made.draftRevision };
  const { result } = await lab.call<Workflow>('PUT', `/workflows/${made.id}`, { as: ana, body });
  expect(result.issues).toEqual([]);
});
