import { problem } from '@pdf2press/contract';
import type { Transaction } from '@pdf2press/prisma';
import type { ApiDeps } from '../deps.ts';
import { makeOneTimeToken, useOneTimeToken } from './one-time-tokens.ts';

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
  await tx.oneTimeToken.updateMany({
    where: { subscriberId, userId, usedAt: null, ...(userId ? {} : { purpose }) },
    data: { usedAt: new Date() },
  });
  const { seconds } = purposes[purpose];
  const token = await makeOneTimeToken(tx, { subscriberId, userId, purpose, seconds });
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
  const used = await useOneTimeToken(tx, token, { purposes: wanted });
  if (!used) throw problem('auth.linkInvalid');
  return used;
}
