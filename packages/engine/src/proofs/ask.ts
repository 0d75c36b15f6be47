import { decisionLabel, nearestLocale } from '@pdf2press/contract';
import type { Transaction } from '@pdf2press/prisma';
import { type Actor, system } from '../deps.ts';
import { enqueueEffect } from '../effects/enqueue.ts';
import { announce } from '../sessions/announce.ts';
import { type NewEvent, writeEvents } from '../sessions/events.ts';
import { turnOf } from './outcome.ts';
import { demandProof, type ProofRow, pending, type RecipientRow, rulesOf, settingsOf, voters } from './proof-row.ts';

type Template = 'proofRequest' | 'proofVersion' | 'proofReminder';

/**
 * Records a message to a recipient with the link, in the words of the session's communication profile, or the product's
 * where that has none; `no` makes a repetition of the same template another message. */
export async function writeTo(
  tx: Transaction,
  { proof, recipient, template, no }: { proof: ProofRow; recipient: RecipientRow; template: Template; no: number },
): Promise<void> {
  const isWritten = await announce(tx, [
    {
      sessionId: proof.sessionId,
      event: template === 'proofReminder' ? 'ProofReminder' : 'ProofRequested',
      cause: `${proof.id} ${template} ${no}`,
      proofId: proof.id,
      asked: { recipientId: recipient.id, no: recipient.linkNo, email: recipient.email },
    },
  ]);
  if (isWritten) return;
  const locale = nearestLocale(recipient.locale);
  const settings = settingsOf(proof);
  const [approve, decline] = [decisionLabel(settings, 'Approved', locale), decisionLabel(settings, 'Declined', locale)];
  await enqueueEffect(tx, {
    kind: 'mail',
    key: `mail ${recipient.id} ${template} ${no}`,
    sessionId: proof.sessionId,
    payload: {
      template,
      to: recipient.email,
      name: recipient.name || recipient.email,
      locale,
      params: { file: proof.session.fileName, ...(approve && { approve }), ...(decline && { decline }) },
      proofLink: { recipientId: recipient.id, no: recipient.linkNo },
    },
  });
}

/** What happened to a proof, for the session's history. */
export const proofEvent = (
  proof: ProofRow,
  event: Pick<NewEvent, 'kind' | 'cause' | 'data'> & { actor?: Actor },
): NewEvent => ({
  sessionId: proof.sessionId,
  stepRunId: proof.stepRunId,
  runNo: proof.runNo,
  actor: event.actor ?? system,
  kind: event.kind,
  cause: event.cause,
  data: { proofId: proof.id, version: proof.version, ...event.data },
});

/** Sends a recipient the present link, by a message of its own. */
export async function askRecipient(
  tx: Transaction,
  proof: ProofRow,
  recipient: RecipientRow,
  actor?: Actor,
): Promise<void> {
  const { id, linkNo } = recipient;
  await tx.$executeRaw`
    update proof_recipients set asked_at = coalesce(asked_at, clock_timestamp()) where id = ${id}`;
  const template = proof.version > 1 ? 'proofVersion' : 'proofRequest';
  await writeTo(tx, { proof, recipient, template, no: linkNo });
  const data = { name: recipient.name, email: recipient.email };
  await writeEvents(tx, [
    proofEvent(proof, { kind: 'ProofSent', cause: `${id} asked ${linkNo}`, data, ...(actor && { actor }) }),
  ]);
}

/** Reminders of whoever is asked now: the first after the profile's pause, unless one is planned for others who are asked. */
async function planReminders(tx: Transaction, proof: ProofRow): Promise<void> {
  const { firstAfterHours } = settingsOf(proof).reminder;
  if (firstAfterHours === 0 || proof.state !== 'Open') return;
  const isPlanned = pending(proof).length > 0;
  await tx.$executeRaw`
    update waits
       set remind_at = coalesce(case when ${isPlanned} then remind_at end,
                                clock_timestamp() + make_interval(secs => ${firstAfterHours * 3600}))
     where id = ${proof.stepRun.wait?.id ?? ''}`;
}

/** Asks everybody whose turn it is and who was not asked yet. */
export async function askNext(tx: Transaction, proofId: string): Promise<void> {
  const proof = await demandProof(tx, proofId);
  const next = turnOf(rulesOf(proof), voters(proof)).filter(({ recipient }) => recipient.askedAt === null);
  for (const { recipient } of next) await askRecipient(tx, proof, recipient);
  if (next.length > 0) await planReminders(tx, proof);
}
