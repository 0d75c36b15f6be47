import type { SystemSettings } from '@pdf2press/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Lab, type SignedIn, startLab } from '../testing/lab.ts';

let lab: Lab;
let ana: SignedIn;
let ben: SignedIn;
beforeAll(async () => {
  lab = await startLab();
  const subscriberId = await lab.makeSubscriber('Paper + Ink');
  ana = await lab.signIn(await lab.makeAdministrator(subscriberId, 'ana@example.com'));
  ben = await lab.signIn(await lab.makePerson(subscriberId, 'ben@example.com', []));
});
afterAll(() => lab.stop());

const send = (body: object, as: { token: string } = ben) => lab.call('POST', '/feedback', { as, body });
const codes = ({ envelope }: { envelope: { errors: { code: string }[] } }) => envelope.errors.map(({ code }) => code);
const isSetUp = async () => (await lab.call<{ isSetUp: boolean }>('GET', '/feedback', { as: ben })).result.isSetUp;
const mails = () =>
  lab.deps.db.withSubscriber({ subscriberId: ana.subscriberId }, async (tx) =>
    (await tx.effect.findMany({ where: { kind: 'mail' }, orderBy: { id: 'asc' } })).map(
      ({ payload }) =>
        payload as { to: string; replyTo: string; content: { subject: string; text: string }; picture?: object },
    ),
  );
async function setAddress(email: string, culture = 'en-US'): Promise<void> {
  const { result } = await lab.call<SystemSettings>('GET', '/SystemSettings', { as: ana });
  const body = { ...result, culture, feedbackSettings: { email } };
  expect((await lab.call('PUT', '/SystemSettings', { as: ana, body })).statusCode).toBe(200);
}
/** One grey pixel. */
const png =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==';

test('without an address nothing is sent, and it says so', async () => {
  expect(await isSetUp()).toBe(false);
  const answer = await send({ text: 'It is too slow' });
  expect([answer.statusCode, codes(answer)]).toEqual([409, ['feedback.notSetUp']]);
  expect(await mails()).toEqual([]);
});

test('a word with where it was written goes to the address, and answers go to who wrote it', async () => {
  await setAddress('product@house.example');
  expect(await isSetUp()).toBe(true);
  const context = { path: '/workflows?x=1', browser: 'Mozilla/5.0', window: '390 × 844' };
  expect((await send({ text: 'It is too slow\nand blue', context, picture: png })).statusCode).toBe(200);
  const [mail] = await mails();
  expect(mail).toMatchObject({ to: 'product@house.example', replyTo: 'ben@example.com' });
  expect(mail?.content.subject).toBe('Feedback on pdf2press from ben Test');
  expect(mail?.content.text.split('\n')).toEqual([
    'It is too slow',
    'and blue',
    '',
    'Written by: ben Test <ben@example.com>',
    'Page: /workflows?x=1',
    `Version: ${lab.deps.version}`,
    'Browser: Mozilla/5.0',
    'Window: 390 × 844',
  ]);
  expect(mail?.picture).toEqual({ name: 'screen.png', mediaType: 'image/png', base64: png.split(',')[1] });
  await lab.deliverMails();
  const kept = await lab.call<{ to: string; subject: string; text: string }[]>('GET', '/kept-mail', { as: ana });
  expect(kept.result[0]).toMatchObject({ to: 'product@house.example', subject: mail?.content.subject });
  const audit = await lab.call<{ items: { act: string }[] }>('GET', '/audit?act=feedback.send', { as: ana });
  expect(audit.result.items).toHaveLength(1);
});

test('the words around it are in the language of the house', async () => {
  await setAddress('product@house.example', 'it-IT');
  await send({ text: 'Ciao' });
  expect((await mails()).at(-1)?.content.subject).toBe('Commenti su pdf2press di ben Test');
});

test('what is no picture, no word or too long is refused, and nothing is sent', async () => {
  const before = (await mails()).length;
  const html = `data:image/png;base64,${Buffer.from('<script>alert(1)</script>').toString('base64')}`;
  for (const wrong of [
    { text: ' ' },
    { text: 'x'.repeat(5001) },
    { text: 'x', picture: html },
    { text: 'x', picture: 'data:image/svg+xml;base64,PHN2Zz4=' },
    { text: 'x', picture: 'https://elsewhere.example/a.png' },
    { text: 'x', picture: `data:image/png;base64,iVBORw0K${'A'.repeat(1_400_000)}` },
  ])
    expect((await send(wrong)).statusCode, JSON.stringify(wrong).slice(0, 60)).toBe(400);
  expect((await mails()).length).toBe(before);
});

test('a program with a key has nothing to say', async () => {
  const body = { name: 'key', permissions: ['sessions.view'] };
  const { key } = (await lab.call<{ key: string }>('POST', '/api-keys', { as: ana, body })).result;
  expect((await send({ text: 'x' }, { token: key })).statusCode).toBe(403);
});
