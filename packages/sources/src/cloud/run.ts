import { createHash } from 'node:crypto';
import { SourceFaultError } from '@pdf2press/contract';
import type { z } from 'zod';
import { goneItem, type SourceItem, type SourceRunner, type SourceTools } from '../source.ts';
import { isStable, type Look, settledFolders } from '../watched-folder.ts';
import type { CloudChange, CloudClient, CloudEntry, CloudPlace } from './client.ts';
import type { CloudFolder, CloudSettings, cloudContract } from './contract.ts';
import { findAsked, shownPlace } from './find-asked.ts';
import { type CloudFile, type CloudTree, listTree, pagesOf } from './list-tree.ts';
import { openCloud } from './open-cloud.ts';
import { readFile } from './read-file.ts';

type Cursor = z.output<typeof cloudContract.cursor>;
type Item = SourceItem<Cursor>;

/** However quiet a service is about changes, the folder is listed again after this time: it may never have told of one. */
const relistMs = 24 * 3_600_000;

/** Whether a day is over since a time, or that time has not come yet: then a clock was wrong. */
const isOver = (since: number, now: number): boolean => now < since || now - since >= relistMs;

/** What is kept between polls in this process; without it the folder is listed anew. */
interface Memory {
  tree?: CloudTree;
  listedAt: number;
  looks: Map<string, Look>;
  /** Files that are done with, by what identifies their content. */
  settled: Set<string>;
}

function memoryOf(memory: Map<string, unknown>): Memory {
  const kept = memory.get('folder') as Memory | undefined;
  if (kept) return kept;
  const fresh: Memory = { listedAt: 0, looks: new Map(), settled: new Set() };
  memory.set('folder', fresh);
  return fresh;
}

/** What has changed since the cursor, and the cursor after it; undefined = the service no longer knows. */
async function changesSince(
  client: CloudClient,
  driveId: string,
  token: string,
): Promise<{ changes: CloudChange[]; token: string } | undefined> {
  const changes: CloudChange[] = [];
  let isLost = false;
  let end: string | undefined;
  const ask = async (page: string | undefined) => {
    const answer = await client.changes(driveId, page ?? token);
    isLost ||= answer === undefined;
    return answer ?? { rows: [], next: undefined, cursor: undefined };
  };
  for await (const { rows, cursor } of pagesOf(ask)) {
    changes.push(...rows);
    end = cursor ?? end;
  }
  return isLost || end === undefined ? undefined : { changes, token: end };
}

/** Whether a change is about the folder: something that is in it, came into it or left it. */
const concerns = ({ folders, known }: CloudTree, { id, parentId }: CloudChange): boolean =>
  known.has(id) || folders.has(id) || (parentId !== undefined && folders.has(parentId));

/** Changes when the file may be another one, or not be complete yet. */
const stateOf = ({ revision, size, modifiedAt, name }: CloudFile): string =>
  `${revision} ${size} ${modifiedAt.getTime()} ${name}`;

/** What a poll does with the files of a folder. */
interface Poll {
  client: CloudClient;
  settings: CloudSettings;
  folder: CloudFolder;
  tree: CloudTree;
  memory: Memory;
  connectionId: string;
  signal: AbortSignal;
}

async function settledFolder({ client, folder, tree }: Poll, name: string): Promise<string> {
  const known = tree.settled.get(name);
  if (known !== undefined) return known;
  const place: CloudPlace = { driveId: folder.driveId, folderId: tree.root.id };
  const made = await client.makeFolder(place, name);
  tree.settled.set(name, made);
  return made;
}

/** What the note beside a refused file is called. */
const noteNameOf = (name: string): string => `${name}.txt`;

/** Puts the note that lay beside a refused file into the bin: it says nothing any more of what becomes of the file. */
async function removeNote({ client, folder: { driveId } }: Poll, file: CloudEntry): Promise<void> {
  const note = await client.named({ driveId, folderId: file.parentId }, noteNameOf(file.name));
  if (note?.kind === 'file') await client.remove(note);
}

/** Says beside a refused file why it was refused, for whoever put it there. The file may have been given another name there. */
async function writeNote({ client, folder: { driveId } }: Poll, id: string, reason: string): Promise<void> {
  const refused = await client.find(driveId, id);
  if (!refused) return;
  const place: CloudPlace = { driveId, folderId: refused.parentId };
  const name = noteNameOf(refused.name);
  if (await client.named(place, name)) return;
  const text = Buffer.from(`${reason}\n`);
  await client.upload(place, { name, size: text.length, mediaType: 'text/plain', bytes: once(text) });
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Handles the original. It may be gone, moved or another one by now: then it is left as it is. */
async function settle(
  poll: Poll,
  file: CloudFile,
  outcome: 'accepted' | 'rejected',
  reason: string | undefined,
): Promise<void> {
  const { client, settings, folder, tree } = poll;
  if (settings.after === 'leave') return;
  const now = await client.find(folder.driveId, file.id);
  if (now?.revision !== file.revision || now.parentId !== file.parentId) return;
  if (now.parentId === tree.settled.get(settledFolders.rejected)) await removeNote(poll, now);
  if (outcome === 'accepted' && settings.after === 'delete') return client.remove(now);
  const target = await settledFolder(poll, settledFolders[outcome]);
  // One that was refused before lies there already.
  if (now.parentId !== target) await client.move(now, target);
  if (reason !== undefined) await writeNote(poll, now.id, reason);
}

function variablesOf({ pathVariables }: CloudFolder, { way }: CloudFile): Record<string, string> {
  return Object.fromEntries(
    pathVariables.flatMap((name, at): [string, string][] => {
      const part = way[at];
      return part === undefined ? [] : [[name, part]];
    }),
  );
}

/** Faults that the next file would meet as well. */
const ending = new Set(['source.busy', 'source.signInNeeded']);

function itemOf(poll: Poll, file: CloudFile, onFault: (fault: SourceFaultError) => void): Item {
  const { client, folder, memory, connectionId, signal } = poll;
  const externalId = idOf(poll, file);
  return {
    externalId,
    name: file.name,
    size: file.size,
    modifiedAt: file.modifiedAt,
    sourceName: shownPlace(folder, connectionId, file.way),
    variables: variablesOf(folder, file),
    open: async function* () {
      try {
        yield* readFile(client, file, signal);
      } catch (error) {
        if (error instanceof SourceFaultError && ending.has(error.code)) onFault(error);
        throw error;
      }
    },
    settle: async (outcome, reason) => {
      await settle(poll, file, outcome, reason);
      memory.settled.add(externalId);
    },
  };
}

/** This content in this chosen folder: the same file in another one is there for another workflow. */
const idOf = ({ connectionId, folder }: Poll, { id, revision }: CloudFile): string =>
  [connectionId, folder.driveId, folder.folderId, id, revision].join(' ');

/** Ids of files of this folder begin so; what follows is the file's own id and the number of its content. */
const prefixOf = ({ connectionId, driveId, folderId }: { connectionId: string; driveId: string; folderId: string }) =>
  `${[connectionId, driveId, folderId].join(' ')} `;

/** Files that people asked for once more: where they lie now, or gone. */
async function* askedItems(
  poll: Poll,
  asked: Awaited<ReturnType<SourceTools['asked']>>,
  onFault: (fault: SourceFaultError) => void,
): AsyncGenerator<Item> {
  const { client, folder, memory, connectionId } = poll;
  const prefix = prefixOf({ ...folder, connectionId });
  for (const [externalId, { name, sourceName }] of asked) {
    memory.settled.delete(externalId);
    const [id = '', ...rest] = externalId.slice(prefix.length).split(' ');
    const file = await findAsked(client, poll, { id, revision: rest.join(' '), sourceName });
    yield file ? itemOf(poll, file, onFault) : goneItem(externalId, { name, sourceName }, 'file.gone');
  }
}

/** Tells whether two lists of a folder name the same things: another process may know it as it is by now. */
const digestOf = ({ known, folders }: CloudTree): string =>
  createHash('sha256')
    .update(JSON.stringify([[...folders].sort(), [...known].sort()]))
    .digest('base64url');

/** The rules that files are chosen by. */
const rulesOf = ({ hasSubfolders }: CloudFolder, { include, exclude }: CloudSettings): string =>
  JSON.stringify([hasSubfolders, include, exclude]);

/**
 * Asks what has changed. If it concerns the folder, or files were left, the folder is listed, and the files that have not
 * changed for long enough are yielded: the list and not the changes says what is there, so nothing is skipped that came
 * with a folder, in a change that was told twice or wrong, or while nobody asked.
 */
export const run: SourceRunner<typeof cloudContract> = async function* (input) {
  const { settings: named, connection, cursor, signal, tools } = input;
  const { settings, secret } = connection;
  const { driveId, folderId } = named;
  const folder = settings.folders.find((one) => one.driveId === driveId && one.folderId === folderId);
  if (!folder) throw new SourceFaultError('source.settingsInvalid', { field: 'folders' });
  if (settings.after !== 'leave' && !secret.mayWrite) throw new SourceFaultError('source.signInNeeded');
  const client = await openCloud(settings, secret, tools, signal);
  const memory = memoryOf(tools.memory);
  const rules = rulesOf(folder, settings);
  const since = cursor && (await changesSince(client, driveId, cursor.token));
  // Where changes are told from is fixed before the folder is listed: what comes in between is in one of them.
  const token = since?.token ?? (await client.newCursor(driveId));
  const { tree: before } = memory;
  const asked = await tools.asked(prefixOf(named));
  const isQuiet =
    asked.size === 0 &&
    since !== undefined &&
    before !== undefined &&
    cursor?.hasLeft === false &&
    cursor.rules === rules &&
    cursor.tree === digestOf(before) &&
    // In this process, too, for the cursor stands still while a file waits.
    !(isOver(cursor.listedAt, Date.now()) && isOver(memory.listedAt, tools.now())) &&
    !since.changes.some((change) => concerns(before, change));
  if (isQuiet) return { ...cursor, token };

  const listedAt = Date.now();
  const tree = await listTree(client, folder, settings);
  Object.assign(memory, { tree, listedAt: tools.now() });
  const poll: Poll = { client, settings, folder, tree, memory, connectionId: named.connectionId, signal };
  for (const id of memory.looks.keys()) if (!tree.known.has(id)) memory.looks.delete(id);
  let fault: SourceFaultError | undefined;
  let hasLeft = false;
  const onFault = (found: SourceFaultError) => {
    fault = found;
  };
  for await (const item of askedItems(poll, asked, onFault)) {
    yield item;
    if (fault) throw fault;
    hasLeft ||= !item.refusal && !memory.settled.has(item.externalId);
  }
  for (const file of tree.files) {
    signal.throwIfAborted();
    if (memory.settled.has(idOf(poll, file)) || asked.has(idOf(poll, file))) continue;
    const seen = { key: file.id, state: stateOf(file), size: file.size };
    if (!isStable(memory.looks, seen, { stableSeconds: settings.stableSeconds, now: tools.now() })) {
      hasLeft = true;
      continue;
    }
    yield itemOf(poll, file, onFault);
    if (fault) throw fault;
    hasLeft ||= !memory.settled.has(idOf(poll, file));
  }
  return { token, hasLeft, rules, listedAt, tree: digestOf(tree) };
};
