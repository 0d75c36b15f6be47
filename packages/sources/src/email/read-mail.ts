/* What a mail says of itself, as the server has read it: nothing here opens a mail's bytes. */
import { createHash } from 'node:crypto';
import { fileTypeOf } from '@pdf2press/contract';
import type { FetchMessageObject, MessageAddressObject, MessageStructureObject } from 'imapflow';
import { fits } from '../name-patterns.ts';
import type { MailboxSettings } from './contract.ts';
import type { PackedFile } from './winmail.ts';

/** What is fetched of each mail. */
export const mailQuery = {
  uid: true,
  envelope: true,
  internalDate: true,
  bodyStructure: true,
  headers: [
    'auto-submitted',
    'return-path',
    'x-pdf2press',
    // Who must not be answered, and in which language.
    'precedence',
    'list-id',
    'list-unsubscribe',
    'x-auto-response-suppress',
    'accept-language',
    'content-language',
  ],
};

export interface Attachment {
  /** Number of the part, as IMAP names it: `2.1`; of a file in a `winmail.dat`, its place in that behind it: `2/1`. */
  part: string;
  /** Where the bytes of a file in a `winmail.dat` are in the decoded part with this number. */
  packed?: { part: string; offset: number };
  /** Why it cannot be read. */
  fault?: 'mail.gone' | 'mail.winmailDamaged' | 'mail.winmailSlow';
  name: string;
  mediaType: string;
  /** As it is in the mail. */
  encodedBytes: number;
  /** As it will be, or a little more. */
  bytes: number;
}

/** Deeper and later parts are not looked at: no mail that people write has them. */
const mostDepth = 20;
const mostParts = 200;

/** Signatures and keys, which mail programs add by themselves. */
const additions = new Set([
  'application/pgp-signature',
  'application/pgp-keys',
  'application/pkcs7-signature',
  'application/x-pkcs7-signature',
  'text/x-amp-html',
]);

/** 76 characters of base64 and a line end are 57 bytes. */
const bytesOf = ({ encoding, size = 0 }: MessageStructureObject): number =>
  encoding?.toLowerCase() === 'base64' ? Math.floor((size * 57) / 78) : size;

/** A text of a mail without control characters, which databases and screens refuse. */
export const plain = (text: string | undefined): string => (text ?? '').replace(/[\p{Cc}\p{Cs}]+/gu, ' ').trim();

const named = (told: string | undefined, { part, type }: { part: string; type: string }): string => {
  const name = plain(told) || `attachment-${part}`;
  return type === 'application/pdf' && !fileTypeOf(name) ? `${name}.pdf` : name;
};
const nameOf = ({ dispositionParameters, parameters, part = '1', type }: MessageStructureObject): string =>
  named(dispositionParameters?.filename ?? parameters?.name, { part, type });

const isNamed = ({ dispositionParameters, parameters }: MessageStructureObject): boolean =>
  Boolean(dispositionParameters?.filename ?? parameters?.name);

/** A text that people read, or a picture that is shown within it. */
function isPartOfText(node: MessageStructureObject, parent: string): boolean {
  const { type, disposition, id } = node;
  if (type.startsWith('text/') && disposition !== 'attachment') return !isNamed(node) || type === 'text/html';
  if (type.startsWith('image/')) return Boolean(id) && (parent === 'multipart/related' || disposition === 'inline');
  return false;
}

/** The attachments of a mail and of the mails within it, in their order. */
export function attachmentsOf(structure: MessageStructureObject | undefined): Attachment[] {
  const found: Attachment[] = [];
  let parts = 0;
  const walk = (node: MessageStructureObject, parent: string, depth: number): void => {
    parts += 1;
    if (parts > mostParts || depth > mostDepth) return;
    if (node.childNodes) {
      for (const child of node.childNodes) walk(child, node.type, depth + 1);
      return;
    }
    if (additions.has(node.type) || node.type.startsWith('multipart/') || isPartOfText(node, parent)) return;
    const { part = '1', type, size = 0 } = node;
    found.push({
      part,
      name: nameOf(node),
      mediaType: type,
      encodedBytes: size,
      bytes: bytesOf(node),
    });
  };
  if (structure) walk(structure, '', 0);
  return found;
}

/** What Outlook and Exchange make of the attachments of a mail, whichever of its names they give it. */
export const isWinmail = ({ mediaType, name }: Attachment): boolean =>
  mediaType === 'application/ms-tnef' ||
  mediaType === 'application/vnd.ms-tnef' ||
  name.toLowerCase() === 'winmail.dat';

/** The files of a `winmail.dat` as attachments of the mail, by the same rules. */
export const packedAttachmentsOf = (winmail: Attachment, files: readonly PackedFile[]): Attachment[] =>
  files
    .filter(({ mediaType, isPartOfText: isInText }) => !isInText && !additions.has(mediaType.toLowerCase()))
    .map(({ path, name, mediaType, offset, bytes }): Attachment => {
      const type = plain(mediaType).toLowerCase() || 'application/octet-stream';
      return {
        part: `${winmail.part}/${path}`,
        packed: { part: winmail.part, offset },
        name: named(name, { part: `${winmail.part}.${path}`, type }),
        mediaType: type,
        encodedBytes: bytes,
        bytes,
      };
    });

/** The part with the mail's own text, if it has a plain one. */
export function textPartOf(node: MessageStructureObject | undefined): string | undefined {
  if (!node || node.type === 'message/rfc822') return undefined;
  if (node.childNodes) {
    for (const child of node.childNodes) {
      const part = textPartOf(child);
      if (part) return part;
    }
    return undefined;
  }
  return node.type === 'text/plain' && node.disposition !== 'attachment' ? (node.part ?? '1') : undefined;
}

/** The fields of a header by their names in lower case, unfolded. */
export function fieldsOf(headers: Buffer | undefined): ReadonlyMap<string, string> {
  const lines = (headers?.toString('latin1') ?? '').replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/);
  return new Map(
    lines.flatMap((line) => {
      const at = line.indexOf(':');
      return at < 1 ? [] : [[line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim()] as const];
    }),
  );
}

/**
 * Whether a program sent the mail in answer to another (RFC 3834 §5, RFC 3462), or this product did: taking such mails could
 * go round in a circle. `auto-generated` ones are taken, because shops send orders so.
 */
export function isAutomatic({ headers, bodyStructure }: FetchMessageObject): boolean {
  const fields = fieldsOf(headers);
  return (
    fields.has('x-pdf2press') ||
    /^auto-(replied|notified)\b/i.test(fields.get('auto-submitted') ?? '') ||
    fields.get('return-path')?.replace(/\s/g, '') === '<>' ||
    bodyStructure?.type === 'multipart/report'
  );
}

const addressesOf = (list: readonly MessageAddressObject[] | undefined): string[] =>
  (list ?? []).flatMap(({ address }) => (address ? [address] : []));

/** The sender's address; empty where the mail names none. */
export const senderOf = ({ envelope }: FetchMessageObject): string => addressesOf(envelope?.from)[0] ?? '';

/** Whether the mailbox takes mails such as this one. */
export function isWanted({ envelope }: FetchMessageObject, { subject, senders }: MailboxSettings): boolean {
  const isSubject = subject === '' || fits(envelope?.subject ?? '', subject);
  const from = addressesOf(envelope?.from);
  return isSubject && (senders.length === 0 || from.some((one) => senders.some((pattern) => fits(one, pattern))));
}

const day = 24 * 3_600_000;
export const timeOf = (date: Date | string | undefined): number => (date ? new Date(date).getTime() : Number.NaN);

/**
 * Whether a mail was there before `after`, by the time that the server received it or, a day of wrong clocks allowed, that
 * its sender wrote: a mailbox that was moved to another server may have lost the former.
 */
export const isOlder = ({ internalDate, envelope }: FetchMessageObject, after: string): boolean =>
  timeOf(internalDate) <= timeOf(after) || timeOf(envelope?.date) + day < timeOf(after);

/**
 * What identifies a mail wherever it lies and however often it comes: all that its sender wrote of it. A mail without a
 * Message-ID is known by its place as well.
 */
export function identityOf({ envelope, uid }: FetchMessageObject, uidValidity: string): readonly unknown[] {
  const { messageId, subject, date } = envelope ?? {};
  const place = messageId ? [] : [uidValidity, uid];
  return [messageId ?? null, addressesOf(envelope?.from), timeOf(date) || null, subject ?? null, ...place];
}

/** The key of a part of a mail within a mailbox. */
export function keyOf(mailboxId: string, identity: readonly unknown[], attachment: Attachment | null): string {
  const about = attachment ? [attachment.part, attachment.name, attachment.encodedBytes] : [];
  const digest = createHash('sha256')
    .update(JSON.stringify([identity, about]))
    .digest('base64url');
  return `${mailboxId} ${digest}`;
}
