import { Prisma, type Transaction } from '@pdf2press/prisma';
import type { Stored } from '@pdf2press/storage';

/** The insertion of `writeBlobs`, for a statement that writes more than these rows. */
export const insertBlobs = (blobs: readonly Stored[]): Prisma.Sql => Prisma.sql`
  insert into blobs (sha256, size)
  select distinct sha256, size from jsonb_to_recordset(${JSON.stringify(blobs)}::jsonb) as blob (sha256 text, size bigint)
      on conflict (subscriber_id, sha256)
         do update set created_at = clock_timestamp(), removed_at = null, offloaded_at = null`;

/**
 * Writes rows for bytes that the store has taken. For bytes that have a row already, their age starts anew, and an earlier
 * removal or move to the archive is undone.
 */
export async function writeBlobs(tx: Transaction, blobs: readonly Stored[]): Promise<void> {
  await tx.$executeRaw(insertBlobs(blobs));
}
