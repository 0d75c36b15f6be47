import { contractMessages, fillIn, type Locale, messageOf, nearestLocale, personName } from '@pdf2press/contract';
import { Prisma, type Transaction } from '@pdf2press/prisma';
import { enqueueEffect } from '../effects/enqueue.ts';
import { readSettings } from '../secrets/settings.ts';
import type { NoticeParams } from './alarm.ts';
import { showNotice } from './notice.ts';
import { callHook } from './notice-hook.ts';

/** What begins within this time goes into one mail. */
const gather = Prisma.sql`interval '1 minute'`;
/** Nobody gets another mail of notifications before: what is told meanwhile goes into the next one. */
const pause = Prisma.sql`interval '10 minutes'`;
/** So many are written out; of more a mail tells the number. */
const shownInMail = 20;
/** Looked at in one go; the others wait a few seconds. */
const mostRows = 1000;

/** The preference of a person that lists the kinds that come by mail, too. */
export const mailedPreference = 'mailedNotices';
/** The preference that lists those that are not told at all. */
export const mutedPreference = 'mutedNotices';

/** As `showNotice` names the kind that people switch. */
const kindOf = Prisma.sql`case when notice.kind like '%.dead' then 'effect.dead' else notice.kind end`;

interface MailRow {
  id: string;
  kind: string;
  data: NoticeParams | null;
  userId: string;
  email: string;
  firstName: string;
  lastName: string;
  locale: string;
}

/** What nobody wants by mail, or is over before it was sent, is not sent. */
const dropUnwanted = (tx: Transaction): Promise<number> => tx.$executeRaw`
  update notifications notice set awaits_mail = false
   where notice.subscriber_id = current_subscriber() and notice.awaits_mail
     and (notice.ended_at is not null or not exists (
       select 1 from users person
        where person.subscriber_id = current_subscriber() and person.id = notice.user_id
          and person.is_active and person.deleted_at is null
          and coalesce(person.preferences -> ${mailedPreference}, '[]') ? (${kindOf})
          and not coalesce(person.preferences -> ${mutedPreference}, '[]') ? (${kindOf})))`;

/** The waiting ones of people whose next mail is due, the oldest first. */
const readDue = (tx: Transaction): Promise<MailRow[]> => tx.$queryRaw<MailRow[]>`
  with due as (
    select waiting.user_id from notifications waiting
     where waiting.subscriber_id = current_subscriber() and waiting.awaits_mail
       and not exists (
         select 1 from notifications sent
          where sent.subscriber_id = current_subscriber() and sent.user_id = waiting.user_id
            and sent.mailed_at > clock_timestamp() - ${pause})
     group by waiting.user_id having min(waiting.created_at) < clock_timestamp() - ${gather})
  select notice.id, notice.kind, notice.data, person.id as "userId", person.email, person.first_name as "firstName",
         person.last_name as "lastName", person.locale
    from notifications notice
    join users person on person.subscriber_id = notice.subscriber_id and person.id = notice.user_id
   where notice.subscriber_id = current_subscriber() and notice.awaits_mail
     and notice.user_id in (select user_id from due)
   order by notice.created_at, notice.id limit ${mostRows}`;

/** One notification as lines of a text: what is the matter, what to do, and where. */
function linesOf(locale: Locale, { kind, data }: Pick<MailRow, 'kind' | 'data'>, baseUrl: string): string {
  const { message, whatToDo, link } = showNotice(locale, kind, data ?? {});
  const said = whatToDo === null ? message : `${message} ${whatToDo}`;
  return link === null ? said : `${said}\n${new URL(link, baseUrl).href}`;
}

const moreOf = (locale: Locale, count: number): string =>
  fillIn(messageOf(contractMessages, locale, 'notices.more', { count }) ?? '', { count });

/** One mail to one person about everything that waits for them. */
async function mailTo(tx: Transaction, rows: readonly [MailRow, ...MailRow[]], baseUrl: string): Promise<void> {
  const [first] = rows;
  const locale = nearestLocale(first.locale);
  const shown = rows.slice(0, shownInMail);
  const rest = rows.length - shown.length;
  const { message, link } = showNotice(locale, first.kind, first.data ?? {});
  const isOne = rows.length === 1;
  await enqueueEffect(tx, {
    kind: 'mail',
    key: `mail notices ${first.id}`,
    payload: {
      template: isOne ? 'notice' : 'notices',
      to: first.email,
      name: personName(first),
      locale,
      params: {
        headline: message,
        notices: [
          ...shown.map((row) => linesOf(locale, row, baseUrl)),
          ...(rest > 0 ? [moreOf(locale, rest)] : []),
        ].join('\n'),
      },
      path: (isOne && link) || '/notification',
    },
  });
  await tx.$executeRaw`
    update notifications set awaits_mail = false, mailed_at = clock_timestamp()
     where subscriber_id = current_subscriber() and id = any (${rows.map(({ id }) => id)}::text[])`;
}

async function passOnByMail(tx: Transaction, baseUrl: string): Promise<void> {
  await dropUnwanted(tx);
  const people = new Map<string, [MailRow, ...MailRow[]]>();
  for (const row of await readDue(tx)) {
    const others = people.get(row.userId);
    if (others) others.push(row);
    else people.set(row.userId, [row]);
  }
  for (const rows of people.values()) await mailTo(tx, rows, baseUrl);
}

interface HookRow {
  id: string;
  kind: string;
  severity: string;
  data: NoticeParams | null;
  at: Date;
}

/** One of each cause that is new; how many people are told of it does not matter, nor that one more is told later. */
const readForHook = (tx: Transaction): Promise<HookRow[]> => tx.$queryRaw<HookRow[]>`
  select distinct on (notice.kind, coalesce(notice.cause, notice.data::text))
         notice.id, notice.kind, notice.severity, notice.data, notice.created_at as at
    from notifications notice
   where notice.subscriber_id = current_subscriber() and notice.awaits_hook and notice.ended_at is null
     and not exists (
       select 1 from notifications earlier
        where earlier.subscriber_id = current_subscriber() and earlier.kind = notice.kind and not earlier.awaits_hook
          and earlier.cause = notice.cause and earlier.ended_at is null)
   order by notice.kind, coalesce(notice.cause, notice.data::text), notice.created_at
   limit ${mostRows}`;

async function passOnByHook(tx: Transaction, subscriberId: string, baseUrl: string): Promise<void> {
  const settings = await readSettings(tx, subscriberId);
  const rows = settings.noticeSettings.hook.url === '' ? [] : await readForHook(tx);
  const locale = nearestLocale(settings.culture);
  const told = rows.map(({ id, kind: code, severity, data, at }) => {
    const { kind, message, whatToDo, link } = showNotice(locale, code, data ?? {});
    const place = link === null ? null : new URL(link, baseUrl).href;
    return { id, kind, code, severity, message, whatToDo, link: place, at: at.toISOString() };
  });
  await callHook(tx, settings.noticeSettings.hook, told);
  await tx.$executeRaw`
    update notifications set awaits_hook = false
     where subscriber_id = current_subscriber() and awaits_hook`;
}

/**
 * Passes new notifications on: to each person by one mail of the kinds that they want so, to the subscriber's web address by
 * one call. Each goes once, in the transaction that marks it; of several processes one does it.
 */
export async function passOn(
  tx: Transaction,
  { subscriberId, baseUrl }: { subscriberId: string; baseUrl: string },
): Promise<void> {
  const [lock] = await tx.$queryRaw<{ isTaken: boolean }[]>`
    select pg_try_advisory_xact_lock(hashtextextended('notices ' || current_subscriber(), 0)) as "isTaken"`;
  if (!lock?.isTaken) return;
  const waiting = await tx.notification.findFirst({
    where: { OR: [{ awaitsMail: true }, { awaitsHook: true }] },
    select: { id: true },
  });
  if (!waiting) return;
  await passOnByMail(tx, baseUrl);
  await passOnByHook(tx, subscriberId, baseUrl);
}
