import { problem } from '@pdf2press/contract';
import type { Transaction } from '@pdf2press/prisma';

/**
 * A file from which something is made.
 * @throws ProblemError `file.removed` when its time is over, `session.archived` when its only copy is in the archive
 */
export async function demandSource(tx: Transaction, fileId: string): Promise<void> {
  const file = await tx.file.findUnique({ where: { id: fileId }, select: { sha256: true, removedAt: true } });
  if (!file || file.removedAt) throw problem('file.removed');
  await demandHere(tx, file.sha256);
}

/** @throws ProblemError `session.archived` when the only copy of these bytes is in the subscriber's archive */
export async function demandHere(tx: Transaction, sha256: string): Promise<void> {
  const away = await tx.blob.count({ where: { sha256, offloadedAt: { not: null } } });
  if (away > 0) throw problem('session.archived');
}
