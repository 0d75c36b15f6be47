import type { AddressInfo } from 'node:net';
import { startTestPostgres } from '@pdf2press/prisma/testing';
import { communicationProfileSchema } from '@pdf2press/steps/communication-profile';
import { SMTPServer } from 'smtp-server';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Lab, openLab } from '../testing/lab.ts';
import { startProcess, type WorkerProcess } from '../testing/processes.ts';
import { asked, proving } from '../testing/proving.ts';

/** Processes that are killed between decision, record, message and next step: each happens once, and nothing is lost. */
let server: Awaited<ReturnType<typeof startTestPostgres>>;
let lab: Lab;
let started: WorkerProcess[] = [];
let smtpPort = 0;
const received: { to: string; id: string; link: string }[] = [];
const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData: (stream, session, done) => {
    const parts: Buffer[] = [];
    stream.on('data', (part: Buffer) => parts.push(part));
    stream.on('end', () => {
      const text = Buffer.concat(parts).toString().replace(/=\r\n/g, '');
      received.push({
        to: session.envelope.rcptTo.map(({ address }) => address).join(),
        id: /Message-ID: (\S+)/i.exec(text)?.[1] ?? '',
        link: /client-proofing\/\S+/.exec(text)?.[0] ?? '',
      });
      done();
    });
  },
});
beforeAll(async () => {
  server = await startTestPostgres();
  await new Promise<void>((resolve) => {
    smtp.listen(0, '127.0.0.1', resolve);
  });
  smtpPort = (smtp.server.address() as AddressInfo).port;
});
afterAll(async () => {
  await new Promise<void>((resolve) => smtp.close(resolve));
  await server.stop();
});
beforeEach(() => {
  received.length = 0;
  started = [];
});
afterEach(async () => {
  for (const { child } of started) child.kill('SIGKILL');
  await Promise.all(started.map(({ ended }) => ended));
  expect(await lab.broken()).toEqual([]);
  expect((await lab.sql.query('select * from proof_decision_breaks')).rows).toEqual([]);
  await lab.close();
});

function start(options: Parameters<typeof startProcess>[1] = {}): WorkerProcess {
  const one = startProcess(lab, { smtpPort, timing: { lease: 10_000, heartbeat: 1_000 }, ...options });
  started.push(one);
  return one;
}
const rows = async (text: string) => (await lab.sql.query(text)).rows;
/** What a dead worker held is free, and what is to be tried later is tried now. */
const hurry = async () => {
  await lab.sql.query(`update step_runs set lease_until = now() - interval '1 s' where status = 'Running'`);
  await lab.sql.query(
    `update effects set next_at = now(), lease_until = now() - interval '1 s' where state in ('Pending', 'Sending')`,
  );
};
const sent = () => rows(`select state::text, count(*)::int from effects where kind = 'mail' group by state`);

test.each([
  ['insideCommit', 1],
  ['afterCommit', 1],
  ['beforeEffect', 1],
  ['afterEffect', 2],
  ['insideEffectCommit', 2],
  ['afterEffectCommit', 1],
] as const)(
  'killed %s of asking: one proof, one message for each, with one link (arrivals: at most %i)',
  async (place, most) => {
    lab = await openLab(server, proving({ approvers: asked('anna@example.com') }));
    await lab.hand();
    const isOfStep = place.endsWith('Commit') && !place.includes('Effect');
    // The first step is over when the worker dies, so that the next one begins with the proof.
    if (isOfStep) expect(await start({ failpoints: 'afterCommit:kill' }).ended).toBe('SIGKILL');
    expect(await start({ failpoints: `${place}:kill` }).ended).toBe('SIGKILL');
    await hurry();
    start();
    await expect.poll(sent, { timeout: 60_000 }).toEqual([{ state: 'Done', count: 1 }]);
    expect(await rows('select version, state from proofs')).toEqual([{ version: 1, state: 'Open' }]);
    expect(await rows('select no from proof_recipients')).toEqual([{ no: 1 }]);
    expect(received.length).toBeGreaterThan(0);
    expect(received.length).toBeLessThanOrEqual(most);
    expect(new Set(received.map(({ id }) => id)).size).toBe(1);
    expect(new Set(received.map(({ link }) => link)).size).toBe(1);
    expect(await rows(`select status::text from sessions`)).toEqual([{ status: 'OnHold' }]);
  },
);

/** A session at its proof; its worker is gone. The house is told of an approval where a reader for that is named. */
async function waiting(profile: Record<string, unknown>, told?: string) {
  const { definition, profiles } = proving({ approvers: asked('anna@example.com', 'ben@example.com'), ...profile });
  const events = { Received: { isOn: false }, Completed: { isOn: false }, ProofApproved: { isOn: true, to: [told] } };
  lab = await openLab(server, {
    definition: { ...definition, ...(told && { communicationProfileId: 'prf_told' }) },
    profiles: {
      ...profiles,
      ...(told && {
        prf_told: {
          ...({ id: 'prf_told', kind: 'communication', name: 'Told', version: 1 } as const),
          settings: communicationProfileSchema.parse({ events }),
        },
      }),
    },
  });
  await lab.hand();
  const worker = start();
  const count = profile.mode === 'Sequence' || profile.approvers ? 1 : 2;
  await expect.poll(sent, { timeout: 60_000 }).toEqual([{ state: 'Done', count }]);
  worker.child.kill('SIGTERM');
  await worker.ended;
  const [recipient] = await rows(`select id, proof_id as "proofId" from proof_recipients order by no limit 1`);
  return { subscriberId: lab.subscriberId, proofId: recipient.proofId as string, recipientId: recipient.id as string };
}

test.each(['insideDecision', 'insideWait', 'afterWait'] as const)(
  'killed %s of the deadline: one record, one end',
  async (place) => {
    await waiting({ deadlineHours: 1, onDeadline: 'AutoApprove' });
    await lab.sql.query('update waits set due_at = now()');
    expect(await start({ failpoints: `${place}:kill` }).ended).toBe('SIGKILL');
    await hurry();
    start();
    await lab.settled();
    await expect
      .poll(() => rows('select status::text from sessions'), { timeout: 60_000 })
      .toEqual([{ status: 'Completed' }]);
    expect(await rows('select no, decision from proof_decisions')).toEqual([{ no: 1, decision: 'Approved' }]);
    expect(await rows(`select 1 as one from session_events where kind = 'ProofDecided'`)).toHaveLength(1);
  },
);

const gated = { approvers: [{ ...asked('anna@example.com')[0], isGatekeeper: true }, ...asked('ben@example.com')] };

test.each(
  (['insideDecision', 'beforeDecisionCommit', 'afterDecision'] as const).flatMap((place) => [
    [place, 'a sequence', { mode: 'Sequence' }] as const,
    [place, 'a gatekeeper', { mode: 'All', ...gated }] as const,
  ]),
)(
  'killed %s of a decision by link with %s: the repeated click makes one record, and the next is asked once',
  async (place, _of, profile) => {
    const decide = { ...(await waiting(profile)), key: 'one click' };
    expect(await start({ decide, failpoints: `${place}:kill` }).ended).toBe('SIGKILL');
    const kept = place === 'afterDecision' ? 1 : 0;
    expect(await rows('select no from proof_decisions')).toHaveLength(kept);
    expect(await rows(`select 1 as one from effects where payload->>'to' = 'ben@example.com'`)).toHaveLength(kept);
    expect(await start({ decide }).ended).toBe('0');
    expect(await start({ decide }).ended).toBe('0');
    start();
    await expect.poll(sent, { timeout: 60_000 }).toEqual([{ state: 'Done', count: 2 }]);
    expect(received.filter(({ to }) => to === 'ben@example.com')).toHaveLength(1);
    expect(await rows('select no, decision from proof_decisions')).toEqual([{ no: 1, decision: 'Approved' }]);
    expect(await rows(`select 1 as one from session_events where kind = 'ProofDecided'`)).toHaveLength(1);
  },
);

test.each([
  ['insideDecision', 'decision'],
  ['beforeDecisionCommit', 'decision'],
  ['afterDecision', 'decision'],
  ['afterClaim', 'step'],
  ['insideCommit', 'step'],
  ['afterCommit', 'step'],
  ['beforeEffect', 'message'],
  ['afterEffect', 'message'],
  ['insideEffectCommit', 'message'],
  ['afterEffectCommit', 'message'],
] as const)(
  'killed %s (%s) at the last decision by link or what follows it: one record, one end, and the house is told once',
  async (place, of) => {
    const decide = {
      ...(await waiting({ approvers: asked('anna@example.com') }, 'ops@example.com')),
      key: 'one click',
    };
    if (of === 'decision') expect(await start({ decide, failpoints: `${place}:kill` }).ended).toBe('SIGKILL');
    expect(await start({ decide }).ended).toBe('0');
    // What is written about the decision and what is sent of it are two effects: a worker dies at each.
    for (const _ of { decision: [], step: [1], message: [1, 2] }[of]) {
      expect(await start({ failpoints: `${place}:kill` }).ended).toBe('SIGKILL');
      await hurry();
    }
    start();
    await lab.settled();
    const open = () => rows(`select kind from effects where state <> 'Done'`);
    await expect
      .poll(
        async () => {
          await hurry();
          return [await rows('select status::text from sessions'), await open()];
        },
        { timeout: 60_000, interval: 2_000 },
      )
      .toEqual([[{ status: 'Completed' }], []]);
    expect(await start({ decide }).ended).toBe('0');
    expect(await rows('select no, decision from proof_decisions')).toEqual([{ no: 1, decision: 'Approved' }]);
    expect(await rows(`select 1 as one from session_events where kind = 'ProofDecided'`)).toHaveLength(1);
    const told = received.filter(({ to }) => to === 'ops@example.com');
    expect(told.length).toBeGreaterThan(0);
    // A message that may have arrived is sent once more, under the same id.
    expect(new Set(told.map(({ id }) => id)).size).toBe(1);
    expect(await rows(`select 1 as one from effects where payload->>'to' = 'ops@example.com'`)).toHaveLength(1);
  },
);
