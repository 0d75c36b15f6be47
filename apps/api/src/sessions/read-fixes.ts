import { text } from 'node:stream/consumers';
import {
  type FixReason,
  type FixReport,
  fixReportSchema,
  type Locale,
  type SessionFix,
  type Unit,
} from '@pdf2press/contract';
import { readSettings } from '@pdf2press/engine';
import { fixActionLabel, fixChangeSentence, fixProofSentence, fixReasonTold } from '@pdf2press/fix/contracts';
import type { ApiDeps } from '../deps.ts';
import type { Caller } from '../frame/caller.ts';
import { asCaller } from '../frame/context.ts';
import { found } from '../frame/rows.ts';

/** A report of the fix step in the reader's language and the subscriber's unit. */
export function fixOf(report: FixReport, stepRunId: string, locale: Locale, unit: Unit): SessionFix {
  const say = (action: string) => (reason: FixReason) => fixReasonTold(action, reason, locale, unit);
  return {
    stepRunId,
    result: report.result,
    isChanged: report.out?.isChanged ?? false,
    warnings: report.warnings.map(say('')),
    actions: report.actions.map(({ index, action, outcome, reason, warnings, gate, unlisted }) => ({
      index,
      action,
      label: fixActionLabel(action, locale),
      outcome,
      reason: reason && say(action)(reason),
      warnings: warnings.map(say(action)),
      proof: gate?.isPassed ? fixProofSentence(gate, locale) : null,
      unlisted,
      changes: report.changes
        .filter((change) => change.index === index)
        .map((change) => ({
          page: change.page,
          sentence: fixChangeSentence(change, locale, unit),
          count: change.count,
          ...(change.thumbnail !== undefined && { thumbnail: change.thumbnail }),
          box: change.box ?? null,
        })),
    })),
  };
}

/** What the fix steps of a session's newest run did. @throws `resource.notFound` */
export async function readFixes(deps: ApiDeps, caller: Caller, locale: Locale, id: string): Promise<SessionFix[]> {
  const { files, unit } = await asCaller(deps, caller, async (tx) => {
    const { runNo } = found(await tx.session.findFirst({ where: { id }, select: { runNo: true } }));
    const { measurementSettings } = await readSettings(tx, caller.subscriberId);
    const files = await tx.file.findMany({
      where: { sessionId: id, runNo, removedAt: null, meta: { path: ['role'], equals: 'fixReport' } },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      select: { sha256: true, stepRunId: true },
      take: 100,
    });
    return { files, unit: measurementSettings.defaultUnit };
  });
  return Promise.all(
    files.map(async ({ sha256, stepRunId }) => {
      const stored = await text(await deps.storage.open({ subscriberId: caller.subscriberId, sha256 }));
      return fixOf(fixReportSchema.parse(JSON.parse(stored)), stepRunId ?? '', locale, unit);
    }),
  );
}
