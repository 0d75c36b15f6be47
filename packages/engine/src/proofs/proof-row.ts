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
  // Their lists of notes are long, and links are read often.
  decisions: { orderBy: { no: 'asc' }, omit: { notes: true } },
} as const satisfies Prisma.ProofInclude;

/** Where the step and the session of a proof stand. */
interface Surroundings {
  stepRun: { status: string; wait: { id: string; decidedAt: Date | null } | null };
  session: {
    publicId: string;
    runNo: number;
    deletedAt: Date | null;
    fileName: string;
    pageCount: number | null;
    organizationId: string | null;
    organization: { name: string; color: string | null; pageLogoSha256: string | null } | null;
  };
}

/** A proof with everybody who is asked, what was decided, and where its session stands. */
export type ProofRow = Prisma.ProofGetPayload<{ include: typeof include }> & Surroundings;
export type RecipientRow = ProofRow['recipients'][number];

interface SurroundingsRow extends Omit<Surroundings['session'], 'organization'> {
  id: string;
  status: string;
  waitId: string | null;
  decidedAt: Date | null;
  organizationName: string | null;
  organizationColor: string | null;
  pageLogoSha256: string | null;
}

/** Proofs with where their steps and sessions stand, which is one question for all of them: links are read often. */
async function withSurroundings(
  tx: Transaction,
  proofs: readonly Prisma.ProofGetPayload<{ include: typeof include }>[],
): Promise<ProofRow[]> {
  if (proofs.length === 0) return [];
  const rows = await tx.$queryRaw<SurroundingsRow[]>`
    select proof.id, step.status::text as status, wait.id as "waitId", wait.decided_at as "decidedAt",
           session.public_id as "publicId", session.run_no as "runNo", session.deleted_at as "deletedAt",
           session.file_name as "fileName", session.page_count as "pageCount",
           session.organization_id as "organizationId",
           organization.name as "organizationName", organization.color as "organizationColor",
           organization.page_logo_sha256 as "pageLogoSha256"
      from proofs proof
      join step_runs step on step.id = proof.step_run_id
      join sessions session on session.id = proof.session_id
      left join waits wait on wait.step_run_id = step.id
      left join organizations organization on organization.id = session.organization_id
     where proof.id = any (${proofs.map(({ id }) => id)}::text[])`;
  const byId = new Map(rows.map((row) => [row.id, row]));
  return proofs.flatMap((proof) => {
    const row = byId.get(proof.id);
    if (!row) return [];
    const { id: _, status, waitId, decidedAt, organizationName, organizationColor, pageLogoSha256, ...session } = row;
    const wait = waitId === null ? null : { id: waitId, decidedAt };
    const organization =
      organizationName === null ? null : { name: organizationName, color: organizationColor, pageLogoSha256 };
    return [{ ...proof, stepRun: { status, wait }, session: { ...session, organization } }];
  });
}

export const readProof = async (tx: Transaction, id: string): Promise<ProofRow | null> =>
  (await withSurroundings(tx, await tx.proof.findMany({ where: { id }, include })))[0] ?? null;

/** All versions of a session's proofs, the newest first. */
export const readProofs = async (tx: Transaction, sessionId: string): Promise<ProofRow[]> =>
  withSurroundings(
    tx,
    await tx.proof.findMany({
      where: { sessionId },
      include,
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      take: 200,
    }),
  );

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
      // Whoever changed their mind has decided more than once.
      decision: (decisions.findLast(({ recipientId }) => recipientId === recipient.id)?.decision ?? null) as
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
