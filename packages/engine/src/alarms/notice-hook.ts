import type { SystemSettings } from '@pdf2press/contract';
import type { AllowedHost } from '@pdf2press/mail';
import { Prisma, type Transaction } from '@pdf2press/prisma';
import { enqueueEffect } from '../effects/enqueue.ts';
import { callOnce } from '../effects/webhook/call-once.ts';
import { sessionNotices } from '../sessions/notices.ts';
import type { SubscriberAlarm } from './alarm.ts';

export type NoticeHook = SystemSettings['noticeSettings']['hook'];

/** What a web address is told of one notification. */
export interface HookNotice {
  id: string;
  /** As it is switched off; `code` is more exact. */
  kind: string;
  code: string;
  severity: string;
  message: string;
  whatToDo: string | null;
  link: string | null;
  at: string;
}

const keyStart = 'webhook notices ';
/** That the address does not answer is not told to it. */
const failingKind = 'noticeHook.failing';
/** What one person is told of a session is theirs. */
const personal: ReadonlySet<string> = new Set([...sessionNotices, failingKind]);
const headers = [{ name: 'Content-Type', value: 'application/json' }];
const bodyOf = (notifications: readonly HookNotice[]): string =>
  JSON.stringify({ event: 'notifications', notifications });

/** Whether a kind may go to the web address of a subscriber. */
export const goesByHook = (kind: string): boolean => !personal.has(kind);

/** Records the call of the address with these notifications, as far as it is to be told of their kinds. */
export async function callHook(
  tx: Transaction,
  { url, secret, muted }: NoticeHook,
  notices: readonly HookNotice[],
): Promise<void> {
  const told = notices.filter(({ kind }) => goesByHook(kind) && !muted.includes(kind));
  const [first] = told;
  if (!first || url === '') return;
  await enqueueEffect(tx, {
    kind: 'webhook',
    key: `${keyStart}${first.id}`,
    payload: {
      url,
      method: 'POST',
      headers,
      body: bodyOf(told),
      secretId: secret ?? '',
      authorizationId: '',
      paths: [],
      maxTries: null,
    },
  });
}

/**
 * Calls an address with a notification that says that it is a test.
 * @throws ProblemError `hook.blocked`, `noticeHook.unreachable`, `noticeHook.refused`
 */
export async function tryNoticeHook(
  { url, secret, notice }: { url: string; secret: string | null; notice: HookNotice },
  allowedHosts: readonly AllowedHost[],
): Promise<void> {
  await callOnce({ url, secret, body: bodyOf([notice]) }, allowedHosts);
}

/** Written out, so that the index of these calls is used. */
const isNoticeCall = Prisma.raw(`kind = 'webhook' and key like '${keyStart}%'`);

/** Calls of the present address that fail for a while, or were given up, with none after them that went through. */
export const noticeHookFailing: SubscriberAlarm = {
  of: 'subscriber',
  severity: 'Warning',
  tells: 'webhooks.manage',
  leads: '/settings?tab=notices',
  look: async (tx) => {
    const rows = await tx.$queryRaw<{ url: string }[]>`
      with call as (
        select state, attempt, payload ->> 'url' as url, created_at from effects
         where subscriber_id = current_subscriber() and ${isNoticeCall}
           and created_at > clock_timestamp() - interval '2 days')
      select failed.url from call failed
        join system_settings on system_settings.subscriber_id = current_subscriber()
                            and extra -> 'noticeSettings' -> 'hook' ->> 'url' = failed.url
       where (failed.state = 'Dead' or (failed.state <> 'Done' and failed.attempt >= 3))
         and not exists (select 1 from call later where later.state = 'Done' and later.created_at > failed.created_at)
       limit 1`;
    return rows.map(({ url }) => ({ id: 'hook', params: { host: new URL(url).host } }));
  },
};
