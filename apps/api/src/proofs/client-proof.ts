import { text } from 'node:stream/consumers';
import {
  type ClientFinding,
  type ClientProof,
  contractMessages,
  decisionFormOf,
  declinedPagesOf,
  detailsOf,
  fixReportSchema,
  type Locale,
  type ProofRecord,
  type RouteResult,
  type routes,
  type Severity,
  type ShownProof,
  sentence,
  severitiesShown,
  severitiesToAccept,
} from '@pdf2press/contract';
import {
  approvalOf,
  canChangeDecline,
  canMark,
  canNote,
  decidingNow,
  endOf,
  findingsToAccept,
  isWaiting,
  judgedOf,
  maskedAddress,
  pagesOfSheetsQuery,
  readSettings,
  settingsOf,
  sharesGate,
  voters,
} from '@pdf2press/engine';
import { remedyOf } from '@pdf2press/preflight/contracts';
import { Prisma, storedAs, type Transaction } from '@pdf2press/prisma';
import type { ApiDeps } from '../deps.ts';
import { found } from '../frame/rows.ts';
import { publicOrganization } from '../organizations/logos.ts';
import { comparedOf, type FindingRow, findingOf } from '../sessions/read-findings.ts';
import { fixOf } from '../sessions/read-fixes.ts';
import { goneState, type OpenedLink } from './open-link.ts';

/** What ended a proof, or what one of its readers decided. */
function decidedOf(proof: OpenedLink['proof']) {
  const { decision, ...end } = endOf(proof);
  const record = storedAs<ProofRecord | null>(proof.decisions.at(-1)?.record ?? null);
  return {
    ...end,
    decision: decision as ProofRecord['decision'],
    label: record?.label ?? null,
    declinedPages: declinedPagesOf(record?.pages),
  };
}

/** The version of a proof before this one; null for the first one. */
const versionBefore = async (tx: Transaction, { sessionId, nodeId, version }: OpenedLink['proof']) =>
  version === 1
    ? null
    : tx.proof.findFirst({
        where: { sessionId, nodeId, version: version - 1 },
        select: { version: true, judgedById: true, fileId: true },
      });

/** The version before a proof's and its file; null for the first one, and where the file was removed. */
export async function fileBefore(
  tx: Transaction,
  proof: OpenedLink['proof'],
): Promise<{ version: number; fileId: string } | null> {
  const before = await versionBefore(tx, proof);
  const isThere = before !== null && (await tx.file.count({ where: { id: before.fileId, removedAt: null } })) > 0;
  return isThere ? before : null;
}

interface FileFacts {
  sha256: string;
  name: string;
  /** The version before, where its file is there. */
  previousVersion: number | null;
  /** Null where the file has the pages themselves. */
  areFindingsOnPages: boolean | null;
  /** Of the newest preflight before the proof. */
  output: unknown;
}

/** What is shown of a proof's file: its name, the version before it, and what was found in it, read at once. */
async function factsOf(tx: Transaction, proof: OpenedLink['proof']): Promise<FileFacts> {
  const { fileId, judgedById, sessionId, nodeId, version } = proof;
  const [facts] = await tx.$queryRaw<FileFacts[]>`
    select file.sha256, file.name, judge.output, before.version as "previousVersion", laid."areFindingsOnPages"
      from files file
      left join step_runs judge on judge.id = ${judgedById}
      left join (proofs before join files earlier on earlier.id = before.file_id and earlier.removed_at is null)
        on before.session_id = ${sessionId} and before.node_id = ${nodeId} and before.version = ${version - 1}
      left join lateral (${pagesOfSheetsQuery(proof)}) laid on true
     where file.id = ${fileId}`;
  return found(facts ?? null);
}

/** How many findings of each severity there are, as list, session and report count them. */
const countsOf = ({ output }: FileFacts): Record<Severity, number> =>
  storedAs<{ counts?: Record<Severity, number> }>((output ?? {}) as Prisma.JsonValue).counts ?? {
    Fail: 0,
    Warn: 0,
    Info: 0,
  };

/** Whether a corrected file may be sent: while the proof is open, or when a decline asks for one. */
export function canReplaceFile({ proof, state }: OpenedLink): boolean {
  const { allowReplaceFile, onDecline } = settingsOf(proof);
  const isAskedFor = state === 'decided' && isWaiting(proof) && onDecline === 'AskReplacement';
  return allowReplaceFile && (state === 'open' || state === 'answered' || isAskedFor);
}

async function formOf(tx: Transaction, { proof }: OpenedLink, locale: Locale): Promise<ShownProof['form']> {
  const judged = judgedOf(proof);
  return decisionFormOf(settingsOf(proof), approvalOf(judged, await findingsToAccept(tx, judged)), locale);
}

/** Percent; of a proof that was opened before there was the choice. */
const usualInkLimit = 300;

/** What a link shows to its reader, in the reader's language. */
export async function readClientProof(
  deps: ApiDeps,
  tx: Transaction,
  link: OpenedLink,
  locale: Locale,
): Promise<ClientProof> {
  const { proof, recipient, state } = link;
  const { organization, fileName } = proof.session;
  const house = {
    title: deps.env.title,
    organization: publicOrganization(deps, link.context.subscriberId, organization),
  };
  const gone = goneState(link);
  if (gone) return { state: gone, house, sentence: sentence(contractMessages, locale, `proof.${gone}`) };
  if (link.isGuarded) return { state: 'guarded', house, email: maskedAddress(recipient.email) };
  const own = proof.decisions.filter(({ recipientId }) => recipientId === recipient.id);
  if (state === 'used') {
    const decided = decidedOf(own.length > 0 ? { ...proof, decisions: own } : proof);
    return { state, house, fileName, decided };
  }
  const settings = settingsOf(proof);
  const { level } = judgedOf(proof);
  const file = await factsOf(tx, proof);
  const deciding = await decidingNow(tx, proof, recipient.id);
  const verdict = proof.isChecked ? level : 'unchecked';
  return {
    state: state as ShownProof['state'],
    house,
    fileName: file.name || fileName,
    sha256: file.sha256,
    version: proof.version,
    previousVersion: file.previousVersion,
    sheets: file.areFindingsOnPages === null ? null : { areFindingsOnPages: file.areFindingsOnPages },
    pageCount: proof.session.pageCount,
    verdict: {
      level,
      isChecked: proof.isChecked,
      sentence: sentence(contractMessages, locale, `proof.verdict.${verdict}`),
    },
    counts: countsOf(file),
    shows: {
      ...settings.show,
      // A proof that was opened before there were these choices shows both.
      pages: settings.show.pages ?? true,
      size: settings.show.size ?? true,
      safetyMargin: settings.show.safetyMargin ?? 0,
      inkLimit: settings.show.inkLimit ?? usualInkLimit,
      download: settings.allowDownload,
      notes: settings.allowNotes,
    },
    details: detailsOf(settings, locale),
    reader: { name: recipient.name, email: maskedAddress(recipient.email), locale: recipient.locale as Locale },
    recipients: voters(proof).map(({ recipient: other, decision }) => {
      const record = proof.decisions.findLast(({ recipientId }) => recipientId === other.id);
      return {
        name: other.name || maskedAddress(other.email),
        isReader: other.id === recipient.id,
        state: decision ?? (other.askedAt === null ? 'Waiting' : 'Asked'),
        at: record ? storedAs<ProofRecord>(record.record).at : null,
      };
    }),
    openedAt: proof.createdAt.toISOString(),
    dueAt: proof.dueAt?.toISOString() ?? null,
    canReplaceFile: canReplaceFile(link),
    canNote: state === 'open' && canNote(proof),
    canMark: canMark(settings),
    form:
      state === 'open' || state === 'answered' || canChangeDecline(proof, recipient.id)
        ? await formOf(tx, link, locale)
        : null,
    deciding: deciding && { by: deciding.by, until: deciding.until.toISOString() },
    sharesGate: sharesGate(proof, recipient.id),
    mine: own.length > 0 ? decidedOf({ ...proof, decisions: own }) : null,
    decided: proof.closedAt === null ? null : decidedOf(proof),
  };
}

const mostFindings = 2000;

/** The findings that recipients see, and all that they must accept; compared with those of the version before. */
export async function readClientFindings(
  deps: ApiDeps,
  { context, proof }: OpenedLink,
  locale: Locale,
): Promise<ClientFinding[]> {
  const settings = settingsOf(proof);
  const { policy, level } = judgedOf(proof);
  const toAccept = severitiesToAccept(policy, level);
  const wanted = [...new Set([...severitiesShown(settings), ...toAccept])];
  if (proof.judgedById === null || wanted.length === 0) return [];
  return deps.db.withSubscriber(context, async (tx) => {
    const { measurementSettings } = await readSettings(tx, context.subscriberId);
    const before = await versionBefore(tx, proof);
    const judges = [before?.judgedById, proof.judgedById].filter((id) => typeof id === 'string');
    const checkers = Prisma.sql`select id, no from unnest(${judges}::text[]) with ordinality as judges (id, no)`;
    const rows = await tx.$queryRaw<(FindingRow & { rowId: string })[]>`
      ${comparedOf(proof.sessionId, checkers)}
      select id as "rowId", data, step_run_id as "stepRunId", state from compared
       where severity = any (${wanted}::text[])
       order by state is not distinct from 'fixed', array_position(array['Fail', 'Warn', 'Info'], severity),
                page nulls first, no limit ${mostFindings}`;
    return rows.map((row) => {
      const {
        severity,
        state,
        page,
        pages = [],
        box,
        boxes,
        count,
        message,
        ruleKey,
      } = findingOf(row, locale, measurementSettings.defaultUnit);
      return {
        id: row.rowId,
        severity,
        state,
        page,
        pages,
        boxes: boxes ?? (box ? [box] : []),
        sentence: message,
        count,
        remedy: remedyOf(ruleKey),
        isToAccept: state !== 'fixed' && toAccept.includes(severity),
      };
    });
  });
}

/** What the fix steps of the proof's run changed, in sentences. */
export async function readClientFixes(
  deps: ApiDeps,
  { context, proof }: OpenedLink,
  locale: Locale,
): Promise<RouteResult<typeof routes.clientProofs.fixes>> {
  if (!settingsOf(proof).show.fixes) return [];
  const { files, unit } = await deps.db.withSubscriber(context, async (tx) => {
    const { measurementSettings } = await readSettings(tx, context.subscriberId);
    const { sessionId, runNo } = proof;
    const made = await tx.file.findMany({
      where: { sessionId, runNo, removedAt: null, meta: { path: ['role'], equals: 'fixReport' } },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      select: { sha256: true },
      take: 20,
    });
    return { files: made, unit: measurementSettings.defaultUnit };
  });
  const reports = await Promise.all(
    files.map(async ({ sha256 }) =>
      fixReportSchema.parse(
        JSON.parse(await text(await deps.storage.open({ subscriberId: context.subscriberId, sha256 }))),
      ),
    ),
  );
  return reports
    .flatMap((report) => fixOf(report, '', locale, unit).actions)
    .filter(({ changes }) => changes.length > 0)
    .map(({ label, changes }) => ({
      label,
      changes: changes.map(({ page, sentence: words, count, box }) => ({ page, sentence: words, count, box })),
    }));
}
