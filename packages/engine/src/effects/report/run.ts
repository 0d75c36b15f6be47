import { createReadStream } from 'node:fs';
import { problem } from '@pdf2press/contract';
import type { SubscriberContext, Transaction } from '@pdf2press/prisma';
import type { EngineDeps } from '../../deps.ts';
import { demandSource } from '../../files/demand-here.ts';
import type { PayloadOf } from '../catalogue.ts';
import { storeDerived, withInputs } from '../derived-file.ts';
import { withEffectFolder } from '../effect-folder.ts';
import { type AskedEffect, askForEffect } from '../enqueue.ts';
import type { EffectRun } from '../run.ts';
import { digestOf, readParts, writeLogo } from './parts.ts';

export type ReportRequest = PayloadOf<'report'>;

/** Makes a preflight report in a folder; resolves to the path of the PDF. */
export type MakeReport = (
  request: Pick<ReportRequest, 'format' | 'locale' | 'unit'> & {
    pdf: string;
    report: string;
    /** `logo` is the path of a picture. */
    house: { name: string; colour: string | null; logo: string | null };
    /** Paths of the change logs of fix steps, and of the imposed file. */
    fixReports: string[];
    sheets: string | null;
    /** IANA name; null = that of the server. */
    timeZone: string | null;
    workDir: string;
    signal: AbortSignal;
  },
) => Promise<string>;

const roleOf = (format: ReportRequest['format']): string => `preflight${format}`;

/** What a report of this file would be made of, as a text. */
async function partsDigest(tx: Transaction, reportId: string): Promise<string> {
  const file = await tx.file.findUnique({ where: { id: reportId } });
  if (!file || file.removedAt) throw problem('resource.notFound');
  return digestOf(await readParts(tx, file));
}

/** A report that was made before, of all that belongs into it by now. @throws ProblemError `resource.notFound` */
export const findReport = async (
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
        { meta: { path: ['parts'], equals: await partsDigest(tx, reportId) } },
      ],
    },
    select: { id: true },
  });

/**
 * Asks for a report; asking again does nothing more. `dead` = it cannot be made, with the fault's code.
 * @throws ProblemError `resource.notFound`, `file.removed`, `session.archived`
 */
export const askForReport = (
  deps: EngineDeps,
  context: SubscriberContext,
  request: ReportRequest,
): Promise<AskedEffect> =>
  deps.database.withSubscriber(context, async (tx) => {
    const file = await tx.file.findUnique({ where: { id: request.reportId } });
    if (!file || file.removedAt) throw problem('resource.notFound');
    const parts = digestOf(await readParts(tx, file));
    const key = `report ${request.reportId} ${request.format} ${request.locale} ${parts}`;
    await demandSource(tx, request.pdfId);
    return askForEffect(tx, { kind: 'report', key, sessionId: file.sessionId, payload: request }, () =>
      findReport(tx, request),
    );
  });

/** Makes reports that somebody asked for. Runs outside the workflow: it keeps no session open and cannot fail one. */
export function makeReports(
  deps: EngineDeps,
  { makeReport, workFolder }: { makeReport: MakeReport; workFolder: string },
): EffectRun<'report'> {
  return {
    run: (effect, signal) => {
      const { reportId, pdfId, format, locale, unit, name } = effect.payload;
      return withEffectFolder(workFolder, effect, async (workDir) => {
        const parts = await deps.database.withSubscriber(effect, async (tx) =>
          readParts(tx, await tx.file.findUniqueOrThrow({ where: { id: reportId } })),
        );
        const { house, sheetsId, fixReportIds } = parts;
        const logo = await writeLogo(deps, effect.subscriberId, house, workDir);
        const others: string[] = sheetsId === null ? fixReportIds : [sheetsId, ...fixReportIds];
        return withInputs(deps, effect, [reportId, pdfId], ([report, pdf]) =>
          withInputs(deps, effect, others, async (rest) => {
            const paths = rest.map(({ localPath }) => localPath);
            const sheets = sheetsId === null ? null : (paths.shift() ?? null);
            const made = await makeReport({
              pdf: pdf.localPath,
              report: report.localPath,
              house: {
                name: house.name || (deps.app?.title ?? ''),
                colour: house.colour,
                logo,
              },
              fixReports: paths,
              sheets,
              format,
              locale,
              unit,
              timeZone: parts.timeZone,
              workDir,
              signal,
            });
            return storeDerived(deps, effect, report, createReadStream(made), {
              kind: 'Others',
              name,
              mediaType: 'application/pdf',
              meta: {
                role: roleOf(format),
                of: reportId,
                locale,
                parts: digestOf(parts),
              },
            });
          }),
        );
      });
    },
    onDead: async (_, { payload: { name } }) => ({ name }),
  };
}
