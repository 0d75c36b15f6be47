import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Profile, type SessionMessage, type Workflow, workflowDefinitionSchema } from '@pdf2press/contract';
import { enqueueEffect, receiveFile } from '@pdf2press/engine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Lab, type SignedIn, startLab } from '../testing/lab.ts';

/* Communication profiles as people keep them, and what they are told of the messages of a session. */

let lab: Lab;
let subscriberId: string;
let ana: SignedIn;
let eve: SignedIn;
let viewer: SignedIn;
beforeAll(async () => {
  lab = await startLab({ limitFactor: 10_000 });
  subscriberId = await lab.makeSubscriber('Paper + Ink');
  ana = await lab.signIn(await lab.makeAdministrator(subscriberId, 'ana@example.com'));
  viewer = await lab.signIn(await lab.makePerson(subscriberId, 'vic@example.com', ['communication.view']));
  eve = await lab.signIn(await lab.makeAdministrator(await lab.makeSubscriber('Elsewhere'), 'eve@example.com'));
}, 120_000);
afterAll(() => lab.stop());

const path = '/profiles/communication';
const own = (subject: string, more = {}) => ({
  subject,
  text: 'Hello {{recipient.name}}',
  button: '',
  html: '',
  ...more,
});
const completed = (texts: object, more = {}) => ({ events: { Completed: { to: ['a@example.com'], texts, ...more } } });
const make = async (name: string, settings: object): Promise<Profile> =>
  (await lab.call<Profile>('POST', path, { as: ana, body: { name, settings } })).result;

async function makeWorkflow(name: string, draft: object): Promise<Workflow> {
  const made = (await lab.call<Workflow>('POST', '/workflows', { as: ana, body: { name, template: 'empty' } })).result;
  const definition = workflowDefinitionSchema.parse({
    steps: [
      { id: 'inject', kind: 'Inject' },
      { id: 'end', kind: 'Complete' },
    ],
    edges: [{ id: 'e', from: 'inject', outcome: 'done', to: 'end' }],
    ...draft,
  });
  const body = { name, draft: definition, draftRevision: made.draftRevision };
  return (await lab.call<Workflow>('PUT', `/workflows/${made.id}`, { as: ana, body })).result;
}

test('a name that nobody knows, an address that is none and a rule without sense are told with their places', async () => {
  const faults = async (settings: object) => {
    const { statusCode, envelope } = await lab.call('POST', path, { as: ana, body: { name: 'Wrong', settings } });
    expect(statusCode).toBe(422);
    return (envelope.errors ?? []).slice(1).map(({ code, field, params }) => [code, field, params?.offset]);
  };
  expect(await faults(completed({ fr: own('x {{file.nam}}') }))).toEqual([
    ['placeholder.unknownName', 'settings.events.Completed.texts.fr.subject', 2],
  ]);
  expect(await faults(completed({ en: own('x', { html: '<a href="{{proof.ul}}">' }) }))).toEqual([
    ['placeholder.unknownName', 'settings.events.Completed.texts.en.html', 9],
  ]);
  expect(await faults({ events: { Held: { to: ['nobody'] } } })).toEqual([
    ['value.email', 'settings.events.Held.to.0', undefined],
  ]);
  const when = { match: 'all', rules: [{ fact: 'file.name', operator: 'matches', value: '(' }] };
  expect((await faults(completed({}, { when })))[0]?.[1]).toMatch(/^settings\.events\.Completed\.when\.rules\.0/);
});

test('is drawn cleaned, with what is in the form; whoever may only look sends no test', async () => {
  const settings = completed({ en: own('To {{recipient.email}}', { html: '<p>x<script>y</script></p>' }) });
  const body = { settings, event: 'Completed', locale: 'en' };
  const { result } = await lab.call<{ subject: string; html: string }>('POST', `${path}-preview`, { as: viewer, body });
  expect(result.subject).toBe('To ana@example.com');
  expect(result.html).toContain('<p>x</p>');
  expect((await lab.call('POST', `${path}-test`, { as: viewer, body })).statusCode).toBe(403);
  expect((await lab.call('POST', `${path}-test`, { as: ana, body })).result).toEqual({ to: 'ana@example.com' });
  const sent = await lab.deps.db.withSubscriber({ subscriberId }, (tx) =>
    tx.effect.findMany({ where: { kind: 'mail' } }),
  );
  expect(sent).toMatchObject([
    { sessionId: null, payload: { to: 'ana@example.com', content: { subject: 'To ana@example.com' } } },
  ]);
  expect(
    (await lab.call('POST', `${path}-preview`, { as: viewer, body: { ...body, sessionId: 'x' } })).statusCode,
  ).toBe(403);
});

test('a workflow uses it as a whole or by a rule, so that it cannot be deleted; what the workflow lacks is told before it is published', async () => {
  const whole = await make('Whole', completed({ en: own('{{paper}}') }));
  const byRule = await make('By rule', {});
  const when = { match: 'all', rules: [{ fact: 'file.name', operator: 'exists' }] };
  const rules = [{ id: 'r', when, action: 'changeCommunication', profileId: byRule.id }];
  const workflow = await makeWorkflow('Told', {
    communicationProfileId: whole.id,
    steps: [
      { id: 'inject', kind: 'Inject' },
      { id: 'route', kind: 'Route', settings: { rules } },
      { id: 'end', kind: 'Complete' },
    ],
    edges: [
      { id: 'a', from: 'inject', outcome: 'done', to: 'route' },
      { id: 'b', from: 'route', outcome: 'r', to: 'end' },
      { id: 'c', from: 'route', outcome: 'otherwise', to: 'end' },
    ],
  });
  expect(workflow.issues).toContainEqual(
    expect.objectContaining({ code: 'placeholder.unknownName', field: 'communicationProfileId' }),
  );
  for (const { id } of [whole, byRule]) {
    expect((await lab.call<Profile>('GET', `${path}/${id}`, { as: ana })).result.usedBy).toEqual([
      { id: workflow.id, name: 'Told' },
    ]);
    expect((await lab.call('DELETE', `${path}/${id}`, { as: ana })).statusCode).toBe(409);
  }
  const gone = await makeWorkflow('Gone', { communicationProfileId: 'prf_gone' });
  expect(gone.issues).toMatchObject([{ code: 'workflow.profileGone', field: 'communicationProfileId' }]);
});

test('a session tells its messages without the link that is somebody’s alone, and sends a dead one again', async () => {
  const workflow = await makeWorkflow('Messages', {});
  await lab.call('POST', `/workflows/${workflow.id}/publish`, { as: ana, body: {} });
  const { sessionId } = await receiveFile(lab.deps.engine, {
    context: { subscriberId },
    workflowId: workflow.id,
    source: 'ManualInjected',
    fileName: 'a.pdf',
    bytes: (async function* once() {
      yield Buffer.from('%PDF-1.4');
    })(),
    createdBy: { kind: 'system', name: '' },
    ingest: { kind: 'api' },
  });
  const mail = { to: 'carla@example.com', name: 'Carla', locale: 'en', params: {} } as const;
  await lab.deps.db.withSubscriber({ subscriberId }, async (tx) => {
    const text = 'Look at https://link.invalid/own, or call https://print.example';
    const payload = {
      ...mail,
      template: 'message',
      content: { subject: 'S', text, html: 'x' },
      event: 'ProofRequested',
    } as const;
    await enqueueEffect(tx, { kind: 'mail', key: 'one', sessionId, payload });
    const asked = { ...mail, template: 'proofRequest', proofLink: { recipientId: 'x', no: 1 } } as const;
    await enqueueEffect(tx, { kind: 'mail', key: 'two', sessionId, payload: { ...asked, params: { file: 'a.pdf' } } });
  });
  await lab.deps.db.withSubscriber({ subscriberId }, (tx) =>
    tx.effect.updateMany({
      where: { key: 'one' },
      data: { state: 'Dead', attempt: 1, lastError: '550 no such mailbox' },
    }),
  );
  const list = async (as: SignedIn) => lab.call<SessionMessage[]>('GET', `/sessions/${sessionId}/messages`, { as });
  const { result } = await list(ana);
  expect(result).toMatchObject([
    { event: null, subject: 'Please look at “a.pdf”', state: 'waiting' },
    {
      event: 'ProofRequested',
      text: 'Look at […], or call https://print.example',
      state: 'failed',
      lastError: '550 no such mailbox',
    },
  ]);
  expect(JSON.stringify(result)).not.toMatch(/client-proofing|link\.invalid/);
  expect((await list(eve)).statusCode).toBe(404);
  const again = (as: SignedIn, id = result[1]?.id) =>
    lab.call('POST', `/sessions/${sessionId}/messages/${id}/retry`, { as });
  expect((await again(eve)).statusCode).toBe(404);
  expect((await again(ana, result[0]?.id)).statusCode).toBe(404);
  expect((await again(ana)).statusCode).toBe(200);
  expect((await list(ana)).result[1]).toMatchObject({ state: 'waiting' });

  // What is gathered stands as its digest does, and is sent again with it.
  await lab.deps.db.withSubscriber({ subscriberId }, async (tx) => {
    const digest = { of: 'x', brand: { name: 'House', color: null }, items: ['three'] };
    const message = { ...mail, template: 'message' } as const;
    await enqueueEffect(tx, { kind: 'mail', key: 'digest three', payload: { ...message, digest } });
    const content = { subject: 'Gathered', text: 'T', html: 'x' };
    const gathered = { in: 'digest three', paragraphs: ['T'] };
    await enqueueEffect(tx, { kind: 'mail', key: 'three', sessionId, payload: { ...message, content, gathered } });
    await tx.effect.updateMany({ where: { key: 'three' }, data: { state: 'Done', remoteRef: 'gathered' } });
    await tx.effect.updateMany({ where: { key: 'digest three' }, data: { state: 'Dead', lastError: '550 gone' } });
  });
  const [third] = (await list(ana)).result;
  expect(third).toMatchObject({ subject: 'Gathered', state: 'failed', lastError: '550 gone' });
  expect((await again(ana, third?.id)).statusCode).toBe(200);
  expect((await list(ana)).result[0]).toMatchObject({ subject: 'Gathered', state: 'waiting' });
});

test('the address of a hook is kept and never told again; a test is written there at once, and what the service says is told', async () => {
  const taken: string[] = [];
  let status = 200;
  const service = createServer((request, response) => {
    request.on('data', (part: Buffer) => taken.push(`${request.url} ${part.toString()}`));
    request.on('end', () => response.writeHead(status).end(status === 200 ? 'ok' : 'invalid_token'));
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const { port } = service.address() as AddressInfo;
  const { env } = lab.deps;
  const before = env.outboundAllowedHosts;
  try {
    const text = `http://127.0.0.1:${port}/services/very-secret`;
    expect((await lab.call('POST', `${path}-hooks`, { as: viewer, body: { text } })).statusCode).toBe(403);
    for (const none of ['not an address', 'javascript:alert(1)', 'ftp://a.test/x'])
      expect((await lab.call('POST', `${path}-hooks`, { as: ana, body: { text: none } })).statusCode).toBe(400);
    const { result } = await lab.call<{ id: string }>('POST', `${path}-hooks`, { as: ana, body: { text } });
    const hook = { name: 'Press room', format: 'slack', secretId: result.id, events: ['Completed'] };
    const profile = await make('With a channel', { hooks: [hook] });
    expect(JSON.stringify(profile)).not.toContain('very-secret');

    const { format, secretId } = hook;
    const body = { settings: profile.settings, event: 'Completed', locale: 'fr', hook: { format, secretId } };
    const tried = (as: SignedIn, more = {}) =>
      lab.call(`POST`, `${path}-hook-test`, { as, body: { ...body, ...more } });
    const codes = async (as: SignedIn, more = {}) => (await tried(as, more)).envelope.errors?.map(({ code }) => code);
    expect(await codes(ana)).toContain('hook.blocked');
    env.outboundAllowedHosts = [{ host: '127.0.0.1', port, scheme: 'http' }];
    expect((await tried(ana)).statusCode).toBe(200);
    expect(taken).toHaveLength(1);
    expect(taken[0]).toMatch(/^\/services\/very-secret \{"text":".*"blocks":/);
    status = 403;
    const refusal = await tried(ana);
    expect(refusal.envelope.errors?.at(-1)).toMatchObject({
      code: 'hook.refused',
      params: { status: 403, text: 'invalid_token' },
    });
    // Neither who may only look, nor another house by guessing the id, writes there.
    expect((await tried(viewer)).statusCode).toBe(403);
    expect(await codes(eve)).toContain('hook.gone');
    expect(taken).toHaveLength(2);
  } finally {
    env.outboundAllowedHosts = before;
    await new Promise((resolve) => service.close(resolve));
  }
});

test('a program is tried with a signed call; its secret is read by nobody, and what it was told stands among the messages', async () => {
  const taken: { signature: string; body: string }[] = [];
  let status = 204;
  const receiver = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      taken.push({ signature: String(request.headers['x-signature']), body: Buffer.concat(parts).toString() });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  const { env } = lab.deps;
  const before = env.outboundAllowedHosts;
  try {
    const text = 'a signing secret of ours';
    expect((await lab.call('POST', `${path}-secrets`, { as: viewer, body: { text } })).statusCode).toBe(403);
    expect((await lab.call('POST', `${path}-secrets`, { as: ana, body: { text: 'short' } })).statusCode).toBe(400);
    const { result } = await lab.call<{ id: string }>('POST', `${path}-secrets`, { as: ana, body: { text } });
    const webhook = { name: 'Orders', url: `http://127.0.0.1:${port}/x`, secretId: result.id, events: ['Completed'] };
    for (const url of ['ftp://a.test/', 'http://ana:secret@a.test/', 'no address'])
      expect(
        (await lab.call('POST', path, { as: ana, body: { name: url, settings: { webhooks: [{ ...webhook, url }] } } }))
          .statusCode,
      ).toBe(422);
    const profile = await make('With a program', { webhooks: [webhook] });
    expect(JSON.stringify(profile)).not.toContain(text);

    const body = { settings: profile.settings, event: 'Completed', locale: 'en', name: 'Orders' };
    const tried = (as: SignedIn) => lab.call('POST', `${path}-webhook-test`, { as, body });
    const codes = async (as: SignedIn) => (await tried(as)).envelope.errors?.map(({ code }) => code);
    expect(await codes(ana)).toContain('hook.blocked');
    env.outboundAllowedHosts = [{ host: '127.0.0.1', port, scheme: 'http' }];
    expect((await tried(ana)).statusCode).toBe(200);
    const [{ signature, body: sent } = { signature: '', body: '' }] = taken;
    expect(JSON.parse(sent)).toMatchObject({ isTest: true, event: 'Completed' });
    const [, seconds = '', digest] = /^t=(\d+),v1=(.*)$/.exec(signature) ?? [];
    expect(digest).toBe(createHmac('sha256', text).update(`${seconds}.${sent}`).digest('hex'));
    status = 500;
    expect((await tried(ana)).envelope.errors?.at(-1)).toMatchObject({ code: 'noticeHook.refused' });
    expect((await tried(viewer)).statusCode).toBe(403);
    expect(await codes(eve)).toContain('hook.gone');
    expect(taken).toHaveLength(2);

    const workflow = await makeWorkflow('Of programs', {});
    await lab.call('POST', `/workflows/${workflow.id}/publish`, { as: ana });
    const { sessionId } = await receiveFile(lab.deps.engine, {
      context: { subscriberId },
      workflowId: workflow.id,
      source: 'ExternalApi',
      fileName: 'a.pdf',
      bytes: (async function* () {
        yield Buffer.from('%PDF-1.4');
      })(),
      variables: {},
      createdBy: { kind: 'system', name: 'test' },
      ingest: { kind: 'test' },
    });
    const call = {
      url: webhook.url,
      method: 'POST' as const,
      headers: [],
      body: '{}',
      secretId: '',
      authorizationId: '',
    };
    const told = { name: 'Orders', event: 'Completed', subject: 'Done', text: 'It is done.' } as const;
    await lab.deps.db.withSubscriber({ subscriberId }, async (tx) => {
      const payload = { ...call, paths: [], maxTries: null };
      await enqueueEffect(tx, { kind: 'webhook', key: 'told', sessionId, payload: { ...payload, told } });
      await enqueueEffect(tx, { kind: 'webhook', key: 'of a step', sessionId, payload });
      await tx.effect.updateMany({ where: { kind: 'webhook' }, data: { state: 'Dead', lastError: '404' } });
    });
    const list = async () =>
      (await lab.call<SessionMessage[]>('GET', `/sessions/${sessionId}/messages`, { as: ana })).result;
    const [message, ...others] = await list();
    expect(message).toMatchObject({ channel: 'webhook', to: 'Orders', event: 'Completed', state: 'failed' });
    expect(others).toEqual([]);
    const resent = await lab.call('POST', `/sessions/${sessionId}/messages/${message?.id}/retry`, { as: ana });
    expect([resent.statusCode, (await list())[0]?.state]).toEqual([200, 'waiting']);
  } finally {
    env.outboundAllowedHosts = before;
    await new Promise((resolve) => receiver.close(resolve));
  }
});
