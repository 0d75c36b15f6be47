import { newId, type Transaction } from '@pdf2press/prisma';
import { hashOf, randomToken } from './tokens.ts';

/** Minutes that a person has to find the phone. */
const minutes = 10;
/** Wrong codes after which the password is asked for again. */
const mostWrong = 5;
const purpose = 'secondFactor';

/** What the second stage of a sign-in is asked with: it says that the password was right, and nothing else. */
export async function makeChallenge(
  tx: Transaction,
  { subscriberId, userId }: { subscriberId: string; userId: string },
): Promise<string> {
  const token = randomToken();
  await tx.oneTimeToken.create({
    data: {
      id: newId('oneTimeToken'),
      subscriberId,
      userId,
      purpose,
      hash: hashOf(token),
      expiresAt: new Date(Date.now() + minutes * 60_000),
    },
  });
  return token;
}

/** Whose challenge it is; null when it is unknown, used or too old. */
export async function readChallenge(tx: Transaction, token: string): Promise<string | null> {
  const row = await tx.oneTimeToken.findUnique({ where: { hash: hashOf(token) } });
  return row && row.purpose === purpose && !row.usedAt && row.expiresAt > new Date() ? row.userId : null;
}

/** Uses a challenge up, together with what it allows; false when another request was faster. */
export async function useChallenge(tx: Transaction, token: string): Promise<boolean> {
  const rows = await tx.$executeRaw`
    update one_time_tokens set used_at = clock_timestamp()
     where hash = ${hashOf(token)} and purpose = ${purpose} and used_at is null and expires_at > clock_timestamp()`;
  return rows > 0;
}

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
