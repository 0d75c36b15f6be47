import { problem } from '@pdf2press/contract';
import type { Transaction } from '@pdf2press/prisma';
import { hashOf } from '../auth/tokens.ts';

/** Files whose bytes may come at the same moment: of one sender, of one address that uses upload pages, of a subscriber. */
const mostAtOnce = { sender: 5, address: 3, subscriber: 50 } as const;
/** When a sender who is one too many asks again, seconds: some chunks of others have come by then. */
export const turnSeconds = 2;

/** Of an address, what the row of an upload remembers while its bytes come. */
export const markOfAddress = (ip: string): string => Buffer.from(hashOf(`upload from ${ip}`)).toString('base64url');

/** Whose turn is asked for. */
export interface Turn {
  /** The upload; none where it has not begun. */
  id?: string;
  owner: { id: string };
  /** Of whoever uses an upload page; undefined = the limit of addresses does not count. */
  from: string | undefined;
}

/**
 * Whether the bytes of one more file may come now. An upload counts while somebody writes it, and for the rest of its lease
 * where the writer was killed; paused ones do not.
 */
export async function hasTurn(tx: Transaction, { id = '', owner, from }: Turn): Promise<boolean> {
  const [counted] = await tx.$queryRaw<{ own: number; near: number; all: number }[]>`
    select count(*) filter (where principal ->> 'id' = ${owner.id})::int as own,
           count(*) filter (where metadata ->> 'from' = ${from ?? ''})::int as near,
           count(*)::int as all
      from uploads
     where state = 'Open' and id <> ${id} and (metadata ->> 'until')::timestamptz > clock_timestamp()`;
  const { own = 0, near = 0, all = 0 } = counted ?? {};
  const isNear = from !== undefined && near >= mostAtOnce.address;
  return own < mostAtOnce.sender && !isNear && all < mostAtOnce.subscriber;
}

/** @throws ProblemError `upload.busy` with the seconds to wait */
export async function demandTurn(tx: Transaction, turn: Turn): Promise<void> {
  if (!(await hasTurn(tx, turn))) throw problem('upload.busy', { seconds: turnSeconds });
}

/** Lets the beginnings of one subscriber wait for each other until the transaction ends, so that none is missed in the count. */
export const queueForTurn = (tx: Transaction): Promise<unknown> =>
  tx.$queryRaw`select pg_advisory_xact_lock(hashtextextended('upload turn ' || current_subscriber(), 0))::text`;
