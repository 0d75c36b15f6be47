import {
  type Locale,
  type ProofMode,
  type ProofRecipient,
  type ProofRecord,
  type SessionProof,
  workflowDefinitionSchema,
} from '@pdf2press/contract';
import {
  approvalOf,
  findingsToAccept,
  isWaiting,
  judgedOf,
  type ProofRow,
  readProofs,
  rulesOf,
  settingsOf,
  stateOf,
} from '@pdf2press/engine';
import { storedAs, type Transaction } from '@pdf2press/prisma';
import { found } from '../frame/rows.ts';

type MessageRow = { id: string; recipientId: string; template: string; state: string; at: Date; error: string | null };

/** Every message to recipients of these proofs, oldest first. */
const readMessages = (tx: Transaction, sessionId: string): Promise<MessageRow[]> =>
  tx.$queryRaw<MessageRow[]>`
    select id, coalesce(payload->'proofLink', payload->'proofCode')->>'recipientId' as "recipientId",
           case payload->>'event' when 'ProofReminder' then 'proofReminder' when 'ProofRequested' then 'proofRequest'
                else payload->>'template' end as template, state::text as state, coalesce(done_at, created_at) as at,
           last_error as error
      from effects where session_id = ${sessionId} and kind = 'mail' and payload ?| '{proofLink,proofCode}'
     order by created_at, id`;

const messageStates = { Pending: 'waiting', Sending: 'waiting', Done: 'sent', Dead: 'failed' } as const;

function messageOf({ id, template, state, at, error }: MessageRow): ProofRecipient['messages'][number] {
  const told = messageStates[state as keyof typeof messageStates];
  return { id, template, state: told, at: at.toISOString(), error: told === 'sent' ? null : error };
}

function linkOf({ linkHash, linkRevokedAt, linkExpiresAt }: ProofRow['recipients'][number]): ProofRecipient['link'] {
  if (linkRevokedAt !== null) return 'revoked';
  if (linkHash === null) return 'none';
  return linkExpiresAt.getTime() <= Date.now() ? 'expired' : 'works';
}

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

function recipientOf(
  { decisions }: ProofRow,
  row: ProofRow['recipients'][number],
  messages: readonly MessageRow[],
): ProofRecipient {
  const decided = decisions.findLast(({ recipientId }) => recipientId === row.id);
  return {
    id: row.id,
    no: row.no,
    isGatekeeper: row.isGatekeeper,
    name: row.name,
    email: row.email,
    locale: row.locale as Locale,
    state: (decided?.decision as 'Approved' | undefined) ?? (row.askedAt === null ? 'Waiting' : 'Asked'),
    askedAt: iso(row.askedAt),
    decidedAt: decided ? storedAs<ProofRecord>(decided.record).at : null,
    firstViewedAt: iso(row.firstViewedAt),
    lastViewedAt: iso(row.lastViewedAt),
    viewCount: row.viewCount,
    pagesSeen: row.pagesSeen,
    remindersSent: row.remindersSent,
    refusedAt: iso(row.refusedAt),
    link: linkOf(row),
    linkExpiresAt: row.askedAt === null ? null : iso(row.linkExpiresAt),
    messages: messages.filter(({ recipientId }) => recipientId === row.id).map(messageOf),
  };
}

const hex = (bytes: Uint8Array | null): string => Buffer.from(bytes ?? []).toString('hex');

async function proofOf(
  tx: Transaction,
  proof: ProofRow,
  about: { names: ReadonlyMap<string, string>; messages: readonly MessageRow[] },
): Promise<SessionProof> {
  const settings = settingsOf(proof);
  const judged = judgedOf(proof);
  const file = await tx.file.findFirst({ where: { id: proof.fileId }, select: { sha256: true, name: true } });
  return {
    id: proof.id,
    stepRunId: proof.stepRunId,
    stepName: about.names.get(proof.nodeId) ?? '',
    version: proof.version,
    runNumber: proof.runNo,
    state: stateOf(proof),
    isWaiting: isWaiting(proof),
    fileName: file?.name ?? proof.session.fileName,
    sha256: file?.sha256 ?? '',
    profileName: proof.profileName,
    policy: judged.policy,
    level: judged.level,
    approval: approvalOf(judged, await findingsToAccept(tx, judged)),
    mode: settings.mode as ProofMode,
    quorum: settings.quorum,
    lacksGatekeeper: rulesOf(proof).lacksGatekeeper,
    pageLevel: settings.pageLevel ?? 'file',
    openedAt: proof.createdAt.toISOString(),
    dueAt: iso(proof.dueAt),
    onDeadline: settings.onDeadline,
    closedAt: iso(proof.closedAt),
    recipients: proof.recipients.map((row) => recipientOf(proof, row, about.messages)),
    records: proof.decisions.map(({ id, no, prevHash, rowHash, record: stored }) => {
      const { notes = null, ...record } = storedAs<ProofRecord>(stored);
      return {
        id,
        no,
        previousHash: hex(prevHash),
        hash: hex(rowHash),
        record,
        noteCount: notes?.length ?? record.notesBeside?.count ?? null,
      };
    }),
  };
}

/** All versions of a session's proofs, the newest first. @throws ProblemError `resource.notFound` */
export async function readSessionProofs(tx: Transaction, sessionId: string): Promise<SessionProof[]> {
  const session = found(
    await tx.session.findFirst({
      where: { id: sessionId },
      select: { workflowVersion: { select: { definition: true } } },
    }),
  );
  const { steps } = workflowDefinitionSchema.parse(session.workflowVersion.definition);
  const about = {
    names: new Map(steps.map(({ id, name }) => [id, name] as const)),
    messages: await readMessages(tx, sessionId),
  };
  const shown: SessionProof[] = [];
  for (const proof of await readProofs(tx, sessionId)) shown.push(await proofOf(tx, proof, about));
  return shown;
}

/** One of them. @throws ProblemError `resource.notFound` */
export async function readSessionProof(
  tx: Transaction,
  { id, proofId }: { id: string; proofId: string },
): Promise<SessionProof> {
  return found((await readSessionProofs(tx, id)).find((proof) => proof.id === proofId));
}
