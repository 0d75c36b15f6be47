import type { Transaction } from '@pdf2press/prisma';
import { makeOneTimeToken, useOneTimeToken } from './one-time-tokens.ts';
import { hashOf } from './tokens.ts';

/** Minutes that a person has to find the phone. */
const minutes = 10;
/** Wrong codes after which the password is asked for again. */
const mostWrong = 5;
const purpose = 'secondFactor';

/** What the second stage of a sign-in is asked with: it says that the password was right, and nothing else. */
export const makeChallenge = (tx: Transaction, whose: { subscriberId: string; userId: string }): Promise<string> =>
  makeOneTimeToken(tx, { ...whose, purpose, seconds: minutes * 60 });

/** Whose challenge it is; null when it is unknown, used or too old. */
export async function readChallenge(tx: Transaction, token: string): Promise<string | null> {
  const row = await tx.oneTimeToken.findUnique({ where: { hash: hashOf(token) } });
  return row && row.purpose === purpose && !row.usedAt && row.expiresAt > new Date() ? row.userId : null;
}

/** Uses a challenge up, together with what it allows; false when another request was faster. */
export const useChallenge = async (tx: Transaction, token: string): Promise<boolean> =>
  (await useOneTimeToken(tx, token, { purposes: [purpose] })) !== null;

/** Counts a wrong code; after a few the challenge is used up, also where accounts are not locked. */
export const countWrongCode = (tx: Transaction, token: string): Promise<number> => tx.$executeRaw`
  update one_time_tokens
     set data = jsonb_build_object('wrong', coalesce((data ->> 'wrong')::int, 0) + 1),
         used_at = case when coalesce((data ->> 'wrong')::int, 0) + 1 >= ${mostWrong}::int then clock_timestamp() end
   where hash = ${hashOf(token)} and purpose = ${purpose} and used_at is null`;

/** Ends what was begun with the password alone. */
export async function endChallenges(tx: Transaction, userId: string): Promise<void> {
  await tx.oneTimeToken.updateMany({ where: { userId, purpose, usedAt: null }, data: { usedAt: new Date() } });
}
