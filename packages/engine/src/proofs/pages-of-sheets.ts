import { Prisma, type Transaction } from '@pdf2press/prisma';
import type { ProofRow } from './proof-row.ts';

type About = Pick<ProofRow, 'fileId' | 'runNo' | 'originalFileId' | 'judgedById'>;

/** As `pagesOfSheets`, to be joined with what else is read of a proof: no row, or one. */
export const pagesOfSheetsQuery = ({ fileId, runNo, originalFileId, judgedById }: About): Prisma.Sql => Prisma.sql`
    select pages.id as "fileId", coalesce(judge.ended_at <= sheets.created_at, true) as "areFindingsOnPages"
      from files shown
      join lateral (select made.created_at
                      from files made join step_runs step on step.id = made.step_run_id
                     where made.session_id = shown.session_id and made.run_no = ${runNo} and made.kind = 'ProductionFile'
                       and made.media_type = 'application/pdf' and step.kind = 'Impose' and made.created_at <= shown.created_at
                     order by made.created_at limit 1) sheets on true
      join lateral (select earlier.id, earlier.removed_at
                      from files earlier
                     where earlier.session_id = shown.session_id and earlier.media_type = 'application/pdf'
                       and (earlier.id = ${originalFileId}
                            or earlier.kind = 'ProductionFile' and earlier.run_no = ${runNo}
                               and earlier.created_at < sheets.created_at)
                     order by earlier.kind = 'ProductionFile' desc, earlier.created_at desc limit 1) pages
        on pages.removed_at is null
      left join step_runs judge on judge.id = ${judgedById}
     where shown.id = ${fileId}`;

/**
 * The file whose pages were laid out on the sheets that a proof is about, and whether the proof's findings are about those pages
 * and not about the sheets; null where the proof is about the pages themselves, and where their file is gone. Of several layouts,
 * the pages before the first.
 */
export async function pagesOfSheets(
  tx: Transaction,
  proof: About,
): Promise<{ fileId: string; areFindingsOnPages: boolean } | null> {
  const [found] = await tx.$queryRaw<{ fileId: string; areFindingsOnPages: boolean }[]>(pagesOfSheetsQuery(proof));
  return found ?? null;
}
