import { createHmac } from 'node:crypto';
import { isFinal, sessionStatuses } from '@pdf2press/contract';
import { Prisma, type Transaction } from '@pdf2press/prisma';
import type { InstanceKeys } from '../secrets/instance-key.ts';
import { isHeld } from '../sessions/session-row.ts';

/** Somebody by their address, with what else leads to rows of theirs. */
export interface Person {
  /** Lower case. */
  email: string;
  /** Stands in place of the address where a row stays: the same each time, and no mail server takes it (RFC 2606). */
  placeholder: string;
  /** Of Postgres: the address as a whole, so that `an@example.com` is not found in `jan@example.com`. */
  pattern: string;
  /** Null = has no account. */
  userId: string | null;
  /** Of the account; empty = none. */
  name: string;
  /** Ids of the sessions whose files came from the address, with those that were made of them. */
  sent: readonly string[];
  /** Those of them that an erasure deletes. */
  going: readonly string[];
  /** Ids by which they were asked about proofs. */
  recipients: readonly string[];
}

const openStatuses = sessionStatuses.filter((status) => !isFinal(status));

/** Why a row of `sessions` must stay as it is: `legalHold`, `running`, or null. */
export const staysBecause = Prisma.sql`
  case when ${isHeld} and not is_trial then 'legalHold'
       when status::text = any(${openStatuses}::text[]) or archive_state in ('Archiving', 'Unarchiving') then 'running' end`;

/** The address as a pattern. In the text of a JSON column a line feed before it is written as `\n`. */
export const patternOf = (email: string): string =>
  `(?:(?<![a-z0-9._%+-])|(?<=\\\\[nrtbf]))${email.replace(/[.*+?^$|(){}[\]\\]/g, '\\$&')}(?![a-z0-9-])(?!\\.[a-z0-9])`;

/** What was sent from the address, by the form of an upload page or by mail. */
const readSent = (tx: Transaction, { email, pattern }: Pick<Person, 'email' | 'pattern'>): Promise<{ id: string }[]> =>
  tx.$queryRaw<{ id: string }[]>`
    with recursive sent as (
      select id from sessions
       where emptied_at is null
         and (lower(variables ->> 'upload.email') = ${email} or source = 'Email' and source_name ~* ${pattern})
      union
      select made.id from sessions made join sent on sent.id in (made.parent_session_id, made.trial_of_id)
       where made.emptied_at is null)
    select id from sent order by id`;

/**
 * Finds a person within the transaction's subscriber, whoever they are: there need be no account.
 * @param willErase locks the sessions that go, in the order of their ids, so that none begins to run meanwhile
 */
export async function findPerson(
  tx: Transaction,
  keys: InstanceKeys,
  asked: { email: string; willErase?: boolean },
): Promise<Person> {
  const email = asked.email.toLowerCase();
  const key = createHmac('sha256', keys.derive('erased people')).update(email).digest('hex').slice(0, 16);
  const pattern = patternOf(email);
  const user = await tx.user.findFirst({ where: { email }, select: { id: true, firstName: true, lastName: true } });
  const sent = (await readSent(tx, { email, pattern })).map(({ id }) => id);
  if (asked.willErase)
    await tx.$queryRaw`select id from sessions where id = any(${sent}::text[]) order by id for update`;
  const states = await tx.$queryRaw<{ id: string; reason: string | null }[]>`
    select id, ${staysBecause} as reason from sessions where id = any(${sent}::text[])`;
  const recipients = await tx.$queryRaw<{ id: string }[]>`
    select id from proof_recipients where lower(email) = ${email}`;
  return {
    email,
    placeholder: `erased-${key}@erased.invalid`,
    pattern,
    userId: user?.id ?? null,
    name: user ? `${user.firstName} ${user.lastName}`.trim() : '',
    sent,
    going: states.filter(({ reason }) => reason === null).map(({ id }) => id),
    recipients: recipients.map(({ id }) => id),
  };
}
