import { nearestLocale, type StepKind } from '@pdf2press/contract';
import { newId, type Transaction, toJson } from '@pdf2press/prisma';
import { type ProofRequest, type StepContract, stepContracts } from '@pdf2press/steps/contracts';
import { readSettings } from '../secrets/settings.ts';
import { peopleOf } from '../sessions/assignees.ts';
import { askNext } from './ask.ts';

interface Person {
  name: string;
  email: string;
  locale: string;
  isGatekeeper: boolean;
}

/**
 * Everybody who is asked, gatekeepers first: addresses as they are, and the people of the house that the ids stand for.
 * Each is asked once, as a gatekeeper if one of their entries says so.
 */
export async function recipientsOf(
  tx: Transaction,
  { recipients, locale }: Pick<ProofRequest, 'recipients' | 'locale'>,
  organizationId: string | null,
): Promise<Person[]> {
  const people: Person[] = [];
  const inTurn = [...recipients].sort((one, other) => Number(other.isGatekeeper) - Number(one.isGatekeeper));
  for (const recipient of inTurn) {
    const { isGatekeeper } = recipient;
    if ('email' in recipient) people.push({ ...recipient, locale });
    else
      for (const { email, firstName, lastName, locale: own } of await peopleOf(tx, {
        to: { ids: [recipient.assigneeId] },
        organizationId,
      }))
        people.push({ email: email.toLowerCase(), name: `${firstName} ${lastName}`.trim(), locale: own, isGatekeeper });
  }
  return people.filter(({ email }, at) => people.findIndex((other) => other.email === email) === at);
}

const judging = Object.values<StepContract>(stepContracts).flatMap(({ kind, judges }): StepKind[] =>
  judges ? [kind] : [],
);

/** The newest step of the run that judged the file; null = none. */
async function judgeOf(tx: Transaction, sessionId: string, runNo: number): Promise<string | null> {
  const step = await tx.stepRun.findFirst({
    where: { sessionId, runNo, kind: { in: judging }, status: { in: ['Succeeded', 'Warned'] } },
    orderBy: [{ endedAt: 'desc' }, { id: 'desc' }],
    select: { id: true },
  });
  return step?.id ?? null;
}

/**
 * Opens the next version of a proof for a step that waits, and asks those whose turn it is. The session's row is locked.
 */
export async function openProof(
  tx: Transaction,
  step: { id: string; subscriberId: string; sessionId: string; runNo: number; nodeId: string },
  { request, fileId }: { request: ProofRequest; fileId: string },
): Promise<void> {
  const { id: stepRunId, sessionId, runNo, nodeId } = step;
  const session = await tx.session.findUniqueOrThrow({
    where: { id: sessionId },
    select: { organizationId: true, result: true },
  });
  const original = await tx.file.findFirstOrThrow({
    where: { sessionId, kind: 'OriginalFile' },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    select: { id: true },
  });
  const { proofApprovalSettings } = await readSettings(tx, step.subscriberId);
  const { settings, profileName } = request;
  const judgedById = await judgeOf(tx, sessionId, runNo);
  const version = 1 + (await tx.proof.count({ where: { sessionId, nodeId } }));
  const proof = await tx.proof.create({
    data: {
      id: newId('proof'),
      sessionId,
      stepRunId,
      nodeId,
      runNo,
      version,
      fileId,
      originalFileId: original.id,
      policy: settings.approvalPolicy ?? proofApprovalSettings.defaultApprovalMode,
      level: (judgedById && session.result) || 'Success',
      isChecked: judgedById !== null,
      judgedById,
      profileName,
      settings: toJson(settings),
      dueAt: request.dueAt,
    },
    select: { id: true, createdAt: true },
  });
  const people = await recipientsOf(tx, request, session.organizationId);
  const linkExpiresAt = new Date(proof.createdAt.getTime() + settings.linkDays * 86_400_000);
  await tx.proofRecipient.createMany({
    data: people.map(({ name, email, locale, isGatekeeper }, at) => ({
      id: newId('proofRecipient'),
      sessionId,
      proofId: proof.id,
      no: at + 1,
      isGatekeeper,
      name,
      email,
      locale: nearestLocale(locale),
      linkExpiresAt,
    })),
  });
  await askNext(tx, proof.id);
}
