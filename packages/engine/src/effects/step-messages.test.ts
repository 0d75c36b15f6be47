import type { AddressInfo } from 'node:net';
import { isNight } from '@pdf2press/config/by-day';
import { startTestPostgres } from '@pdf2press/prisma/testing';
import { SMTPServer } from 'smtp-server';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { chain, type Lab, openLab } from '../testing/lab.ts';
import { places } from '../testing/places.ts';
import { startProcess, type WorkerProcess } from '../testing/processes.ts';

/* Messages that steps send, through a real server, while workers are killed. */

const received: string[] = [];
const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData: (stream, _session, done) => {
    const parts: Buffer[] = [];
    stream.on('data', (part: Buffer) => parts.push(part));
    stream.on('end', () => {
      received.push(Buffer.concat(parts).toString());
      done();
    });
  },
});

let server: Awaited<ReturnType<typeof startTestPostgres>>;
let smtpPort = 0;
beforeAll(async () => {
  server = await startTestPostgres();
  smtpPort = await new Promise<number>((resolve) => {
    const listening = smtp.listen(0, '127.0.0.1', () => resolve((listening.address() as AddressInfo).port));
  });
});
afterAll(async () => {
  await new Promise<void>((resolve) => smtp.close(() => resolve()));
  await server.stop();
});

let lab: Lab | undefined;
let started: WorkerProcess[] = [];
beforeEach(() => {
  received.length = 0;
  started = [];
});
afterEach(async () => {
  for (const { child } of started) child.kill('SIGKILL');
  await Promise.all(started.map(({ ended }) => ended));
  await lab?.close();
});

function start(at: Lab, options: Parameters<typeof startProcess>[1] = {}) {
  const one = startProcess(at, { timing: { lease: 10_000, heartbeat: 1_000 }, smtpPort, ...options });
  started.push(one);
  return one;
}

const message = { to: ['ana@example.com'], subject: 'About {{file.name}}', text: 'It is {{session.shortId}}.' };
const kinds = {
  Action: {
    definition: chain(['Inject', 'Action', 'Complete'], { 1: { does: 'message', ...message } }),
    status: 'Completed',
  },
  Cancel: {
    definition: chain(['Inject', 'Cancel'], { 1: { ...message, reason: 'No', status: 'CanceledByUser' } }),
    status: 'CanceledByUser',
  },
} as const;

const dying = {
  Action: places('insideCommit', 'beforeEffect', 'afterEffect', 'insideEffectCommit'),
  Cancel: places(
    'beforeCommit',
    'insideCommit',
    'afterCommit',
    'beforeEffect',
    'afterEffect',
    'insideEffectCommit',
    'afterEffectCommit',
  ),
} as const;
// By day of the step that ends its session, too.
test.each(
  (isNight ? (['Action', 'Cancel'] as const) : (['Cancel'] as const)).flatMap((kind) =>
    dying[kind].map((place) => [kind, place] as const),
  ),
)(
  '%s, a worker killed (SIGKILL) %s: its message is sent under one name, and the session ends once',
  async (kind, place) => {
    const { definition, status } = kinds[kind];
    lab = await openLab(server, { definition });
    const at = lab;
    const id = await at.hand();
    // The first step is over when the worker dies, so that the next one begins with the step that writes.
    expect(await start(at, { failpoints: 'afterCommit:kill' }).ended).toBe('SIGKILL');
    expect(await start(at, { failpoints: `${place}:kill` }).ended).toBe('SIGKILL');
    const release = () =>
      Promise.all([
        at.sql.query(`update step_runs set lease_until = now() - interval '1 s' where status = 'Running'`),
        at.sql.query(`update effects set next_at = now() where state = 'Pending'`),
        at.sql.query(`update effects set lease_until = now() - interval '1 s' where state = 'Sending' and epoch = 1`),
      ]);
    await release();
    start(at);
    await expect
      .poll(async () => (await at.sql.query('select state::text from effects')).rows, { timeout: 60_000 })
      .toEqual([{ state: 'Done' }]);
    await at.settled();
    expect(await at.status(id)).toBe(status);
    const isRepeated = place === 'afterEffect' || place === 'insideEffectCommit';
    expect(received).toHaveLength(isRepeated ? 2 : 1);
    expect(new Set(received.map((text) => /Message-ID: (\S+)/.exec(text)?.[1])).size).toBe(1);
    expect(received[0]).toContain('Subject: About test.pdf');
    expect(received[0]).toContain(`It is ${id.slice(-4).toUpperCase()}.`);
    const ends = await at.sql.query(
      `select count(*)::int as n from session_events where kind in ('Completed', 'Cancelled')`,
    );
    expect(ends.rows).toEqual([{ n: 1 }]);
    expect(await at.broken()).toEqual([]);
  },
);

test('a cancellation does not wait for the mail server, and what cannot be sent is tried again', async () => {
  lab = await openLab(server, { definition: kinds.Cancel.definition });
  const at = lab;
  // Nobody listens there.
  start(at, { smtpPort: 1 });
  const id = await at.hand();
  await at.settled();
  expect(await at.status(id)).toBe('CanceledByUser');
  await expect
    .poll(async () => (await at.sql.query('select state::text, attempt from effects')).rows, { timeout: 60_000 })
    .toEqual([{ state: 'Pending', attempt: 1 }]);
  expect(await at.broken()).toEqual([]);
});

test('a trial of a cancellation sends nothing, and shows what it would send', async () => {
  lab = await openLab(server, { definition: kinds.Cancel.definition });
  const id = await lab.hand();
  await lab.sql.query('update sessions set is_trial = true');
  start(lab);
  await lab.settled();
  expect(await lab.status(id)).toBe('CanceledByUser');
  expect((await lab.sql.query('select 1 from effects')).rows).toEqual([]);
  const { rows } = await lab.sql.query(`select output from step_runs where kind = 'Cancel'`);
  expect(rows[0].output.summary).toMatchObject({ trial: { would: 'act' }, sent: [{ to: 'ana@example.com' }] });
});

test.each(places('beforeCommit', 'insideCommit', 'afterCommit'))(
  'a worker killed (SIGKILL) %s while it writes a job ticket: the session has it once @night',
  async (place) => {
    lab = await openLab(server, { definition: chain(['Inject', 'Action', 'Complete'], { 1: { does: 'ticket' } }) });
    const id = await lab.hand();
    expect(await start(lab, { failpoints: 'afterCommit:kill' }).ended).toBe('SIGKILL');
    expect(await start(lab, { failpoints: `${place}:kill` }).ended).toBe('SIGKILL');
    await lab.sql.query(`update step_runs set lease_until = now() - interval '1 s' where status = 'Running'`);
    start(lab);
    await lab.settled();
    expect(await lab.status(id)).toBe('Completed');
    const { rows } = await lab.sql.query(`select name, media_type as type from files where meta->>'role' = 'ticket'`);
    expect(rows).toEqual([{ name: 'test.xjdf', type: 'application/vnd.cip4-xjdf+xml' }]);
    expect(await lab.broken()).toEqual([]);
  },
);
