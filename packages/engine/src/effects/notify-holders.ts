import type { Permission } from '@pdf2press/contract';
import { newId, type Transaction } from '@pdf2press/prisma';

interface Told {
  kind: string;
  data: Record<string, string>;
  /** What has to be put right; told once as long as it is not. */
  cause: string;
}

/** Notifies everyone who holds a permission. */
export async function notifyHolders(
  tx: Transaction,
  permission: Permission,
  { kind, data, cause }: Told,
): Promise<void> {
  const holders = await tx.userRole.findMany({
    where: { role: { permissions: { has: permission } }, user: { isActive: true, deletedAt: null } },
    select: { userId: true },
    distinct: ['userId'],
  });
  await tx.notification.createMany({
    data: holders.map(({ userId }) => ({ id: newId('notification'), userId, kind, severity: 'Error', data, cause })),
    skipDuplicates: true,
  });
}
