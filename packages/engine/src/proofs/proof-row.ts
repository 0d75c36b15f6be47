import {
  type ApprovalPolicy,
  type ProofProfile,
  type ProofState,
  problem,
  type ResultLevel,
} from '@pdf2press/contract';
import { type Prisma, storedAs, type Transaction } from '@pdf2press/prisma';
import type { Judged } from './acceptance.ts';
import type { Rules } from './outcome.ts';

const include = {
  recipients: { orderBy: [{ no: 'asc' }, { id: 'asc' }] },
  decisions: { orderBy: { no: 'asc' } },
  stepRun: { select: { status: true, wait: { select: { id: true, decidedAt: true } } } },
  session: {
    select: {
      publicId: true,
      runNo: true,
      deletedAt: true,
      fileName: true,
      pageCount: true,
      organizationId: true,
      organization: { select: { name: true, color: true } },
    },
  },
} as const satisfies Prisma.ProofInclude;

/** A proof with everybody who is asked, what was decided, and where its session stands. */
export type ProofRow = Prisma.ProofGetPayload<{ include: typeof include }>;
export type RecipientRow = ProofRow['recipients'][number];

export const readProof = (tx: Transaction, id: string): Promise<ProofRow | null> =>
  tx.proof.findFirst({ where: { id }, include });

/** All versions of a session's proofs, the newest first. */
export const readProofs = (tx: Transaction, sessionId: string): Promise<ProofRow[]> =>
  tx.proof.findMany({ where: { sessionId }, include, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }], take: 200 });

export const settingsOf = ({ settings }: Pick<ProofRow, 'settings'>): ProofProfile => storedAs<ProofProfile>(settings);

export const judgedOf = ({ policy, level, judgedById }: ProofRow): Judged => ({
  policy: policy as ApprovalPolicy,
  level: level as ResultLevel,
  judgedById,
});

/** Whether the step still waits for a decision; one that is declined may wait for the house or for another file. */
export const isWaiting = ({ stepRun }: ProofRow): boolean =>
  stepRun.status === 'Waiting' && stepRun.wait !== null && stepRun.wait.decidedAt === null;

/** An address as others are shown it: `a…@example.com`. */
export const maskedAddress = (email: string): string => email.replace(/^(.)[^@]*/, '$1…');

/** How a proof stands, with what became of its session. */
export function stateOf(proof: ProofRow): ProofState {
  const { state, runNo, session } = proof;
  if (state !== 'Open' && state !== 'Held') return state as ProofState;
  if (isWaiting(proof)) return state;
  return session.runNo > runNo ? 'Superseded' : 'Closed';
}

/** Those whose decision counts: asked or to be asked, whose link was not taken away before they decided. */
export const voters = ({ recipients, decisions }: ProofRow) =>
  recipients
    .map((recipient) => ({
      recipient,
      isGatekeeper: recipient.isGatekeeper,
      decision: (decisions.find(({ recipientId }) => recipientId === recipient.id)?.decision ?? null) as
        | 'Approved'
        | 'Declined'
        | null,
    }))
    .filter(({ recipient, decision }) => recipient.linkRevokedAt === null || decision !== null);

/** How the decisions on a proof count. */
export function rulesOf(proof: ProofRow): Rules {
  const { mode, quorum, approvers } = settingsOf(proof);
  const isGateNamed = approvers.some(({ isGatekeeper }) => isGatekeeper);
  return {
    mode,
    quorum,
    asksOthers: approvers.some(({ isGatekeeper }) => !isGatekeeper),
    // A gatekeeper whose link was taken away was there: the house has decided to go on without.
    lacksGatekeeper: isGateNamed && !proof.recipients.some(({ isGatekeeper }) => isGatekeeper),
  };
}

/** Those who were asked and have not decided. */
export const pending = (proof: ProofRow): RecipientRow[] =>
  voters(proof)
    .filter(({ recipient, decision }) => recipient.askedAt !== null && decision === null)
    .map(({ recipient }) => recipient);

/** @throws ProblemError `resource.notFound` */
export async function demandProof(tx: Transaction, id: string): Promise<ProofRow> {
  const proof = await readProof(tx, id);
  if (!proof) throw problem('resource.notFound');
  return proof;
}
