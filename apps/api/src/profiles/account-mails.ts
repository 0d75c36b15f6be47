import { problem } from '@pdf2press/contract';
import { readSettings } from '@pdf2press/engine';
import type { Transaction } from '@pdf2press/prisma';
import { hostAdministrators } from '../auth/caller-cache.ts';
import type { ApiDeps } from '../deps.ts';
import type { Caller } from '../frame/caller.ts';
import { demandAboveAll } from '../roles/grants.ts';

/*
 * One communication profile may be named by the settings for messages about accounts. These hold the links with which people choose
 * their passwords: whoever words them could have such a link sent on to a place of their own.
 */

const isNamed = async (tx: Transaction, { subscriberId }: Caller, id: string): Promise<boolean> =>
  (await readSettings(tx, subscriberId)).mailSettings.accountProfileId === id;

/** That a profile may go, or become an organization's. @throws ProblemError `profile.writesToAccounts` */
export async function demandNotOfAccounts(tx: Transaction, caller: Caller, id: string): Promise<void> {
  if (await isNamed(tx, caller, id)) throw problem('profile.writesToAccounts');
}

/**
 * That a caller may change the words of messages about accounts, where these are sent: as for naming the mail server, it takes every
 * permission that anybody of the subscriber has.
 * @throws ProblemError `access.denied`
 */
export async function demandWordsOfAccounts(
  tx: Transaction,
  deps: ApiDeps,
  caller: Caller,
  { id, before, after }: { id: string; before: Record<string, unknown>; after: Record<string, unknown> },
): Promise<void> {
  if (JSON.stringify(before.accounts) === JSON.stringify(after.accounts) || !(await isNamed(tx, caller, id))) return;
  await demandAboveAll(tx, caller, await deps.db.asHost(hostAdministrators));
}

/** That the settings may name a profile for messages about accounts: one of the whole house. @throws ProblemError as above, `resource.notFound` */
export async function demandProfileOfAccounts(tx: Transaction, id: string): Promise<void> {
  if (id === '') return;
  const where = { id, kind: 'communication', deletedAt: null, organizationId: null };
  if (!(await tx.profile.findFirst({ where }))) throw problem('resource.notFound', {}, 'mailSettings.accountProfileId');
}
