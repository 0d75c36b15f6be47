import type { Transaction } from '@pdf2press/prisma';
import type { ApiDeps } from '../deps.ts';
import { type Caller, contextOf } from './caller.ts';

/** One transaction as the caller: sees and writes what is theirs, by both halves of the tenant wall. */
export const asCaller = <T>(deps: ApiDeps, caller: Caller, work: (tx: Transaction) => Promise<T>): Promise<T> =>
  deps.db.withSubscriber(contextOf(caller), work);
