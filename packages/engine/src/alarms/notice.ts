import { contractMessages, fillIn, type Locale, messageOf, type Permission, sentence } from '@pdf2press/contract';
import { effectContracts } from '../effects/catalogue.ts';
import { deathOf } from '../effects/words.ts';
import { sessionNotices } from '../sessions/notices.ts';
import type { Alarm, NoticeParams } from './alarm.ts';
import { alarms } from './catalogue.ts';

/** What a notification is shown as. */
export interface ShownNotice {
  /** What people mute: its own code, or `effect.dead` for everything that was given up. */
  kind: string;
  message: string;
  /** What a person can do about it; null = the message says it. */
  whatToDo: string | null;
  /** The page where it is looked at or put right. */
  link: string | null;
}

const deadKind = 'effect.dead';
const byKind: ReadonlyMap<string, Alarm> = new Map(alarms);
const isDeath = (code: string): boolean => code.endsWith('.dead');

/** What people said about a session stands in a tab of its own. */
const inDiscussion: ReadonlySet<string> = new Set(['session.mentioned', 'session.assigned']);
/** Where effects are put right that belong to no session, or whose session says nothing of them. */
const pages: Readonly<Record<string, string>> = {
  'mail.dead': '/settings?tab=mail',
  'archive.dead': '/settings?tab=archiving',
  'archiveRemove.dead': '/settings?tab=archiving',
  'unarchive.dead': '/settings?tab=archiving',
};

function linkOf(code: string, params: NoticeParams): string | null {
  const alarm = byKind.get(code);
  const encoded = Object.entries(params).map(([name, value]) => [name, encodeURIComponent(String(value))]);
  if (alarm) return fillIn(alarm.leads, Object.fromEntries(encoded));
  const page = pages[code];
  if (page) return page;
  // Its calls are there, with the answers to them; a session says nothing of one that is not its own.
  if (code === 'webhook.dead' && params.webhookId !== undefined) return '/webhooks';
  if (typeof params.sessionId !== 'string') return null;
  return `/workflows/session/${params.sessionId}${inDiscussion.has(code) ? '#comments' : ''}`;
}

/** A fault among the parameters becomes the sentence for it. */
const worded = (locale: Locale, params: NoticeParams): NoticeParams =>
  typeof params.fault === 'string'
    ? {
        ...params,
        reason: sentence(contractMessages, locale, params.fault, (params.faultParams ?? {}) as NoticeParams),
      }
    : params;

/** The words of a notification in a language, and where it leads. */
export function showNotice(locale: Locale, code: string, data: NoticeParams): ShownNotice {
  const death = deathOf(locale, code, data);
  const link = linkOf(code, data);
  if (death) return { kind: deadKind, message: death.title, whatToDo: death.whatToDo, link };
  const params = worded(locale, data);
  const whatToDo = messageOf(contractMessages, locale, `${code}.whatToDo`, params);
  return {
    kind: isDeath(code) ? deadKind : code,
    message: sentence(contractMessages, locale, code, params),
    whatToDo: whatToDo === undefined ? null : fillIn(whatToDo, params),
    link,
  };
}

/** Whom a kind is told: everybody, those with one of the permissions, or the administrators of the installation. */
type Audience = 'all' | 'house' | readonly Permission[];

const tellingEffects = Object.values(effectContracts).flatMap(({ tells }) => (tells ? [tells] : []));

/** The kinds that somebody may mute, each with whom it is told; their names are the messages `noticeKind.<kind>`. */
export const noticeKinds: readonly { kind: string; to: Audience }[] = [
  ...sessionNotices.map((kind) => ({ kind, to: 'all' as const })),
  { kind: deadKind, to: tellingEffects },
  ...alarms.map(([kind, alarm]) => ({ kind, to: alarm.of === 'house' ? ('house' as const) : [alarm.tells] })),
];
