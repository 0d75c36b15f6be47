import { problem } from '@pdf2press/contract';
import type { Transaction } from '@pdf2press/prisma';

/** @throws ProblemError `session.archived` when the only copy of these bytes is in the subscriber's archive */
export async function demandHere(tx: Transaction, sha256: string): Promise<void> {
  const away = await tx.blob.count({ where: { sha256, offloadedAt: { not: null } } });
  if (away > 0) throw problem('session.archived');
}
