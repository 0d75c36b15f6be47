import path from 'node:path';
import {
  fileFaultSchema,
  type Locale,
  problem,
  type ReportFormat,
  type RouteResult,
  type routes,
} from '@pdf2press/contract';
import { askForReport, demandHere, findReport, readSettings } from '@pdf2press/engine';
import { storedAs } from '@pdf2press/prisma';
import type { ApiDeps } from '../deps.ts';
import { type Caller, contextOf } from '../frame/caller.ts';
import { asCaller } from '../frame/context.ts';
import { found } from '../frame/rows.ts';

type Report = RouteResult<typeof routes.sessions.report>;

/**
 * Where the newest preflight's report is stored. A report that was not requested before is made by a worker; the client
 * asks again.
 * @throws ProblemError `resource.notFound`, `session.deleted`, `session.archived`, `report.notPossible`
 */
export async function readReport(
  deps: ApiDeps,
  caller: Caller,
  { id, format, locale }: { id: string; format: ReportFormat; locale: Locale },
): Promise<Report> {
  const { stored, source, made, unit, stem } = await asCaller(deps, caller, async (tx) => {
    const session = found(
      await tx.session.findFirst({ where: { id }, select: { deletedAt: true, runNo: true, fileName: true } }),
    );
    if (session.deletedAt) throw problem('session.deleted');
    const stored = found(
      await tx.file.findFirst({
        where: {
          sessionId: id,
          runNo: session.runNo,
          removedAt: null,
          meta: { path: ['role'], equals: 'preflightReport' },
        },
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        select: { id: true, meta: true },
      }),
    );
    const { of } = storedAs<{ of: string }>(stored.meta);
    const source = found(
      await tx.file.findFirst({ where: { id: of, removedAt: null }, select: { id: true, sha256: true } }),
    );
    const made = format === 'Json' ? { id: stored.id } : await findReport(tx, { reportId: stored.id, format, locale });
    if (!made) await demandHere(tx, source.sha256);
    const { measurementSettings } = await readSettings(tx, caller.subscriberId);
    return { stored, source, made, unit: measurementSettings.defaultUnit, stem: path.parse(session.fileName).name };
  });
  const name = {
    Json: `${stem}-preflight.json`,
    Pdf: `${stem}-preflight-${locale}.pdf`,
    Annotated: `${stem}-annotated-${locale}.pdf`,
  }[format];
  if (made) return { name, downloadUrl: `/api/sessions/${id}/files/${made.id}` };
  if (format === 'Json') throw problem('resource.notFound');
  const request = { reportId: stored.id, pdfId: source.id, format, locale, unit, name };
  const { state, code } = await askForReport(deps.engine, contextOf(caller), request);
  if (state === 'dead') throw problem('report.notPossible', { fault: fileFaultSchema.catch('INTERNAL').parse(code) });
  return { name, downloadUrl: null };
}
