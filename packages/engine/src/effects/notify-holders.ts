import type { Permission } from '@pdf2press/contract';
import { newId, type Transaction } from '@pdf2press/prisma';

/** Notifies everyone who holds a permission. */
export async function notifyHolders(
  tx: Transaction,
  permission: Permission,
  { kind, data }: { kind: string; data: Record<string, string> },
): Promise<void> {
  const holders = await tx.userRole.findMany({
    where: { role: { permissions: { has: permission } } },
    select: { userId: true },
    distinct: ['userId'],
  });
  await tx.notification.createMany({
    data: holders.map(({ userId }) => ({ id: newId('notification'), userId, kind, severity: 'Error', data })),
  });
}
