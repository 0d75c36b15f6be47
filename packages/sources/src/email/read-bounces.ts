/* What a report of a mail server says of a message that it could not deliver (RFC 3462, RFC 3464). */
import type { FetchMessageObject, ImapFlow, MessageStructureObject } from 'imapflow';
import type { SourceBounce } from '../source.ts';
import { fieldsOf, plain, timeOf } from './read-mail.ts';

/** Of each part of a report; statuses and headers are a few kilobytes. */
const mostPartBytes = 64 * 1024;
const mostBounces = 50;
const mostSaid = 500;

/** The part of a report with one of these types; what is within the returned message is not looked at. */
const partOf = ({ childNodes = [] }: MessageStructureObject, types: readonly string[]): string | undefined =>
  childNodes.find(({ type }) => types.includes(type))?.part;

async function readPart(client: ImapFlow, uid: number, part: string): Promise<Buffer> {
  const { content } = await client.download(String(uid), part, { uid: true, maxBytes: mostPartBytes });
  const pieces: Buffer[] = [];
  for await (const piece of content ?? []) pieces.push(Buffer.from(piece as Uint8Array));
  return Buffer.concat(pieces);
}

/** The fields of a part up to its first empty line, or of each of its groups that such lines part. */
const groupsOf = (bytes: Buffer): ReadonlyMap<string, string>[] =>
  bytes
    .toString('latin1')
    .split(/\r?\n\r?\n/)
    .map((group) => fieldsOf(Buffer.from(group, 'latin1')));

/** The value behind the type of an address or a diagnosis: `rfc822; anna@example.com`. */
const untyped = (value: string | undefined): string => plain(value?.replace(/^[^;]*;/, ''));

/**
 * The addresses that a report says a message did not reach, for good. None for other mails, and where the report does not
 * say which message it is about.
 */
export async function readBounces(
  client: ImapFlow,
  { uid, bodyStructure, internalDate }: FetchMessageObject,
): Promise<SourceBounce[]> {
  if (bodyStructure?.type !== 'multipart/report') return [];
  const status = partOf(bodyStructure, ['message/delivery-status', 'message/global-delivery-status']);
  const returned = partOf(bodyStructure, [
    'message/rfc822',
    'text/rfc822-headers',
    'message/global',
    'message/global-headers',
  ]);
  if (!status || !returned) return [];
  const messageId = groupsOf(await readPart(client, uid, returned))[0]?.get('message-id') ?? '';
  if (!/^<[^\s<>]{1,250}>$/.test(messageId)) return [];
  const received = timeOf(internalDate);
  return groupsOf(await readPart(client, uid, status))
    .filter((fields) => fields.has('final-recipient') && /^failed\b/i.test(fields.get('action') ?? ''))
    .slice(0, mostBounces)
    .map((fields) => ({
      messageId,
      // Where a message was passed on, the address that it was written to.
      addresses: [untyped(fields.get('original-recipient')), untyped(fields.get('final-recipient'))].filter(Boolean),
      said: [plain(fields.get('status')), untyped(fields.get('diagnostic-code'))].join(' ').trim().slice(0, mostSaid),
      at: new Date(Number.isNaN(received) ? Date.now() : received),
    }));
}
