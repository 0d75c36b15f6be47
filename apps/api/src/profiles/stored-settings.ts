import type { ProfileKind } from '@pdf2press/contract';
import type { Transaction } from '@pdf2press/prisma';
import { found } from '../frame/rows.ts';

/** The settings of the newest version of a profile, as they are stored. @throws ProblemError `resource.notFound` */
export async function storedSettings(tx: Transaction, kind: ProfileKind, id: string): Promise<Record<string, unknown>> {
  const profile = found(await tx.profile.findFirst({ where: { id, kind, deletedAt: null } }));
  const version = await tx.profileVersion.findFirst({ where: { profileId: id, no: profile.currentNo } });
  return (version?.settings ?? {}) as Record<string, unknown>;
}
