import { randomUUID } from 'node:crypto';
import { type Locale, nearestLocale, problem } from '@pdf2press/contract';
import { newId, type SubscriberContext, type Transaction } from '@pdf2press/prisma';
import type { Actor, EngineDeps } from '../deps.ts';
import { readSettings } from '../secrets/settings.ts';
import { writeEvents } from '../sessions/events.ts';
import { closeNotices, lockSession } from '../sessions/session-row.ts';
import { askNext, askRecipient, proofEvent } from './ask.ts';
import { endOf, endProof } from './decide-proof.ts';
import { outcomeOf } from './outcome.ts';
import {
  demandProof,
  isWaiting,
  type ProofRow,
  type RecipientRow,
  rulesOf,
  settingsOf,
  stateOf,
  voters,
} from './proof-row.ts';

/** Something that the house does with a proof. */
export interface ProofCommand {
  sessionId: string;
  proofId: string;
  by: Actor;
  /** Runs last in the command's transaction, for the caller's audit row. */
  alongside?: (tx: Transaction) => Promise<void>;
}

/** @throws ProblemError `resource.notFound`, and why nothing can be done with the proof any more */
function command(
  deps: EngineDeps,
  context: SubscriberContext,
  { sessionId, proofId, alongside }: ProofCommand,
  work: (tx: Transaction, proof: ProofRow) => Promise<void>,
): Promise<void> {
  return deps.database.withSubscriber(context, async (tx) => {
    const session = await lockSession(tx, sessionId);
    const proof = session && (await tx.proof.count({ where: { id: proofId, sessionId } })) > 0;
    if (!proof) throw problem('resource.notFound');
    const row = await demandProof(tx, proofId);
    if (session.isDeleted) throw problem('session.deleted');
    const state = stateOf(row);
    if (state === 'Superseded' || state === 'Closed') throw problem(`proof.${state.toLowerCase() as 'closed'}`);
    if (!isWaiting(row) || state === 'Declined') throw problem('proof.alreadyDecided', endOf(row));
    await work(tx, row);
    await alongside?.(tx);
  });
}

function recipientOf(proof: ProofRow, recipientId: string): RecipientRow {
  const voter = voters(proof).find(({ recipient }) => recipient.id === recipientId);
  const recipient = voter?.recipient ?? proof.recipients.find(({ id }) => id === recipientId);
  if (!recipient) throw problem('resource.notFound');
  if (voter && voter.decision !== null) throw problem('proof.alreadyDecided', endOf(proof));
  return recipient;
}

const linkDays = (proof: ProofRow) => settingsOf(proof).linkDays;

/** Asks one more person. In a `Sequence` they come last; a gatekeeper is asked at once. @throws ProblemError `proof.recipientExists` */
export const addRecipient = (
  deps: EngineDeps,
  context: SubscriberContext,
  ask: ProofCommand & { email: string; name: string; locale?: Locale | undefined; isGatekeeper?: boolean },
): Promise<void> =>
  command(deps, context, ask, async (tx, proof) => {
    const email = ask.email.toLowerCase();
    if (proof.recipients.some((other) => other.email === email))
      throw problem('proof.recipientExists', { email }, 'email');
    const { culture } = await readSettings(tx, context.subscriberId);
    const id = newId('proofRecipient');
    const no = Math.max(0, ...proof.recipients.map((other) => other.no)) + 1;
    const locale = ask.locale ?? settingsOf(proof).locale ?? nearestLocale(culture);
    await tx.$executeRaw`
      insert into proof_recipients
        (id, session_id, proof_id, no, is_gatekeeper, name, email, locale, link_expires_at)
      values (${id}, ${proof.sessionId}, ${proof.id}, ${no}, ${ask.isGatekeeper ?? false}, ${ask.name}, ${email}, ${locale},
              clock_timestamp() + make_interval(secs => ${linkDays(proof) * 86_400}))`;
    await askNext(tx, proof.id);
  });

/**
 * Sends a new link; the one before works no more, and one that was taken away is given back.
 * @throws ProblemError `request.invalid` for somebody who was not asked yet
 */
export const resendLink = (
  deps: EngineDeps,
  context: SubscriberContext,
  ask: ProofCommand & { recipientId: string },
): Promise<void> =>
  command(deps, context, ask, async (tx, proof) => {
    const { id, askedAt } = recipientOf(proof, ask.recipientId);
    // Nobody is asked before their turn.
    if (askedAt === null) throw problem('request.invalid', {}, 'recipientId');
    await tx.$executeRaw`
      update proof_recipients
         set link_no = link_no + 1, link_hash = null, link_revoked_at = null, refused_at = null,
             link_expires_at = clock_timestamp() + make_interval(secs => ${linkDays(proof) * 86_400})
       where id = ${id}`;
    const again = await demandProof(tx, proof.id);
    await askRecipient(tx, again, recipientOf(again, id), ask.by);
  });

/** Takes a link away. Who has not decided is no longer waited for; that may decide the proof by what the others said. */
export const revokeLink = (
  deps: EngineDeps,
  context: SubscriberContext,
  ask: ProofCommand & { recipientId: string },
): Promise<void> =>
  command(deps, context, ask, async (tx, proof) => {
    const { id, name, email, linkNo } = recipientOf(proof, ask.recipientId);
    await tx.$executeRaw`
      update proof_recipients set link_revoked_at = clock_timestamp() where id = ${id} and link_revoked_at is null`;
    const cause = `${id} revoked ${linkNo}`;
    await writeEvents(tx, [
      proofEvent(proof, { kind: 'ProofLinkRevoked', cause, data: { name, email }, actor: ask.by }),
    ]);
    const again = await demandProof(tx, proof.id);
    const outcome = outcomeOf(rulesOf(again), voters(again));
    if (outcome === null) await askNext(tx, proof.id);
    else await endProof(tx, again, { outcome, by: ask.by });
  });

/** Gives more time from now on; a held proof is open again, and links work at least until the new deadline. */
export const extendProof = (
  deps: EngineDeps,
  context: SubscriberContext,
  ask: ProofCommand & { hours: number },
): Promise<void> =>
  command(deps, context, ask, async (tx, proof) => {
    const { onDeadline, deadlineHours, reminder } = settingsOf(proof);
    const seconds = ask.hours * 3600;
    // Without a deadline of its own the proof gets none: only its links work longer.
    const hasDeadline = deadlineHours !== null;
    await tx.$executeRaw`
      update proofs set state = 'Open',
                        due_at = case when ${hasDeadline} then clock_timestamp() + make_interval(secs => ${seconds}) end
       where id = ${proof.id}`;
    const acts = hasDeadline && onDeadline !== 'Nothing';
    await tx.$executeRaw`
      update waits
         set due_at = case when ${acts} then clock_timestamp() + make_interval(secs => ${seconds}) end,
             remind_at = coalesce(remind_at, case when ${reminder.firstAfterHours > 0} then
               clock_timestamp() + make_interval(secs => ${reminder.everyHours * 3600}) end)
       where id = ${proof.stepRun.wait?.id ?? ''}`;
    await tx.$executeRaw`
      update proof_recipients
         set link_expires_at = greatest(link_expires_at, clock_timestamp() + make_interval(secs => ${seconds}))
       where proof_id = ${proof.id}`;
    await closeNotices(tx, proof.stepRunId);
    const cause = `${proof.id} extended ${randomUUID()}`;
    await writeEvents(tx, [
      proofEvent(proof, { kind: 'ProofExtended', cause, data: { hours: ask.hours }, actor: ask.by }),
    ]);
  });
