/* Whether the sender of a mail is answered, and how. */
import { createHash } from 'node:crypto';
import type { FetchMessageObject } from 'imapflow';
import type { SourceAnswer } from '../source.ts';
import type { MailboxSettings } from './contract.ts';
import { fieldsOf, senderOf, timeOf } from './read-mail.ts';

/** Older mails are not answered: a mailbox that is connected for the first time may hold those of years. */
const mostAgeMs = 48 * 3_600_000;

/** Addresses that nobody reads. */
const unread = /^(no-?reply|do-?not-?reply|donotreply|mailer-daemon|postmaster|bounces?|abuse|root)([+@.-]|$)/i;
const address = /^[^\s<>,;:"@]{1,64}@[^\s<>,;:"@]{1,190}$/;
const messageName = /^<[^\s<>]{1,250}>$/;

/**
 * Whether a person may have sent the mail and expects an answer (RFC 3834 §2): programs, mailing lists and those that ask for none
 * are never answered, nor is the mailbox itself.
 */
function expectsAnswer({ headers, envelope }: FetchMessageObject, to: string, { username }: MailboxSettings): boolean {
  const fields = fieldsOf(headers);
  const is = (name: string, pattern: RegExp) => pattern.test(fields.get(name) ?? '');
  return (
    envelope?.from?.length === 1 &&
    address.test(to) &&
    !unread.test(to) &&
    to.toLowerCase() !== username.toLowerCase() &&
    !fields.has('x-pdf2press') &&
    !(fields.has('auto-submitted') && !is('auto-submitted', /^no\b/i)) &&
    !is('precedence', /^(bulk|list|junk)\b/i) &&
    !fields.has('list-id') &&
    !fields.has('list-unsubscribe') &&
    !is('x-auto-response-suppress', /\b(all|autoreply|oof)\b/i)
  );
}

/** Letters and digits that nobody takes for one another when they are read out. */
const readable = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
/** Such as `K7M2-9QXD`; the same for the same mail. */
const referenceOf = (key: string): string =>
  [...createHash('sha256').update(key).digest().subarray(0, 8)]
    .map((byte) => readable[byte % readable.length])
    .join('')
    .replace(/^.{4}/, '$&-');

/** What the headers say of languages: `de-DE, en;q=0.5`. */
const languagesOf = ({ headers }: FetchMessageObject): string[] => {
  const fields = fieldsOf(headers);
  return [fields.get('accept-language'), fields.get('content-language')]
    .flatMap((list) => (list ?? '').split(','))
    .map((tag) => tag.split(';')[0]?.trim() ?? '')
    .filter((tag) => /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(tag))
    .slice(0, 10);
};

/**
 * How the sender of a mail is answered; undefined where they are not. A mail without files is answered only where it begins a
 * conversation: a thank-you is none.
 */
export function answerTo(
  mail: FetchMessageObject,
  settings: MailboxSettings,
  { key, count, hasFiles }: { key: string; count: number; hasFiles: boolean },
): Omit<SourceAnswer, 'no'> | undefined {
  const to = senderOf(mail);
  const { envelope } = mail;
  const isFresh = Date.now() - timeOf(mail.internalDate) < mostAgeMs;
  if (!settings.answersSenders || !isFresh || (!hasFiles && envelope?.inReplyTo)) return undefined;
  if (!expectsAnswer(mail, to, settings)) return undefined;
  const messageId = envelope?.messageId ?? '';
  return {
    key,
    count,
    to,
    reference: referenceOf(key),
    languages: languagesOf(mail),
    messageId: messageName.test(messageId) ? messageId : null,
  };
}
