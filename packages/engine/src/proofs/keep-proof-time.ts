import { approvalNeeds, nearestLocale, type ProofDeputy, type ProofProfile } from '@pdf2press/contract';
import { newId, type Transaction } from '@pdf2press/prisma';
import { workBegins } from '@pdf2press/steps/communication-profile';
import type { EngineDeps } from '../deps.ts';
import { enqueueEffect } from '../effects/enqueue.ts';
import { failpoint } from '../failpoint.ts';
import { readSettings } from '../secrets/settings.ts';
import { writeEvents } from '../sessions/events.ts';
import { lockSession } from '../sessions/session-row.ts';
import type { DueWait } from '../waits/keep-time.ts';
import { askNext, proofEvent, writeTo } from './ask.ts';
import { decideByDeadline, tellHouse } from './decide-proof.ts';
import { recipientsOf } from './open-proof.ts';
import { isThroughGate } from './outcome.ts';
import {
  isWaiting,
  judgedOf,
  type ProofRow,
  pending,
  type RecipientRow,
  readProof,
  rulesOf,
  settingsOf,
  voters,
} from './proof-row.ts';

/** The people that entries of the profile stand for. */
const peopleNamed = (
  tx: Transaction,
  proof: ProofRow,
  { named, isGatekeeper, locale }: { named: readonly ProofDeputy[]; isGatekeeper: boolean; locale: string },
) =>
  recipientsOf(
    tx,
    {
      recipients: named.map((one) =>
        one.kind === 'address'
          ? { email: one.address, name: one.name, isGatekeeper }
          : { assigneeId: one.id, isGatekeeper },
      ),
      locale: nearestLocale(locale),
    },
    proof.session.organizationId,
  );

/** Tells those whom the profile names that these people were reminded. They get no link: it decides in the name of its owner. */
async function tellOfReminder(tx: Transaction, proof: ProofRow, reminded: readonly RecipientRow[]): Promise<void> {
  // A proof that was opened before there were copies has none.
  const cc: readonly ProofDeputy[] | undefined = settingsOf(proof).reminder.cc;
  const [first] = reminded;
  if (!first || !cc || cc.length === 0) return;
  const { culture } = await readSettings(tx, proof.subscriberId);
  const locale = settingsOf(proof).locale ?? culture;
  for (const person of await peopleNamed(tx, proof, { named: cc, isGatekeeper: false, locale }))
    await enqueueEffect(tx, {
      kind: 'mail',
      key: `mail ${first.id} proofReminded ${first.remindersSent + 1} ${person.email}`,
      sessionId: proof.sessionId,
      payload: {
        template: 'proofReminded',
        to: person.email,
        name: person.name || person.email,
        locale: nearestLocale(person.locale),
        params: {
          file: proof.session.fileName,
          people: reminded.map(({ name, email }) => name || email).join(', '),
        },
        path: `/workflows/session/${proof.sessionId}`,
      },
    });
}

/**
 * Writes once more to those who have not decided, up to this many times; to whoever looked already only where the profile
 * says so.
 */
async function remind(tx: Transaction, proof: ProofRow, most = Number.POSITIVE_INFINITY): Promise<void> {
  const { stopsOnView } = settingsOf(proof).reminder;
  const late = pending(proof).filter(
    ({ firstViewedAt, remindersSent }) => remindersSent < most && (!stopsOnView || firstViewedAt === null),
  );
  for (const recipient of late) {
    const no = recipient.remindersSent + 1;
    await writeTo(tx, { proof, recipient, template: 'proofReminder', no });
    await tx.$executeRaw`update proof_recipients set reminders_sent = ${no} where id = ${recipient.id}`;
    const data = { name: recipient.name, email: recipient.email, no };
    await writeEvents(tx, [
      proofEvent(proof, { kind: 'ProofReminded', cause: `${recipient.id} reminded ${no}`, data }),
    ]);
  }
  await tellOfReminder(tx, proof, late);
}

/** The next reminder comes after the profile's pause, as long as somebody may get one. */
async function remindAndPlan(tx: Transaction, proof: ProofRow, waitId: string): Promise<void> {
  const { everyHours, max } = settingsOf(proof).reminder;
  await remind(tx, proof, max);
  const isMore = pending(proof).some(({ remindersSent }) => remindersSent + 1 < max);
  await tx.$executeRaw`
    update waits
       set remind_at = case when ${isMore} then clock_timestamp() + make_interval(secs => ${everyHours * 3600}) end
     where id = ${waitId}`;
}

/** Closes the proof for its recipients; the house decides, or gives more time. */
async function holdProof(tx: Transaction, proof: ProofRow, waitId: string): Promise<void> {
  await tx.$executeRaw`update proofs set state = 'Held' where id = ${proof.id}`;
  await tx.$executeRaw`update waits set due_at = null, remind_at = null where id = ${waitId}`;
  await tellHouse(tx, proof);
  const cause = `${proof.id} held ${proof.dueAt?.toISOString()}`;
  await writeEvents(tx, [proofEvent(proof, { kind: 'ProofHeld', cause, data: {} })]);
}

/**
 * Asks others in place of those who are silent, whose links lead nowhere from then on. In a `Sequence` they come last; where a
 * gatekeeper was silent they are gatekeepers.
 */
async function escalate(tx: Transaction, proof: ProofRow, waitId: string): Promise<void> {
  const { escalateTo, linkDays } = settingsOf(proof);
  const silent = pending(proof);
  const isGatekeeper = silent.some((recipient) => recipient.isGatekeeper);
  const locale = silent[0]?.locale ?? 'en';
  const people = (await peopleNamed(tx, proof, { named: escalateTo, isGatekeeper, locale })).filter(({ email }) =>
    proof.recipients.every((other) => other.email !== email),
  );
  if (people.length === 0) return holdProof(tx, proof, waitId);
  for (const { id, name, email, linkNo } of silent) {
    await tx.$executeRaw`update proof_recipients set link_revoked_at = clock_timestamp() where id = ${id}`;
    const cause = `${id} revoked ${linkNo}`;
    await writeEvents(tx, [proofEvent(proof, { kind: 'ProofLinkRevoked', cause, data: { name, email } })]);
  }
  const last = Math.max(0, ...proof.recipients.map(({ no }) => no));
  for (const [at, person] of people.entries())
    await tx.$executeRaw`
      insert into proof_recipients
        (id, session_id, proof_id, no, is_gatekeeper, name, email, locale, link_expires_at)
      values (${newId('proofRecipient')}, ${proof.sessionId}, ${proof.id}, ${last + 1 + at}, ${person.isGatekeeper},
              ${person.name}, ${person.email}, ${nearestLocale(person.locale)},
              clock_timestamp() + make_interval(secs => ${linkDays * 86_400}))`;
  await tx.$executeRaw`update waits set due_at = null where id = ${waitId}`;
  await askNext(tx, proof.id);
}

/** Puts a reminder off that is due outside of the hours that the profile names. @returns whether it was */
async function isPutOff(tx: Transaction, proof: ProofRow, waitId: string): Promise<boolean> {
  // A proof that was opened before there were such hours has none.
  const hours: ProofProfile['reminder']['hours'] | undefined = settingsOf(proof).reminder.hours;
  if (!hours?.isOn) return false;
  const { timeZone } = await readSettings(tx, proof.subscriberId);
  const [row] = await tx.$queryRaw<{ now: Date }[]>`select clock_timestamp() as now`;
  const begins = row && workBegins(hours, row.now, timeZone || 'UTC');
  if (!begins) return false;
  await tx.$executeRaw`update waits set remind_at = ${begins}::timestamptz where id = ${waitId}`;
  return true;
}

async function atDeadline(tx: Transaction, proof: ProofRow, waitId: string): Promise<void> {
  const { policy, level } = judgedOf(proof);
  switch (settingsOf(proof).onDeadline) {
    case 'AutoApprove':
      // Silence accepts no findings and passes no gatekeeper.
      if (approvalNeeds[policy][level] === 'nothing' && isThroughGate(rulesOf(proof), voters(proof)))
        return decideByDeadline(tx, proof, 'Approved');
      return holdProof(tx, proof, waitId);
    case 'Escalate':
      return escalate(tx, proof, waitId);
    case 'AutoDecline':
      return decideByDeadline(tx, proof, 'Declined');
    case 'Expire':
      return decideByDeadline(tx, proof, 'Expired');
    case 'Hold':
      return holdProof(tx, proof, waitId);
    default:
      await tx.$executeRaw`update waits set due_at = null where id = ${waitId}`;
      return remind(tx, proof);
  }
}

/** Does what is due at a proof, once: its deadline before a reminder. */
export async function keepProofTime(deps: EngineDeps, wait: DueWait): Promise<void> {
  await deps.database.withSubscriber({ subscriberId: wait.subscriberId }, async (tx) => {
    const { sessionId, stepRunId } = await tx.wait.findUniqueOrThrow({
      where: { id: wait.id },
      select: { sessionId: true, stepRunId: true },
    });
    await lockSession(tx, sessionId);
    const row = await tx.proof.findFirst({ where: { stepRunId }, select: { id: true } });
    const proof = row && (await readProof(tx, row.id));
    const [times] = await tx.$queryRaw<{ isOver: boolean }[]>`
      select coalesce(due_at <= clock_timestamp(), false) as "isOver" from waits
       where id = ${wait.id} and decided_at is null and least(due_at, remind_at) <= clock_timestamp()`;
    if (!proof || !times || !isWaiting(proof) || proof.state !== 'Open') return;
    if (times.isOver) await atDeadline(tx, proof, wait.id);
    else if (!(await isPutOff(tx, proof, wait.id))) await remindAndPlan(tx, proof, wait.id);
    failpoint('insideWait');
  });
  failpoint('afterWait');
}
