import { newId, type Transaction } from '@pdf2press/prisma';
import { hashOf, randomToken } from './tokens.ts';

interface Wanted {
  subscriberId: string;
  /** Whose token it is; null before there is a person. */
  userId: string | null;
  purpose: string;
  /** Lifetime. */
  seconds: number;
  /** Kept beside the token, and told to whoever uses it. */
  data?: Record<string, string | boolean>;
}

/** Makes a token that is good for one use; only its hash is stored. */
export async function makeOneTimeToken(tx: Transaction, { seconds, data, ...token }: Wanted): Promise<string> {
  const secret = randomToken();
  await tx.oneTimeToken.create({
    data: {
      ...token,
      id: newId('oneTimeToken'),
      hash: hashOf(secret),
      expiresAt: new Date(Date.now() + seconds * 1000),
      ...(data && { data }),
    },
  });
  return secret;
}

interface Use {
  purposes: readonly string[];
  /** A token of somebody else is no token. */
  userId?: string;
  /** What must stand beside the token. */
  data?: Record<string, string>;
}

export interface UsedToken {
  subscriberId: string;
  userId: string | null;
  data: unknown;
}

/**
 * Uses a token up, in the transaction of what it allows; of several requests at once, one gets it. Null for one that is
 * unknown, used, expired or another's: which of these is told to nobody.
 */
export async function useOneTimeToken(
  tx: Transaction,
  token: string,
  { purposes, userId, data = {} }: Use,
): Promise<UsedToken | null> {
  const [row] = await tx.$queryRaw<{ subscriber_id: string; user_id: string | null; data: unknown }[]>`
    update one_time_tokens set used_at = clock_timestamp()
     where hash = ${hashOf(token)} and purpose = any(${[...purposes]}) and used_at is null
       and expires_at > clock_timestamp() and (${userId ?? null}::text is null or user_id = ${userId ?? null})
       and data @> ${JSON.stringify(data)}::jsonb
    returning subscriber_id, user_id, data`;
  return row ? { subscriberId: row.subscriber_id, userId: row.user_id, data: row.data } : null;
}
