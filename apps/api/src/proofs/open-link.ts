import { timingSafeEqual } from 'node:crypto';
import { type ProofState, problem } from '@pdf2press/contract';
import {
  linkHashOf,
  type ProofRow,
  type RecipientRow,
  readProof,
  settingsOf,
  stateOf,
  voters,
} from '@pdf2press/engine';
import type { SubscriberContext } from '@pdf2press/prisma';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasProofGuard } from '../auth/cookies.ts';
import type { ApiDeps } from '../deps.ts';
import { notFound } from '../frame/errors.ts';
import { hide, refuseStranger, secretText } from '../frame/strangers.ts';

/** How a link stands for its reader. */
export type LinkState = 'open' | 'answered' | 'decided' | 'expired' | 'superseded' | 'closed' | 'deleted';

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

function linkStateOf(proof: ProofRow, recipient: RecipientRow, hasNewer: boolean, now: number): LinkState {
  if (proof.session.deletedAt !== null) return 'deleted';
  if (hasNewer || proof.session.runNo > proof.runNo) return 'superseded';
  if (proof.closedAt !== null) {
    const readableUntil = proof.closedAt.getTime() + settingsOf(proof).decidedDays * dayMs;
    return now < readableUntil ? 'decided' : 'expired';
  }
  const over = after[stateOf(proof)];
  if (over) return over;
  if (now >= recipient.linkExpiresAt.getTime()) return 'expired';
  const hasAnswered = voters(proof).some((voter) => voter.recipient.id === recipient.id && voter.decision !== null);
  return hasAnswered ? 'answered' : 'open';
}

interface FoundLink {
  id: string;
  subscriberId: string;
  proofId: string;
  /** By which addresses name the session. */
  sessionId: string;
  isRevoked: boolean;
}

const isSame = (one: string, other: string) => {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
};

/**
 * The proof that a link leads to, whatever became of it. Wrong, revoked, and belonging to another session are one answer.
 * The secret is looked up by its hash, so that the time of the look-up tells nothing of it; whatever is refused costs the
 * same one query.
 * @throws ProblemError `resource.notFound`, `request.rateLimited`
 */
export async function openLink(
  deps: ApiDeps,
  {
    request,
    reply,
    params,
  }: { request: FastifyRequest; reply: FastifyReply; params: { sessionId: string; proofStepId: string } },
): Promise<OpenedLink> {
  hide(reply);
  const { sessionId, proofStepId } = params;
  const hash = linkHashOf(proofStepId);
  const [row] = await deps.db.asHost(
    (tx) => tx.$queryRaw<FoundLink[]>`
      select link.id, link.subscriber_id as "subscriberId", link.proof_id as "proofId", session.public_id as "sessionId",
             link.link_revoked_at is not null as "isRevoked"
        from proof_recipients link join sessions session on session.id = link.session_id
       where link.link_hash = ${hash}`,
  );
  const isRight = row && secretText.test(proofStepId) && isSame(row.sessionId, sessionId);
  if (!isRight || row.isRevoked) return refuseStranger(deps, 'proof link', request);
  const context = { subscriberId: row.subscriberId };
  return deps.db.withSubscriber(context, async (tx) => {
    const proof = await readProof(tx, row.proofId);
    const recipient = proof?.recipients.find(({ id }) => id === row.id);
    if (!proof || !recipient) throw notFound();
    const { nodeId, version } = proof;
    const newer = await tx.proof.count({ where: { sessionId: proof.sessionId, nodeId, version: { gt: version } } });
    const isGuarded =
      settingsOf(proof).linkProtection === 'code' &&
      !hasProofGuard(deps, request, { recipientId: recipient.id, linkNo: recipient.linkNo });
    return { context, proof, recipient, state: linkStateOf(proof, recipient, newer > 0, Date.now()), isGuarded };
  });
}

const readable: ReadonlySet<LinkState> = new Set(['open', 'answered', 'decided']);
export const isReadable = ({ state }: OpenedLink): boolean => readable.has(state);

/** The proof of a link that is not over, whether or not its code was entered. @throws ProblemError also `proof.expired` and the like */
export async function openPresent(deps: ApiDeps, call: Parameters<typeof openLink>[1]): Promise<OpenedLink> {
  const link = await openLink(deps, call);
  if (!isReadable(link)) throw problem(`proof.${link.state as 'expired' | 'superseded' | 'closed' | 'deleted'}`);
  return link;
}

/** The proof of a link that may be looked at. @throws ProblemError also `proof.expired` and the like, `proof.codeNeeded` */
export async function openReadable(deps: ApiDeps, call: Parameters<typeof openLink>[1]): Promise<OpenedLink> {
  const link = await openPresent(deps, call);
  if (link.isGuarded) throw problem('proof.codeNeeded');
  return link;
}
