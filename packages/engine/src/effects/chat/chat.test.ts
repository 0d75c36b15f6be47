import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isNight } from '@pdf2press/config/by-day';
import { type WorkflowDefinition, workflowDefinitionSchema } from '@pdf2press/contract';
import { startTestPostgres } from '@pdf2press/prisma/testing';
import { communicationProfileSchema } from '@pdf2press/steps/communication-profile';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { keepSecret, openInstanceKeys } from '../../secrets/secrets.ts';
import { type Lab, openLab } from '../../testing/lab.ts';
import { startMessageWorker } from '../../testing/message-worker.ts';
import { startProcess } from '../../testing/processes.ts';
import type { RunningWorker } from '../../worker/worker.ts';
import { composeMessages } from '../communication/run.ts';
import { hookPurpose } from './contract.ts';
import { writeToChannels } from './run.ts';

/* Messages into channels, with a real worker, a real Postgres, and a service on this machine that is written to. */

interface Taken {
  path: string | undefined;
  body: { text?: string; blocks?: object[]; attachments?: object[] };
}
const taken: Taken[] = [];
let replies: (number | 'hang up')[] = [];
const service: Server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    taken.push({ path: request.url, body: JSON.parse(Buffer.concat(parts).toString()) });
    const reply = replies.shift() ?? 200;
    if (reply === 'hang up') request.socket.destroy();
    else response.writeHead(reply).end(reply === 200 ? 'ok' : 'no_service');
  });
});

let server: Awaited<ReturnType<typeof startTestPostgres>>;
let lab: Lab;
let worker: RunningWorker | undefined;
let port = 0;
beforeAll(async () => {
  server = await startTestPostgres();
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  port = (service.address() as AddressInfo).port;
});
afterAll(async () => {
  await new Promise((resolve) => service.close(resolve));
  await server.stop();
});
beforeEach(() => {
  taken.length = 0;
  replies = [];
});
afterEach(async () => {
  expect(await lab.broken()).toEqual([]);
  await worker?.stop();
  await lab.close();
});

const definition: WorkflowDefinition = workflowDefinitionSchema.parse({
  communicationProfileId: 'prf_told',
  steps: [
    { id: 'inject', kind: 'Inject' },
    { id: 'end', kind: 'Complete' },
  ],
  edges: [{ id: 'e', from: 'inject', outcome: 'done', to: 'end' }],
});

/** A lab whose profile writes into these channels; `paths` are where their hooks lead. */
async function open(hooks: { format: 'slack' | 'teams'; path: string; events: string[] }[], events = {}) {
  lab = await openLab(server, { definition });
  const keys = await openInstanceKeys({ dataDir: lab.folder });
  const { subscriberId } = lab;
  const kept: object[] = [];
  for (const { format, path, events: about } of hooks) {
    const text = `http://127.0.0.1:${port}${path}`;
    const secretId = await lab.deps.database.withSubscriber({ subscriberId }, (tx) =>
      keepSecret(tx, keys, { subscriberId, purpose: hookPurpose, text }),
    );
    kept.push({ name: `#${format}`, format, secretId, events: about });
  }
  const settings = communicationProfileSchema.parse({ hooks: kept, events });
  const profile = { id: 'prf_told', kind: 'communication', name: 'Told', version: 1, settings };
  await lab.sql.query(`alter table workflow_versions disable trigger immutable`);
  await lab.sql.query(`update workflow_versions set profiles = $1::jsonb`, [JSON.stringify({ prf_told: profile })]);
  const deps = { ...lab.deps, app: { title: 'House', baseUrl: 'https://print.test' } };
  worker = await startMessageWorker(lab, deps, {
    communication: composeMessages(deps),
    chat: writeToChannels(deps, { keys, allowedHosts: [{ host: '127.0.0.1', port, scheme: 'http' }] }),
  });
}
const chats = async () =>
  (
    await lab.sql.query(
      `select state::text, attempt, last_error, payload from effects where kind = 'chat' order by key`,
    )
  ).rows;
const stand = (states: string[]) =>
  expect.poll(async () => (await chats()).map(({ state }) => state), { timeout: 60_000 }).toEqual(states);
const hurry = () => lab.sql.query(`update effects set next_at = clock_timestamp() where state = 'Pending'`);

test('each channel is written to about its events, once, in the form of its service, though no mail is written; addresses are kept apart', async () => {
  await open(
    [
      { format: 'slack', path: '/services/secret-one', events: ['Completed'] },
      { format: 'teams', path: '/workflows/secret-two', events: ['Completed', 'Received', 'Failed'] },
    ],
    { Received: { isOn: false }, Completed: { isOn: false } },
  );
  const id = await lab.hand();
  await lab.settled();
  await stand(['Done', 'Done', 'Done']);
  expect(taken.map(({ path }) => path).toSorted()).toEqual([
    '/services/secret-one',
    '/workflows/secret-two',
    '/workflows/secret-two',
  ]);
  const slack = JSON.stringify(taken.find(({ path }) => path === '/services/secret-one')?.body);
  expect(slack).toContain('"type":"header"');
  expect(slack).toContain('test.pdf');
  expect(slack).toContain(`https://print.test/workflows/session/${id}`);
  expect(taken.find(({ path }) => path === '/workflows/secret-two')?.body.attachments).toHaveLength(1);
  const { rows } = await lab.sql.query(`select string_agg(payload::text, '') as kept from effects`);
  expect(rows[0].kept).not.toContain('secret-one');
  expect((await lab.sql.query(`select count(*)::int as mails from effects where kind = 'mail'`)).rows[0].mails).toBe(0);
});

test('the rules of an event keep channels from being written to as well', async () => {
  const when = { match: 'all', rules: [{ fact: 'file.name', operator: 'contains', value: 'nothing like it' }] };
  await open([{ format: 'slack', path: '/a', events: ['Completed'] }], {
    Received: { isOn: false },
    Completed: { when },
  });
  await lab.hand();
  await lab.settled();
  await expect
    .poll(async () => (await lab.sql.query(`select state::text from effects where kind = 'communication'`)).rows, {
      timeout: 60_000,
    })
    .toEqual([{ state: 'Done' }]);
  expect(await chats()).toEqual([]);
});

test('a service that is busy or breaks off is asked again; one that refuses is not, and what it said is kept without the address @night', async () => {
  replies = [429, 'hang up', 200];
  await open([{ format: 'slack', path: '/services/very-secret', events: ['Completed'] }], {
    Received: { isOn: false },
  });
  await lab.hand();
  await lab.settled();
  for (let tries = 1; tries < 3; tries += 1) {
    await expect.poll(async () => (await chats())[0]?.attempt, { timeout: 60_000 }).toBe(tries);
    await stand(['Pending']);
    await hurry();
  }
  await stand(['Done']);
  expect(taken).toHaveLength(3);

  replies = [404];
  await lab.hand();
  await lab.settled();
  await expect
    .poll(async () => (await chats()).map(({ state }) => state).toSorted(), { timeout: 60_000 })
    .toEqual(['Dead', 'Done']);
  const dead = (await chats()).find(({ state }) => state === 'Dead');
  expect(dead).toMatchObject({ attempt: 1, last_error: '404 no_service' });
  expect(taken).toHaveLength(4);
});

test('a hook whose address is on a network that is not allowed is not called', async () => {
  await open([{ format: 'teams', path: '/', events: ['Completed'] }]);
  await worker?.stop();
  const keys = await openInstanceKeys({ dataDir: lab.folder });
  const chat = writeToChannels(lab.deps, { keys, allowedHosts: [] });
  const { rows } = await lab.sql.query(`select profiles from workflow_versions`);
  const [{ format, secretId }] = rows[0].profiles.prf_told.settings.hooks;
  const payload = { hook: { format, secretId }, name: 'a', event: 'Completed', message: { title: 'a', text: 'b' } };
  const claimed = { subscriberId: lab.subscriberId, payload } as Parameters<typeof chat.run>[0];
  await expect(chat.run(claimed, AbortSignal.timeout(5_000))).rejects.toMatchObject({
    isFinal: true,
    message: '127.0.0.1',
  });
  expect(taken).toEqual([]);
});

/**
 * Killed once it was written and before that was noted, a message may be there twice, once more at most: channels know no
 * repetitions. At every other point it is there once.
 */
const places = ['beforeEffect', 'insideEffectCommit', 'afterEffect', 'afterEffectCommit'] as const;
test.each(isNight ? places : (['beforeEffect', 'afterEffect'] as const))(
  'killed at %s: nothing is lost, and a channel reads no message more than twice @night',
  async (place) => {
    await open([{ format: 'slack', path: '/a', events: ['Completed'] }], { Received: { isOn: false } });
    await lab.hand();
    // The process that is killed carries out the message only: what it is made from is done by then.
    await expect
      .poll(async () => (await lab.sql.query(`select count(*)::int as n from effects where kind = 'chat'`)).rows[0].n, {
        timeout: 60_000,
      })
      .toBe(1);
    await stand(['Done']);
    await worker?.stop();
    taken.length = 0;
    await lab.sql.query(
      `update effects set state = 'Pending', attempt = 0, done_at = null, remote_ref = null, next_at = clock_timestamp()
        where kind = 'chat'`,
    );
    const allowedHosts = [{ host: '127.0.0.1', port, scheme: 'http' as const }];
    const killed = startProcess(lab, { allowedHosts, failpoints: `${place}:kill` });
    expect(await killed.ended).toBe('SIGKILL');
    const next = startProcess(lab, { allowedHosts });
    try {
      const hurried = async () => {
        await lab.sql.query(`update effects set lease_until = now() - interval '1 s' where state = 'Sending'`);
        await hurry();
        return (await chats()).map(({ state }) => state);
      };
      await expect.poll(hurried, { timeout: 60_000, interval: 1_000 }).toEqual(['Done']);
      const isWrittenTwice = place === 'afterEffect' || place === 'insideEffectCommit';
      expect(taken).toHaveLength(isWrittenTwice ? 2 : 1);
    } finally {
      next.child.kill('SIGKILL');
      await next.ended;
    }
  },
);
