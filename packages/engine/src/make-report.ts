import { createReadStream } from 'node:fs';
import { type Locale, problem, type ReportFormat, type Unit } from '@pdf2press/contract';
import { newId, type SubscriberContext, type Transaction } from '@pdf2press/prisma';
import { writeBlobs } from './blob-rows.ts';
import type { EngineDeps } from './deps.ts';
import { withEffectFolder } from './effect-folder.ts';
import { type EffectHandler, recordEffect } from './effects.ts';

export interface ReportRequest {
  /** The stored JSON report, and the PDF that it is about. */
  reportId: string;
  pdfId: string;
  format: Exclude<ReportFormat, 'Json'>;
  locale: Locale;
  unit: Unit;
  /** What the report is called. */
  name: string;
}

/** Makes a report of a preflight in a folder; answers the path of the PDF. */
export type MakeReport = (
  request: Pick<ReportRequest, 'format' | 'locale' | 'unit'> & {
    pdf: string;
    report: string;
    workDir: string;
    signal: AbortSignal;
  },
) => Promise<string>;

const roleOf = (format: ReportRequest['format']): string => `preflight${format}`;

/** A report that was made before. */
export const findReport = (
  tx: Transaction,
  { reportId, format, locale }: Pick<ReportRequest, 'reportId' | 'format' | 'locale'>,
): Promise<{ id: string } | null> =>
  tx.file.findFirst({
    where: {
      removedAt: null,
      AND: [
        { meta: { path: ['role'], equals: roleOf(format) } },
        { meta: { path: ['of'], equals: reportId } },
        { meta: { path: ['locale'], equals: locale } },
      ],
    },
    select: { id: true },
  });

/** Asks for a report; asking again does nothing more. `dead` = it cannot be made, with the fault's code. */
export const askForReport = (
  deps: EngineDeps,
  context: SubscriberContext,
  request: ReportRequest,
): Promise<{ state: 'asked' | 'dead'; code: string | null }> =>
  deps.database.withSubscriber(context, async (tx) => {
    const file = await tx.file.findUnique({ where: { id: request.reportId } });
    if (!file || file.removedAt) throw problem('resource.notFound');
    const key = `report ${request.reportId} ${request.format} ${request.locale}`;
    await recordEffect(tx, { key, kind: 'report', sessionId: file.sessionId, payload: { ...request } });
    const effect = await tx.effect.findFirstOrThrow({ where: { key }, select: { state: true, lastError: true } });
    return { state: effect.state === 'Dead' ? 'dead' : 'asked', code: effect.lastError };
  });

/** Makes reports that somebody asks for. Beside the workflow: it keeps no session open and cannot fail one. */
export function makeReports(
  deps: EngineDeps,
  { makeReport, workFolder }: { makeReport: MakeReport; workFolder: string },
): EffectHandler {
  return {
    leaseMs: 600_000,
    isRepeatable: true,
    patienceMs: 3_600_000,
    run: async (effect, signal) => {
      const { subscriberId } = effect;
      const { reportId, pdfId, format, locale, unit, name } = effect.payload as unknown as ReportRequest;
      const [stored, source] = await deps.database.withSubscriber({ subscriberId }, async (tx) => [
        await tx.file.findUniqueOrThrow({ where: { id: reportId } }),
        await tx.file.findUniqueOrThrow({ where: { id: pdfId } }),
      ]);
      const local = (sha256: string) => ({ subscriberId, sha256 });
      return withEffectFolder(workFolder, effect, async (workDir) => {
        const made = await deps.storage.withLocalPath(local(source.sha256), (pdf) =>
          deps.storage.withLocalPath(local(stored.sha256), (report) =>
            makeReport({ pdf, report, format, locale, unit, workDir, signal }),
          ),
        );
        const { sha256, size } = await deps.storage.put({ subscriberId, bytes: createReadStream(made) });
        return {
          commit: async (tx) => {
            await writeBlobs(tx, [{ sha256, size }]);
            await tx.file.create({
              data: {
                id: newId('file'),
                sessionId: stored.sessionId,
                stepRunId: stored.stepRunId,
                sha256,
                size,
                runNo: stored.runNo,
                kind: 'Others',
                name,
                mediaType: 'application/pdf',
                meta: { role: roleOf(format), of: reportId, locale },
              },
              select: { id: true },
            });
          },
        };
      });
    },
  };
}
