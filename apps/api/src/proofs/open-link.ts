import { timingSafeEqual } from 'node:crypto';
import { type ProofState, problem } from '@pdf2press/contract';
import {
  isWaiting,
  linkHashOf,
  type ProofRow,
  type RecipientRow,
  readProof,
  settingsOf,
  stateOf,
  voters,
} from '@pdf2press/engine';
import type { SubscriberContext, Transaction } from '@pdf2press/prisma';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasProofGuard } from '../auth/cookies.ts';
import type { ApiDeps } from '../deps.ts';
import { notFound } from '../frame/errors.ts';
import { hide, refuseStranger, secretText } from '../frame/strangers.ts';

/** How a link stands for its reader. */
export type LinkState = 'open' | 'answered' | 'decided' | 'used' | 'expired' | 'superseded' | 'closed' | 'deleted';

/** A link that exists, with the proof it leads to. */
export interface OpenedLink {
  context: SubscriberContext;
  proof: ProofRow;
  recipient: RecipientRow;
  state: LinkState;
  /** The profile asks for a code, and this browser has not entered it. */
  isGuarded: boolean;
}

const dayMs = 86_400_000;
const after: Partial<Record<ProofState, LinkState>> = { Superseded: 'superseded', Closed: 'closed', Held: 'expired' };

/**
 * What becomes of a link after its reader's answer or the end of the proof: one for a single use shows no more than that, unless a
 * corrected file may still be sent.
 */
function stateAfter(proof: ProofRow, state: 'answered' | 'decided'): LinkState {
  const { isSingleUse, onDecline, allowReplaceFile } = settingsOf(proof);
  const isFileAsked = state === 'decided' && isWaiting(proof) && onDecline === 'AskReplacement' && allowReplaceFile;
  return isSingleUse && !isFileAsked ? 'used' : state;
}

function linkStateOf(proof: ProofRow, recipient: RecipientRow, hasNewer: boolean, now: number): LinkState {
  if (proof.session.deletedAt !== null) return 'deleted';
  if (hasNewer || proof.session.runNo > proof.runNo) return 'superseded';
  if (proof.closedAt !== null) {
    const readableUntil = proof.closedAt.getTime() + settingsOf(proof).decidedDays * dayMs;
    return now < readableUntil ? stateAfter(proof, 'decided') : 'expired';
  }
  const over = after[stateOf(proof)];
  if (over) return over;
  if (now >= recipient.linkExpiresAt.getTime()) return 'expired';
  const hasAnswered = voters(proof).some((voter) => voter.recipient.id === recipient.id && voter.decision !== null);
  return hasAnswered ? stateAfter(proof, 'answered') : 'open';
}

interface FoundLink {
  id: string;
  subscriberId: string;
  proofId: string;
  /** By which addresses name the session. */
  sessionId: string;
  isRevoked: boolean;
  /** There is a newer version of the proof. */
  hasNewer: boolean;
}

const isSame = (one: string, other: string) => {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
};

export interface LinkCall {
  request: FastifyRequest;
  reply: FastifyReply;
  params: { sessionId: string; proofStepId: string };
}

/** The row of a link. Wrong, revoked, and belonging to another session are one answer. */
async function findLink(deps: ApiDeps, { request, reply, params }: LinkCall): Promise<FoundLink> {
  hide(reply);
  const { sessionId, proofStepId } = params;
  const hash = linkHashOf(proofStepId);
  const [row] = await deps.db.asHost(
    (tx) => tx.$queryRaw<FoundLink[]>`
      select link.id, link.subscriber_id as "subscriberId", link.proof_id as "proofId", session.public_id as "sessionId",
             link.link_revoked_at is not null as "isRevoked",
             exists (select 1 from proofs this join proofs newer
                         on newer.session_id = this.session_id and newer.node_id = this.node_id
                        and newer.version > this.version
                      where this.id = link.proof_id) as "hasNewer"
        from proof_recipients link join sessions session on session.id = link.session_id
       where link.link_hash = ${hash}`,
  );
  const isRight = row && secretText.test(proofStepId) && isSame(row.sessionId, sessionId);
  if (!isRight || row.isRevoked) return refuseStranger(deps, 'proof link', request);
  return row;
}

/**
 * The proof that a link leads to, whatever became of it, and what is read of it in the same transaction.
 * The secret is looked up by its hash, so that the time of the look-up tells nothing of it; whatever is refused costs the
 * same one query.
 * @throws ProblemError `resource.notFound`, `request.rateLimited`
 */
export async function readLink<T>(
  deps: ApiDeps,
  call: LinkCall,
  read: (tx: Transaction, link: OpenedLink) => Promise<T>,
): Promise<T> {
  const row = await findLink(deps, call);
  const context = { subscriberId: row.subscriberId };
  return deps.db.withSubscriber(context, async (tx) => {
    const proof = await readProof(tx, row.proofId);
    const recipient = proof?.recipients.find(({ id }) => id === row.id);
    if (!proof || !recipient) throw notFound();
    const isGuarded =
      settingsOf(proof).linkProtection === 'code' &&
      !hasProofGuard(deps, call.request, { recipientId: recipient.id, linkNo: recipient.linkNo });
    const state = linkStateOf(proof, recipient, row.hasNewer, Date.now());
    return read(tx, { context, proof, recipient, state, isGuarded });
  });
}

/** The proof that a link leads to, whatever became of it. @throws ProblemError as `readLink` */
export const openLink = (deps: ApiDeps, call: LinkCall): Promise<OpenedLink> =>
  readLink(deps, call, async (_, link) => link);

type Gone = 'expired' | 'superseded' | 'closed' | 'deleted';
const gone: ReadonlySet<LinkState> = new Set<Gone>(['expired', 'superseded', 'closed', 'deleted']);
/** What became of a proof that its link leads to and that is not to be seen any more; null while it is. */
export const goneState = ({ state }: OpenedLink): Gone | null => (gone.has(state) ? (state as Gone) : null);

/** The proof of a link that is not over, whether or not its code was entered. @throws ProblemError also `proof.expired` and the like */
export async function openPresent(deps: ApiDeps, call: LinkCall): Promise<OpenedLink> {
  const link = await openLink(deps, call);
  const state = goneState(link);
  if (state) throw problem(`proof.${state}`);
  return link;
}

/**
 * The proof of a link whose code was entered, also after its single use: a repetition of the decision is answered as the first.
 * @throws ProblemError also `proof.expired` and the like, `proof.codeNeeded`
 */
export async function openUnguarded(deps: ApiDeps, call: LinkCall): Promise<OpenedLink> {
  const link = await openPresent(deps, call);
  if (link.isGuarded) throw problem('proof.codeNeeded');
  return link;
}

/** The proof of a link that may be looked at. @throws ProblemError as `openUnguarded`, and `proof.used` */
export async function openReadable(deps: ApiDeps, call: LinkCall): Promise<OpenedLink> {
  const link = await openUnguarded(deps, call);
  if (link.state === 'used') throw problem('proof.used');
  return link;
}
