import { problem } from '@pdf2press/contract';
import { newId, type Transaction } from '@pdf2press/prisma';
import type { ApiDeps } from '../deps.ts';
import { hashOf, randomToken } from './tokens.ts';

/** Kinds of one-time links: lifetime in seconds, and page. The token is in the fragment, which no server logs. */
const purposes = {
  setup: { seconds: 7 * 86_400, path: '/setup' },
  activation: { seconds: 3 * 86_400, path: '/reset-password' },
  reset: { seconds: 1800, path: '/reset-password' },
} as const;
export type LinkPurpose = keyof typeof purposes;
export const minutesOf = (purpose: LinkPurpose): number => purposes[purpose].seconds / 60;

/** Makes a link; links of the same purpose for the same person, made earlier, no longer work. */
export async function makeLink(
  deps: ApiDeps,
  tx: Transaction,
  { purpose, subscriberId, userId }: { purpose: LinkPurpose; subscriberId: string; userId: string | null },
): Promise<string> {
  const token = randomToken();
  await tx.oneTimeToken.updateMany({
    where: { subscriberId, userId, usedAt: null, ...(userId ? {} : { purpose }) },
    data: { usedAt: new Date() },
  });
  await tx.oneTimeToken.create({
    data: {
      id: newId('oneTimeToken'),
      subscriberId,
      userId,
      purpose,
      hash: hashOf(token),
      expiresAt: new Date(Date.now() + purposes[purpose].seconds * 1000),
    },
  });
  return `${deps.env.publicUrl}${purposes[purpose].path}#token=${token}`;
}

/**
 * Uses up the token of a link, in the transaction of what it allows.
 * @throws ProblemError `auth.linkInvalid`, the same for unknown, used and expired ones
 */
export async function takeLink(
  tx: Transaction,
  token: string,
  wanted: readonly LinkPurpose[],
): Promise<{ subscriberId: string; userId: string | null }> {
  const rows = await tx.$queryRaw<{ subscriber_id: string; user_id: string | null }[]>`
    update one_time_tokens set used_at = clock_timestamp()
     where hash = ${hashOf(token)} and purpose = any(${[...wanted]}) and used_at is null and expires_at > clock_timestamp()
    returning subscriber_id, user_id`;
  const [row] = rows;
  if (!row) throw problem('auth.linkInvalid');
  return { subscriberId: row.subscriber_id, userId: row.user_id };
}
