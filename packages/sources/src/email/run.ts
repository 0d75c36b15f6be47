import { fileTypeOf, type Problem, SourceFaultError } from '@pdf2press/contract';
import type { FetchMessageObject, ImapFlow } from 'imapflow';
import type { z } from 'zod';
import { goneItem, type SourceBounce, type SourceItem, type SourceRunner, type SourceTools } from '../source.ts';
import { answerTo } from './answer-to.ts';
import type { emailContract, MailboxSettings } from './contract.ts';
import { credentialsOf } from './credentials.ts';
import { mailboxFault, type OpenedFolder, openFolder, signIn } from './open-mailbox.ts';
import { allAttachmentsOf, type Mailbox, readAttachment } from './read-attachments.ts';
import { readBounces } from './read-bounces.ts';
import {
  type Attachment,
  identityOf,
  isAutomatic,
  isOlder,
  isWanted,
  keyOf,
  mailQuery,
  plain,
  senderOf,
  textPartOf,
  timeOf,
} from './read-mail.ts';
import { valuesOf } from './read-values.ts';

type Cursor = z.output<typeof emailContract.cursor>;
type Item = SourceItem<Cursor>;

/** Mails whose descriptions are asked for at once. */
const batch = 50;
/** Of a mail's text, what is read for variables. */
const mostTextBytes = 16 * 1024;

/** Whether the message that did not arrive is one of this product. */
const isOwn = ({ messageId }: SourceBounce): boolean => messageId.endsWith('@pdf2press>');

/** The UIDs above `uid` in their order. A range to `*` always contains the last mail. */
async function uidsAbove(client: ImapFlow, uid: number): Promise<number[]> {
  const found = (await client.search({ uid: `${uid + 1}:*`, deleted: false }, { uid: true })) || [];
  return found.filter((one) => one > uid).sort((a, b) => a - b);
}

const describe = async (client: ImapFlow, uids: readonly number[]): Promise<FetchMessageObject[]> =>
  (await client.fetchAll(uids.join(','), mailQuery, { uid: true })).sort((a, b) => a.uid - b.uid);

/** Where a mailbox begins that was not looked into before. */
async function firstCursor(
  client: ImapFlow,
  { uidValidity, exists }: OpenedFolder,
  startWith: string,
): Promise<Cursor> {
  const start = { uidValidity, uid: 0, after: null, oldBelow: 0 };
  if (startWith === 'all' || exists === 0) return start;
  const newest = await client.fetchOne('*', { uid: true, internalDate: true });
  if (!newest) return start;
  const received = timeOf(newest.internalDate);
  return {
    ...start,
    uid: newest.uid,
    after: Number.isNaN(received) ? null : new Date(received).toISOString(),
  };
}

/** What becomes of a mail when all that it holds is settled. */
async function finish(
  { client, settings }: Mailbox,
  uid: number,
  { hasRefused, wasRefused }: { hasRefused: boolean; wasRefused: boolean },
): Promise<void> {
  const { after, moveTo } = settings;
  const mail = String(uid);
  const byUid = { uid: true };
  if (wasRefused && !hasRefused) await client.messageFlagsRemove(mail, ['\\Flagged'], byUid);
  if (hasRefused) {
    await client.messageFlagsAdd(mail, ['\\Flagged'], byUid);
  } else if (after === 'markSeen') {
    await client.messageFlagsAdd(mail, ['\\Seen'], byUid);
  } else if (after === 'move') {
    if (await client.messageMove(mail, moveTo, byUid)) return;
    await client.mailboxCreate(moveTo);
    if (!(await client.messageMove(mail, moveTo, byUid)))
      throw new SourceFaultError('source.folderMissing', { folder: moveTo });
  } else if (client.capabilities.has('UIDPLUS')) {
    await client.messageDelete(mail, byUid);
  } else {
    // Without UIDPLUS a server can only remove all mails that anybody has marked.
    await client.messageFlagsAdd(mail, ['\\Deleted'], byUid);
  }
}

async function textOf({ client }: Mailbox, { uid, bodyStructure }: FetchMessageObject): Promise<string> {
  const part = textPartOf(bodyStructure);
  if (!part) return '';
  const { content } = await client.download(String(uid), part, {
    uid: true,
    maxBytes: mostTextBytes,
  });
  const pieces: Uint8Array[] = [];
  for await (const piece of content ?? []) pieces.push(piece as Uint8Array);
  return Buffer.concat(pieces).toString('utf8').replaceAll('\0', '').trim();
}

async function variablesOf(mailbox: Mailbox, mail: FetchMessageObject): Promise<Record<string, string>> {
  const { settings, variables } = mailbox;
  const needsText = settings.bodyVariable !== '' || settings.patterns.some(({ part }) => part === 'body');
  const body = needsText ? await textOf(mailbox, mail) : '';
  return valuesOf({ subject: plain(mail.envelope?.subject), sender: senderOf(mail), body }, settings, variables);
}

/** Why an attachment is refused before it is read. */
function refusalOf({ name, bytes, fault }: Attachment, at: number, settings: MailboxSettings): Item['refusal'] {
  const { maxAttachments, maxBytes } = settings;
  const refused = (code: Problem['code'], params: Problem['params']) => ({
    code,
    params,
  });
  if (at >= maxAttachments) return refused('mail.tooManyAttachments', { limit: maxAttachments });
  if (fault) return { code: fault };
  const type = fileTypeOf(name);
  if (!type || !settings.fileTypes.includes(type))
    return refused('file.typeNotAccepted', {
      types: settings.fileTypes.join(', '),
    });
  if (maxBytes !== null && bytes > maxBytes) return refused('file.tooLarge', { limit: maxBytes });
  return undefined;
}

/**
 * The items of a mail: one for each attachment, or one that says why it has none. The last has the cursor; those of a mail that
 * was refused before have none.
 */
async function itemsOf(
  mailbox: Mailbox,
  mail: FetchMessageObject,
  { cursorAfter, bounces = [] }: { cursorAfter?: Cursor; bounces?: readonly SourceBounce[] } = {},
): Promise<Item[]> {
  const { id, settings, settled } = mailbox;
  const { uid, envelope, internalDate } = mail;
  const identity = identityOf(mail, mailbox.uidValidity);
  const received = timeOf(internalDate);
  const isProgram = isAutomatic(mail);
  const attachments = isProgram ? [] : await allAttachmentsOf(mailbox, mail);
  const hasFiles = attachments.length > 0;
  const answer = isProgram
    ? undefined
    : answerTo(mail, settings, { key: keyOf(id, identity, null), count: Math.max(1, attachments.length), hasFiles });
  const sender = senderOf(mail) || settings.username;
  const common = {
    sourceName: answer ? `${sender} · ${answer.reference}` : sender,
    ...(!Number.isNaN(received) && { modifiedAt: new Date(received) }),
  };
  if (!hasFiles)
    return [
      {
        ...common,
        ...(answer && { answer: { ...answer, no: 1 } }),
        externalId: keyOf(id, identity, null),
        name: plain(envelope?.subject),
        refusal: { code: isProgram ? 'mail.automatic' : 'mail.noAttachment' },
        open: async function* () {
          // A mail without attachments has no bytes for anybody.
        },
        // It stays as it is: nobody has done anything with it.
        settle: async () => {
          mailbox.unpacked.delete(uid);
          settled.add(uid);
        },
        ...(bounces.length > 0 && { bounces }),
        ...(cursorAfter && { cursorAfter }),
      },
    ];
  const variables = await variablesOf(mailbox, mail);
  const open = new Set(attachments.map(({ part }) => part));
  let hasRefused = false;
  return attachments.map((attachment, at) => {
    const refusal = refusalOf(attachment, at, settings);
    return {
      ...common,
      ...(answer && { answer: { ...answer, no: at + 1 } }),
      externalId: keyOf(id, identity, attachment),
      name: attachment.name,
      mediaType: attachment.mediaType,
      size: attachment.bytes,
      variables,
      ...(refusal && { refusal }),
      open: () => readAttachment(mailbox, uid, attachment),
      settle: async (outcome) => {
        hasRefused ||= outcome === 'rejected';
        open.delete(attachment.part);
        if (open.size > 0) return;
        await finish(mailbox, uid, { hasRefused, wasRefused: !cursorAfter });
        mailbox.unpacked.delete(uid);
        settled.add(uid);
      },
      ...(cursorAfter && at === attachments.length - 1 && { cursorAfter }),
    };
  });
}

/** Attachments that people asked for once more: their mails were refused and are flagged. What is not there any more is told. */
async function* askedAgain(mailbox: Mailbox, asked: ReadonlyMap<string, Named>): AsyncGenerator<Item> {
  const left = new Map(asked);
  const flagged =
    left.size > 0 ? (await mailbox.client.search({ flagged: true, deleted: false }, { uid: true })) || [] : [];
  for (let at = 0; at < flagged.length && left.size > 0; at += batch) {
    for (const mail of await describe(mailbox.client, flagged.slice(at, at + batch))) {
      const identity = identityOf(mail, mailbox.uidValidity);
      const attachments = await allAttachmentsOf(mailbox, mail);
      const keys = attachments.map((attachment) => keyOf(mailbox.id, identity, attachment));
      if (!keys.some((key) => left.has(key))) {
        mailbox.unpacked.delete(mail.uid);
        continue;
      }
      for (const key of keys) left.delete(key);
      // All of the mail, because it is settled as a whole.
      yield* await itemsOf(mailbox, mail);
    }
  }
  for (const [key, named] of left) yield goneItem(key, named, 'mail.gone');
}

type Named = Awaited<ReturnType<SourceTools['asked']>> extends ReadonlyMap<string, infer N> ? N : never;

/**
 * Yields the attachments of the mails that came since the cursor. When the server has numbered its mails anew, all are
 * looked at again: what was taken is known by what its mail says, and what was there at the beginning by its time.
 */
export const run: SourceRunner<typeof emailContract> = async function* (input) {
  const { settings: named, connection, cursor: known, signal, tools } = input;
  const { settings, secret } = connection;
  const credentials = credentialsOf(settings, secret, tools, signal);
  const client = await signIn(settings, { credentials, addressOf: tools.addressOf, signal });
  try {
    const folder = await openFolder(client, settings.folder);
    const { uidValidity } = folder;
    tools.memory.set('seen', folder);
    const start = known ?? (await firstCursor(client, folder, settings.startWith));
    let cursor: Cursor =
      start.uidValidity === uidValidity ? start : { ...start, uidValidity, uid: 0, oldBelow: folder.uidNext };
    const { settled, unpacked } = keptOf(tools.memory, uidValidity);
    for (const uid of [...settled, ...unpacked.keys()]) {
      if (uid > cursor.uid) continue;
      settled.delete(uid);
      unpacked.delete(uid);
    }
    const mailbox: Mailbox = {
      client,
      id: named.connectionId,
      settings,
      uidValidity,
      settled,
      unpacked,
      variables: tools.variables,
    };
    const asked = new Map(await tools.asked(`${named.connectionId} `));
    const uids = (await uidsAbove(client, cursor.uid)).filter((uid) => !settled.has(uid));
    for (let at = 0; at < uids.length; at += batch) {
      for (const mail of await describe(client, uids.slice(at, at + batch))) {
        const cursorAfter = { ...cursor, uid: mail.uid };
        const wasThere = mail.uid < cursor.oldBelow && cursor.after !== null && isOlder(mail, cursor.after);
        // Whatever mails a mailbox takes: a report comes from a server, not from who sends orders.
        const bounces = wasThere ? [] : (await readBounces(client, mail)).filter(isOwn);
        if (!wasThere && (bounces.length > 0 || isWanted(mail, settings)))
          for (const item of await itemsOf(mailbox, mail, { cursorAfter, bounces })) {
            asked.delete(item.externalId);
            yield item;
            // Otherwise each of the mails that are left would be noted as one that could not be taken.
            if (!client.usable) throw new SourceFaultError('source.unreachable');
          }
        cursor = cursorAfter;
      }
    }
    yield* askedAgain(mailbox, asked);
    return { ...cursor, uid: Math.max(cursor.uid, ...uids) };
  } catch (error) {
    throw mailboxFault(error);
  } finally {
    client.close();
  }
};

/** The folder as the last poll of this process found it. */
export const lastSeen = (memory: Map<string, unknown>): OpenedFolder | undefined =>
  memory.get('seen') as OpenedFolder | undefined;

type Kept = Pick<Mailbox, 'settled' | 'unpacked'> & { of: string };

/** Kept between polls; of another numbering of the mails it is forgotten. */
function keptOf(memory: Map<string, unknown>, uidValidity: string): Kept {
  const kept = memory.get('mails') as Kept | undefined;
  if (kept?.of === uidValidity) return kept;
  const fresh: Kept = { of: uidValidity, settled: new Set(), unpacked: new Map() };
  memory.set('mails', fresh);
  return fresh;
}
