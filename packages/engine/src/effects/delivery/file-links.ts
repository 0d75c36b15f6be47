import { createHmac } from 'node:crypto';
import type { Locale } from '@pdf2press/contract';
import { newId, type Transaction } from '@pdf2press/prisma';
import { linkHashOf } from '../../proofs/link.ts';
import type { InstanceKeys } from '../../secrets/instance-key.ts';

export interface NewFileLink {
  subscriberId: string;
  sessionId: string;
  fileId: string;
  /** The key of the delivery: its link is made once. */
  cause: string;
  /** The name that the file is delivered under. */
  name: string;
  locale: Locale;
  days: number;
}

/**
 * The secret of a link: 256 bits made from the installation's key, so that a repeated message holds the same link although
 * only its hash is stored.
 */
const secretOf = (keys: InstanceKeys, { subscriberId, cause }: Pick<NewFileLink, 'subscriberId' | 'cause'>): string =>
  createHmac('sha256', keys.derive('file links')).update(`${subscriberId} ${cause}`).digest('base64url');

/** Opens a link to a file, or finds the one that was opened for the same cause. Resolves to its path and its end. */
export async function openFileLink(
  tx: Transaction,
  keys: InstanceKeys,
  link: NewFileLink,
): Promise<{ path: string; expiresAt: Date }> {
  const { sessionId, fileId, cause, name, locale, days } = link;
  const secret = secretOf(keys, link);
  await tx.$executeRaw`
    insert into file_links (id, session_id, file_id, cause, name, link_hash, locale, expires_at)
    values (${newId('fileLink')}, ${sessionId}, ${fileId}, ${cause}, ${name}, ${linkHashOf(secret)}, ${locale},
            clock_timestamp() + make_interval(days => ${days}::int))
    on conflict (subscriber_id, cause) do nothing`;
  const { expiresAt } = await tx.fileLink.findFirstOrThrow({ where: { cause }, select: { expiresAt: true } });
  return { path: `/delivered/${secret}`, expiresAt };
}
