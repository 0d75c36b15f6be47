import { createHash } from 'node:crypto';
import {
  decisionLabel,
  declinedPagesOf,
  detailsOf,
  type ErrorCode,
  isSignatureOf,
  type Locale,
  type MessageEvent,
  type PageDecision,
  type Problem,
  ProblemError,
  type ProofDecision,
  type ProofProfile,
  type ProofRecord,
  problem,
  profileWords,
} from '@pdf2press/contract';
import { newId, type SubscriberContext, type Transaction, toJson } from '@pdf2press/prisma';
import { type Actor, type EngineDeps, system } from '../deps.ts';
import { failpoint } from '../failpoint.ts';
import { announce } from '../sessions/announce.ts';
import { writeEvents } from '../sessions/events.ts';
import { tell } from '../sessions/notices.ts';
import { lockSession } from '../sessions/session-row.ts';
import { decideIn } from '../waits/decide.ts';
import { approvalOf, findingsToAccept } from './acceptance.ts';
import { askNext, proofEvent } from './ask.ts';
import { decidingNow } from './gate-lock.ts';
import { notesToKeep } from './notes.ts';
import { outcomeOf } from './outcome.ts';
import {
  demandProof,
  isWaiting,
  judgedOf,
  maskedAddress,
  type ProofRow,
  rulesOf,
  settingsOf,
  stateOf,
  voters,
} from './proof-row.ts';

/** What somebody decides, as they sent it. */
export interface GivenDecision {
  decision: ProofDecision;
  /** The digest of the findings that are accepted. */
  accepts?: string | undefined;
  reason?: string;
  comment?: string;
  name?: string;
  email?: string;
  title?: string;
  /** The name, typed a second time. */
  signature?: string;
  /** Ids of the statements that were ticked. */
  checkboxes?: readonly string[];
  /** Each page once, where the proof is decided page by page. */
  pages?: readonly PageDecision[] | undefined;
  /** Of the file that was seen; absent = it is not compared. */
  sha256?: string;
}

export interface DecisionOnProof {
  proofId: string;
  /** Whose decision it is; null = the house's, which ends the proof. */
  recipientId: string | null;
  given: GivenDecision;
  /** Repetitions with the same key change nothing. */
  key: string;
  by: Actor;
  /** How many pages the proof has; needed where each of them is decided on. */
  pageCount?: number;
  /** The reader knows of the own answer and gives another. */
  isChange?: boolean;
  /** Of somebody of the house who decides: why. */
  onBehalf?: string;
  from?: { ip: string; userAgent: string; locale: Locale; timeZone: string };
  /** Runs last in the transaction, for the caller's audit row. */
  alongside?: (tx: Transaction) => Promise<void>;
}

/** Who ended a proof and when, for whoever comes second: the addresses of others stay masked. */
export function endOf(proof: ProofRow): { by: string; at: string; decision: string } {
  const record = proof.decisions.at(-1)?.record as ProofRecord | undefined;
  const by = record?.onBehalf?.by || record?.name || maskedAddress(record?.link?.sentTo ?? '');
  return { by, at: record?.at ?? proof.closedAt?.toISOString() ?? '', decision: record?.decision ?? proof.state };
}

/**
 * Whether somebody may take their decline back that ended the proof: as long as the session has not gone on by it, because the
 * house, or a corrected file, is waited for.
 */
export function canChangeDecline(proof: ProofRow, recipientId: string): boolean {
  const own = voters(proof).find(({ recipient }) => recipient.id === recipientId);
  const isStill = proof.state === 'Declined' && isWaiting(proof) && proof.session.runNo === proof.runNo;
  return isStill && own?.decision === 'Declined' && !settingsOf(proof).isSingleUse;
}

/** A declined proof is asked for again; its deadline holds where it is still to come. */
async function reopen(tx: Transaction, proof: ProofRow): Promise<void> {
  await tx.$executeRaw`update proofs set state = 'Open', closed_at = null where id = ${proof.id}`;
  const { firstAfterHours } = settingsOf(proof).reminder;
  await tx.$executeRaw`
    update waits
       set due_at = case when ${proof.dueAt}::timestamptz > clock_timestamp() then ${proof.dueAt}::timestamptz end,
           remind_at = case when ${firstAfterHours > 0}
                            then clock_timestamp() + make_interval(secs => ${firstAfterHours * 3600}) end
     where id = ${proof.stepRun.wait?.id ?? ''}`;
}

/** @throws ProblemError when this reader cannot decide, or not any more */
function demandOpen(
  proof: ProofRow,
  { recipientId, isChange }: Pick<DecisionOnProof, 'recipientId' | 'isChange'>,
): void {
  const state = stateOf(proof);
  if (recipientId !== null && isChange === true && canChangeDecline(proof, recipientId)) return;
  if (state === 'Superseded' || state === 'Closed') throw problem(`proof.${state.toLowerCase() as 'closed'}`);
  const isOver = !isWaiting(proof) || (recipientId !== null && state !== 'Open' && state !== 'Held');
  if (isOver) throw problem('proof.alreadyDecided', endOf(proof));
  if (recipientId === null) return;
  const voter = voters(proof).find(({ recipient }) => recipient.id === recipientId);
  if (!voter) throw problem('resource.notFound');
  if (voter.decision === null) return;
  if (isChange !== true) throw problem('proof.alreadyDecided', endOfOne(proof, recipientId));
  if (settingsOf(proof).isSingleUse) throw problem('proof.used');
}

function endOfOne(proof: ProofRow, recipientId: string) {
  const own = proof.decisions.filter((each) => each.recipientId === recipientId);
  return endOf({ ...proof, decisions: own });
}

/** What the form lacks, by the profile. @throws ProblemError naming each field */
function demandForm(settings: ProofProfile, given: GivenDecision): void {
  const { decision, reason = '', comment = '', name = '', email = '', title = '', signature = '' } = given;
  const { checkboxes = [] } = given;
  const { isReasonRequired, reasons, commentMinLength, isEmailRequired, isTitleRequired } = settings;
  const { isSignatureRequired } = settings;
  const isNameRequired = settings.isNameRequired || isSignatureRequired;
  const lacks = (code: ErrorCode, field: string, is: boolean): Problem[] => (is ? [{ code, field }] : []);
  const isDecline = decision === 'Declined';
  const signs = isSignatureRequired && !isDecline;
  const hasReason = reason !== '' || comment !== '';
  // Where each page is decided on, the reasons are those of the pages.
  const isOfFile = settings.pageLevel === 'file';
  const isShort = isDecline && isOfFile && comment.length < commentMinLength;
  const problems: Problem[] = [
    ...lacks('proof.fieldMissing', 'name', isNameRequired && name === ''),
    ...lacks('proof.fieldMissing', 'email', isEmailRequired && email === ''),
    ...lacks('proof.fieldMissing', 'title', isTitleRequired && title === ''),
    ...lacks('proof.fieldMissing', 'signature', signs && signature === ''),
    ...lacks('proof.signatureDiffers', 'signature', signs && signature !== '' && !isSignatureOf(signature, name)),
    ...lacks(
      'proof.fieldMissing',
      reasons.length > 0 ? 'reason' : 'comment',
      isDecline && isOfFile && isReasonRequired && !hasReason,
    ),
    ...lacks('request.invalid', 'reason', reason !== '' && !reasons.includes(reason)),
    ...(isShort
      ? [{ code: 'proof.commentTooShort', params: { min: commentMinLength }, field: 'comment' } as const]
      : []),
    ...settings.checkboxes.flatMap(({ id }) =>
      lacks('proof.checkboxMissing', `checkboxes.${id}`, !isDecline && !checkboxes.includes(id)),
    ),
  ];
  if (problems.length > 0) throw new ProblemError(problems);
}

/**
 * Each page is decided on once, and the decision is what they make of it: one declined page declines the file.
 * @throws ProblemError when a page or a reason is missing, or the decision is another
 */
function demandPages(settings: ProofProfile, { given, pageCount = 0 }: DecisionOnProof): void {
  const { pages, decision } = given;
  if (settings.pageLevel === 'file') {
    if (pages !== undefined) throw problem('request.invalid', {}, 'pages');
    return;
  }
  const decided = new Set(pages?.map(({ page }) => page));
  const left = Array.from({ length: pageCount }, (_, at) => at + 1).filter((page) => !decided.has(page));
  if (left.length > 0 || !pages) throw problem('proof.pagesUndecided', { count: left.length }, 'pages');
  const isExact = decided.size === pages.length && decided.size === pageCount;
  if (!isExact) throw problem('request.invalid', {}, 'pages');
  const declined = pages.filter((page) => page.decision === 'Declined');
  if (declined.length > 0 !== (decision === 'Declined')) throw problem('request.invalid', {}, 'decision');
  const { isReasonRequired, commentMinLength: min } = settings;
  const problems = declined.flatMap(({ page, reason }): Problem[] => {
    const field = `pages.${page}`;
    if (isReasonRequired && reason === '') return [{ code: 'proof.fieldMissing', field }];
    return reason.length < min ? [{ code: 'proof.commentTooShort', params: { min }, field }] : [];
  });
  if (problems.length > 0) throw new ProblemError(problems);
}

/** The ids that an approval accepts. @throws ProblemError when the policy asks for more, or the findings are others by now */
async function demandAcceptance(
  tx: Transaction,
  proof: ProofRow,
  { decision, accepts }: GivenDecision,
): Promise<string[]> {
  if (decision === 'Declined') return [];
  const ids = await findingsToAccept(tx, judgedOf(proof));
  const approval = approvalOf(judgedOf(proof), ids);
  if (approval.need === 'impossible') throw problem('proof.approvalNotPossible');
  if (approval.need === 'nothing') return [];
  if (accepts === undefined) throw problem('proof.findingsNotAccepted', {}, 'accepts');
  if (accepts !== approval.digest) throw problem('proof.findingsChanged', {}, 'accepts');
  return ids;
}

interface Recorded {
  proof: ProofRow;
  ask: Omit<DecisionOnProof, 'alongside' | 'given'> & { given: Omit<GivenDecision, 'decision'> };
  decision: ProofRecord['decision'];
  acceptedFindingIds: string[];
}

/** Writes the record of a decision; the database chains it to the one before. */
export async function writeRecord(
  tx: Transaction,
  { proof, ask, decision, acceptedFindingIds }: Recorded,
): Promise<void> {
  const { recipientId, given, by, onBehalf, from } = ask;
  const settings = settingsOf(proof);
  const locale = from?.locale ?? 'en';
  const recipient = proof.recipients.find(({ id }) => id === recipientId);
  const files = await tx.file.findMany({
    where: { id: { in: [proof.fileId, proof.originalFileId] } },
    select: { id: true, sha256: true, name: true },
  });
  const shown = files.find(({ id }) => id === proof.fileId);
  const legal = from ? profileWords(settings.legalText, locale) : '';
  const isOwn = from !== undefined && onBehalf === undefined;
  const before =
    recipientId === null ? undefined : proof.decisions.findLast((each) => each.recipientId === recipientId);
  const details = detailsOf(settings, locale);
  const label = isOwn && decision !== 'Expired' ? decisionLabel(settings, decision, locale) : null;
  const isSigned = isOwn && settings.isSignatureRequired && decision === 'Approved';
  const [clock] = await tx.$queryRaw<{ now: Date }[]>`select clock_timestamp() as now`;
  const notes = await notesToKeep(tx, proof.id);
  const record: ProofRecord = {
    format: 'pdf2press-proof-decision',
    formatVersion: 1,
    sessionId: proof.sessionId,
    stepRunId: proof.stepRunId,
    proofId: proof.id,
    version: proof.version,
    fileName: shown?.name ?? proof.session.fileName,
    proofSha256: shown?.sha256 ?? '',
    originalSha256: files.find(({ id }) => id === proof.originalFileId)?.sha256 ?? '',
    decision,
    policy: judgedOf(proof).policy,
    level: judgedOf(proof).level,
    acceptedFindingIds,
    pages: given.pages ? [...given.pages].sort((one, other) => one.page - other.page) : null,
    ...(before && { replaces: before.no }),
    reason: given.reason ?? '',
    comment: given.comment ?? '',
    name: given.name || recipient?.name || '',
    email: given.email || recipient?.email || '',
    title: given.title ?? '',
    ...(isSigned && given.signature && { signature: given.signature }),
    ...(label !== null && { label }),
    checkboxes: settings.checkboxes
      .filter(({ id }) => given.checkboxes?.includes(id))
      .map(({ id, text }) => ({ id, text: profileWords(text, locale) })),
    ...(details.length > 0 && { details }),
    legalText: legal === '' ? null : { text: legal, sha256: createHash('sha256').update(legal).digest('hex') },
    link:
      recipient && onBehalf === undefined
        ? {
            recipientId: recipient.id,
            no: recipient.linkNo,
            sentTo: recipient.email,
            ...(settings.linkProtection === 'code' && { isCodeEntered: true }),
          }
        : null,
    onBehalf: onBehalf === undefined ? null : { by: by.name, reason: onBehalf },
    ip: from?.ip ?? '',
    userAgent: (from?.userAgent ?? '').slice(0, 500),
    locale,
    at: (clock?.now ?? new Date()).toISOString(),
    timeZone: from?.timeZone ?? '',
    ...notes.inRecord,
    asked: { mode: settings.mode, quorum: settings.quorum, isGatekeeper: recipient?.isGatekeeper ?? false },
  };
  const id = newId('proofDecision');
  await tx.$executeRaw`
    insert into proof_decisions (id, session_id, proof_id, recipient_id, decision, request_key, record, notes)
    values (${id}, ${proof.sessionId}, ${proof.id}, ${recipientId}, ${decision}, ${ask.key},
            ${JSON.stringify(toJson(record))}::jsonb, ${notes.beside})`;
  const pages = declinedPagesOf(record.pages).join(', ');
  const name = record.name || record.email || by.name;
  const data = {
    decision,
    name,
    onBehalf: onBehalf !== undefined,
    ...(before && { isChange: true }),
    ...(pages && { pages }),
  };
  await writeEvents(tx, [proofEvent(proof, { kind: 'ProofDecided', cause: `${id} decided`, data, actor: by })]);
}

const outcomeEvents = {
  Approved: 'ProofApproved',
  Declined: 'ProofDeclined',
  Expired: 'ProofExpired',
} as const satisfies Record<ProofRecord['decision'], MessageEvent>;

/** One who declines may leave it to the house: what the house decides then is announced, too, if it is something else. */
const announceOutcome = (tx: Transaction, { id, sessionId }: ProofRow, outcome: ProofRecord['decision']) =>
  announce(tx, [{ sessionId, event: outcomeEvents[outcome], cause: `${id} ${outcome}`, proofId: id }]);

/** Ends a proof, and lets the session go on by the exit of that name. */
export async function endProof(
  tx: Transaction,
  proof: ProofRow,
  { outcome, by }: { outcome: ProofRecord['decision']; by: Actor },
): Promise<void> {
  await tx.$executeRaw`
    update proofs set state = ${outcome}, closed_at = clock_timestamp() where id = ${proof.id}`;
  await announceOutcome(tx, proof, outcome);
  const waitId = proof.stepRun.wait?.id ?? '';
  await decideIn(tx, { waitId, decision: outcome, by, data: { proofId: proof.id } });
}

/** What a decision leads to: the end of the proof, the next who is asked, or nothing yet. */
async function follow(tx: Transaction, proofId: string, { recipientId, given, by }: DecisionOnProof): Promise<void> {
  const proof = await demandProof(tx, proofId);
  const { onDecline } = settingsOf(proof);
  const outcome = recipientId === null ? given.decision : outcomeOf(rulesOf(proof), voters(proof));
  if (outcome === null) {
    if (proof.state === 'Declined') await reopen(tx, proof);
    return askNext(tx, proofId);
  }
  const isHousesTurn = outcome === 'Declined' && onDecline !== 'Outcome' && recipientId !== null;
  if (!isHousesTurn) return endProof(tx, proof, { outcome, by });
  await tx.$executeRaw`
    update proofs set state = 'Declined', closed_at = clock_timestamp() where id = ${proof.id}`;
  await tx.$executeRaw`
    update waits set due_at = null, remind_at = null where id = ${proof.stepRun.wait?.id ?? ''}`;
  await announceOutcome(tx, proof, 'Declined');
  await tellHouse(tx, proof);
}

/** Tells those who decide for customers that a proof waits for them. */
export const tellHouse = (tx: Transaction, { sessionId, stepRunId }: ProofRow): Promise<void> =>
  tell(tx, {
    kind: 'proof.waiting',
    sessionId,
    stepRunId,
    to: { permission: 'proofs.decideOnBehalf' },
  });

/**
 * Decides on a proof inside the caller's transaction: record, event, and what follows in the session, or nothing of it.
 * @throws ProblemError `proof.*`, `resource.notFound`
 */
async function decideProofIn(tx: Transaction, ask: DecisionOnProof): Promise<void> {
  const found = await demandProof(tx, ask.proofId);
  await lockSession(tx, found.sessionId);
  // Read again: whoever decided at the same time is seen only with the lock.
  const proof = await demandProof(tx, ask.proofId);
  const { recipientId, given, key } = ask;
  if (proof.decisions.some((each) => each.requestKey === key && each.recipientId === recipientId)) return;
  if (proof.session.deletedAt !== null) throw problem('proof.deleted');
  demandOpen(proof, ask);
  const other = recipientId === null ? null : await decidingNow(tx, proof, recipientId);
  if (other) throw problem('proof.beingDecided', { by: other.by });
  if (stateOf(proof) === 'Held' && ask.onBehalf === undefined) throw problem('proof.expired');
  if (given.sha256 !== undefined) {
    const shown = await tx.file.findFirst({ where: { id: proof.fileId }, select: { sha256: true } });
    if (shown?.sha256 !== given.sha256) throw problem('proof.fileChanged', {}, 'sha256');
  }
  if (ask.onBehalf === undefined) {
    demandForm(settingsOf(proof), given);
    demandPages(settingsOf(proof), ask);
  }
  const acceptedFindingIds = await demandAcceptance(tx, proof, given);
  await writeRecord(tx, { proof, ask, decision: given.decision, acceptedFindingIds });
  failpoint('insideDecision');
  await tx.$executeRaw`update proof_recipients set deciding_until = null where id = ${recipientId}`;
  await follow(tx, proof.id, ask);
  await ask.alongside?.(tx);
  failpoint('beforeDecisionCommit');
}

/** Decides on a proof, once; see `decideProofIn`. */
export async function decideProof(deps: EngineDeps, context: SubscriberContext, ask: DecisionOnProof): Promise<void> {
  await deps.database.withSubscriber(context, (tx) => decideProofIn(tx, ask));
  failpoint('afterDecision');
}

/** What the deadline decides by itself; the record names nobody. */
export async function decideByDeadline(
  tx: Transaction,
  proof: ProofRow,
  decision: ProofRecord['decision'],
): Promise<void> {
  const ask = {
    proofId: proof.id,
    recipientId: null,
    given: {},
    key: `deadline ${proof.dueAt?.toISOString()}`,
    by: system,
  };
  await writeRecord(tx, { proof, ask, decision, acceptedFindingIds: [] });
  failpoint('insideDecision');
  await endProof(tx, proof, { outcome: decision, by: system });
}
