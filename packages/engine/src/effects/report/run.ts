import { createReadStream } from 'node:fs';
import { problem } from '@pdf2press/contract';
import type { SubscriberContext, Transaction } from '@pdf2press/prisma';
import type { EngineDeps } from '../../deps.ts';
import type { PayloadOf } from '../catalogue.ts';
import { storeDerived, withInputs } from '../derived-file.ts';
import { withEffectFolder } from '../effect-folder.ts';
import { type AskedEffect, askForEffect } from '../enqueue.ts';
import type { EffectRun } from '../run.ts';

export type ReportRequest = PayloadOf<'report'>;

/** Makes a preflight report in a folder; resolves to the path of the PDF. */
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
): Promise<AskedEffect> =>
  deps.database.withSubscriber(context, async (tx) => {
    const file = await tx.file.findUnique({ where: { id: request.reportId } });
    if (!file || file.removedAt) throw problem('resource.notFound');
    const key = `report ${request.reportId} ${request.format} ${request.locale}`;
    return askForEffect(tx, { kind: 'report', key, sessionId: file.sessionId, payload: request });
  });

/** Makes reports that somebody asked for. Runs outside the workflow: it keeps no session open and cannot fail one. */
export function makeReports(
  deps: EngineDeps,
  { makeReport, workFolder }: { makeReport: MakeReport; workFolder: string },
): EffectRun<'report'> {
  return {
    run: (effect, signal) => {
      const { reportId, pdfId, format, locale, unit, name } = effect.payload;
      return withEffectFolder(workFolder, effect, (workDir) =>
        withInputs(deps, effect, [reportId, pdfId], async ([report, pdf]) => {
          const paths = { report: report.localPath, pdf: pdf.localPath };
          const made = await makeReport({ ...paths, format, locale, unit, workDir, signal });
          return storeDerived(deps, effect, report, createReadStream(made), {
            kind: 'Others',
            name,
            mediaType: 'application/pdf',
            meta: { role: roleOf(format), of: reportId, locale },
          });
        }),
      );
    },
    onDead: async (_, { payload: { name } }) => ({ name }),
  };
}
