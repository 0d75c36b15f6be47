/* The attachments of a mail and their bytes, also of those that Outlook has packed into a `winmail.dat`. */
import { ProblemError, problem, type WorkflowVariable } from '@pdf2press/contract';
import type { FetchMessageObject, ImapFlow } from 'imapflow';
import type { MailboxSettings } from './contract.ts';
import { mailboxFault } from './open-mailbox.ts';
import { type Attachment, attachmentsOf, isWinmail, packedAttachmentsOf } from './read-mail.ts';
import { listPackedFiles, readPackedFile } from './winmail.ts';

const chunkBytes = 1024 * 1024;
/** How long the `winmail.dat` of a mail may be looked through, milliseconds: less than a poll waits for its next item. */
const mostUnpackingMs = 40_000;

/** An opened folder, and what is done with its mails. */
export interface Mailbox {
  client: ImapFlow;
  id: string;
  settings: MailboxSettings;
  uidValidity: string;
  /** Those of the workflow. */
  variables: readonly WorkflowVariable[];
  /** UIDs that are done with, of mails behind one that waits. */
  settled: Set<number>;
  /** Attachments of mails that have a `winmail.dat`, by the UIDs of those that are not done with. */
  unpacked: Map<number, Attachment[]>;
}

/** The bytes of a part of a mail, decoded. @throws ProblemError `mail.gone` */
async function* readPart({ client }: Mailbox, uid: number, part: string): AsyncGenerator<Uint8Array> {
  try {
    const options = { uid: true, chunkSize: chunkBytes, decodeText: false };
    const { content } = await client.download(String(uid), part, options);
    if (!content) throw problem('mail.gone');
    for await (const piece of content) yield piece;
  } catch (error) {
    throw mailboxFault(error);
  }
}

/** The bytes of an attachment. @throws ProblemError `mail.gone`, `file.tooLarge`, `file.tooSmall` */
export async function* readAttachment(
  mailbox: Mailbox,
  uid: number,
  attachment: Attachment,
): AsyncGenerator<Uint8Array> {
  const { minBytes, maxBytes } = mailbox.settings;
  const { packed, part, bytes } = attachment;
  const pieces = packed
    ? readPackedFile(readPart(mailbox, uid, packed.part), { offset: packed.offset, bytes })
    : readPart(mailbox, uid, part);
  let read = 0;
  for await (const piece of pieces) {
    read += piece.length;
    if (maxBytes !== null && read > maxBytes) throw problem('file.tooLarge', { limit: maxBytes });
    yield piece;
  }
  if (minBytes !== null && read < minBytes) throw problem('file.tooSmall', { limit: minBytes });
}

/** Bytes up to a time. @throws ProblemError `mail.winmailSlow` */
async function* until(ends: number, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of bytes) {
    if (performance.now() > ends) throw problem('mail.winmailSlow');
    yield piece;
  }
}

/** What is in a `winmail.dat`; where that could not be found out, itself with the fault, behind what is whole. */
async function unpack(mailbox: Mailbox, uid: number, winmail: Attachment, ends: number): Promise<Attachment[]> {
  try {
    const { files, isDamaged } = await listPackedFiles(until(ends, readPart(mailbox, uid, winmail.part)));
    const found = packedAttachmentsOf(winmail, files);
    return isDamaged ? [...found, { ...winmail, fault: 'mail.winmailDamaged' }] : found;
  } catch (error) {
    const code = error instanceof ProblemError ? error.problems[0]?.code : undefined;
    if (code !== 'mail.gone' && code !== 'mail.winmailSlow') throw error;
    return [{ ...winmail, fault: code }];
  }
}

/**
 * The attachments of a mail, those in a `winmail.dat` as if they were its own. What is in one is kept until the mail is done
 * with: a mail may wait for long, and is looked at with every poll.
 */
export async function allAttachmentsOf(
  mailbox: Mailbox,
  { uid, bodyStructure }: FetchMessageObject,
): Promise<Attachment[]> {
  const attachments = attachmentsOf(bodyStructure);
  if (!attachments.some(isWinmail)) return attachments;
  const kept = mailbox.unpacked.get(uid);
  if (kept) return kept;
  const ends = performance.now() + mostUnpackingMs;
  const all: Attachment[] = [];
  for (const one of attachments) all.push(...(isWinmail(one) ? await unpack(mailbox, uid, one, ends) : [one]));
  mailbox.unpacked.set(uid, all);
  return all;
}
