import path from 'node:path';
import type { Locale, Unit } from '@pdf2press/contract';
import { storedAs } from '@pdf2press/prisma';
import type { CommunicationProfile } from '@pdf2press/steps/communication-profile';
import type { EngineDeps } from '../../deps.ts';
import type { ProofRow } from '../../proofs/proof-row.ts';
import { pictureOfProof } from '../picture-copy/run.ts';
import { askForReport, findReport } from '../report/run.ts';
import { EffectError } from '../run.ts';

/** Larger files are not attached: many mail servers take no message above that size once it is encoded. */
const mostAttachedBytes = 10 * 1024 * 1024;

type Attach = CommunicationProfile['events']['Completed']['attach'];

interface Wanted {
  subscriberId: string;
  sessionId: string;
  /** The proof that is written about, or the session's newest; null = there is none. */
  proof: ProofRow | null;
  attach: Attach;
  locale: Locale;
  unit: Unit;
}

/**
 * The ids of the files that go with a message: the report of the newest preflight, in its reader's language, and the picture of
 * the first page of its proof, the PDF as the session has it now. What there is not, or not any more, is left out.
 * @throws EffectError while the report or the picture is being made: it is asked for, and there at the next try
 */
export async function attachmentsOf(
  deps: EngineDeps,
  { subscriberId, sessionId, proof, attach, locale, unit }: Wanted,
): Promise<string[]> {
  if (attach.length === 0) return [];
  const found = await deps.database.withSubscriber({ subscriberId }, async (tx) => {
    const { runNo, fileName } = await tx.session.findUniqueOrThrow({
      where: { id: sessionId },
      select: { runNo: true, fileName: true },
    });
    const newest = { sessionId, removedAt: null };
    const orderBy = [{ createdAt: 'desc' }, { id: 'desc' }] as { createdAt: 'desc' }[];
    const select = { id: true, size: true } as const;
    const made = await tx.file.findFirst({
      where: { ...newest, runNo, kind: 'ProductionFile', mediaType: 'application/pdf' },
      orderBy,
      select,
    });
    const current = made ?? (await tx.file.findFirst({ where: { ...newest, kind: 'OriginalFile' }, orderBy, select }));
    const checked = await tx.file.findFirst({
      where: { ...newest, runNo, meta: { path: ['role'], equals: 'preflightReport' } },
      orderBy,
      select: { id: true, meta: true },
    });
    const pdf =
      checked &&
      (await tx.file.findFirst({
        where: { id: storedAs<{ of: string }>(checked.meta).of, removedAt: null },
        select: { id: true },
      }));
    const wants = attach.includes('report') && checked && pdf;
    const report = wants ? await findReport(tx, { reportId: checked.id, format: 'Pdf', locale }) : null;
    return { current, checked, pdf, report, fileName };
  });
  const { current, checked, pdf, report, fileName } = found;
  if (attach.includes('report') && checked && pdf && !report) {
    const name = `${path.parse(fileName).name}-preflight-${locale}.pdf`;
    const request = { reportId: checked.id, pdfId: pdf.id, format: 'Pdf', locale, unit, name } as const;
    const { state } = await askForReport(deps, { subscriberId }, request);
    if (state === 'asked') throw new EffectError('the report that goes with it is being made', {});
  }
  const picture = attach.includes('proof') && proof ? await pictureOfProof(deps, { subscriberId }, proof) : null;
  if (picture === 'asked') throw new EffectError('the picture that goes with it is being made', {});
  const isSmall = current !== null && current.size <= mostAttachedBytes;
  return [
    ...(attach.includes('report') && report ? [report.id] : []),
    ...(picture ? [picture.id] : []),
    ...(attach.includes('production') && isSmall ? [current.id] : []),
  ];
}
