import { SourceFaultError } from '@pdf2press/contract';
import { isLetIn, mostFolders, type NameRules, settledFolders } from '../watched-folder.ts';
import type { CloudClient, CloudEntry, CloudPage, CloudPlace } from './client.ts';
import type { CloudFolder } from './contract.ts';

/** A file in the chosen folder or below it. */
export interface CloudFile extends CloudEntry {
  /** Names of the subfolders on the way to it, outermost first. */
  way: readonly string[];
}

export interface CloudTree {
  /** The chosen folder. */
  root: CloudEntry;
  /** Ids of all folders that are looked into. */
  folders: ReadonlySet<string>;
  /** Ids of everything in them. */
  known: ReadonlySet<string>;
  /** Folders for settled files, by their name. */
  settled: Map<string, string>;
  files: readonly CloudFile[];
}

/**
 * All rows of an answer in pages.
 * @throws Error when a page names one that was there already: nothing would end it
 */
export async function* pagesOf<P extends CloudPage<unknown>>(
  ask: (page: string | undefined) => Promise<P>,
): AsyncGenerator<P> {
  const asked = new Set<string>();
  let next: string | undefined;
  do {
    const page = await ask(next);
    yield page;
    next = page.next;
    if (next !== undefined && asked.has(next)) throw new Error('the service repeats a page of its answer');
    if (next !== undefined) asked.add(next);
  } while (next !== undefined);
}

/** What lies directly in a folder; what a list names twice is there once, as the list names it last. */
async function childrenOf(client: CloudClient, place: CloudPlace): Promise<CloudEntry[]> {
  const found = new Map<string, CloudEntry>();
  for await (const { rows } of pagesOf((page) => client.children(place, page)))
    for (const entry of rows) found.set(entry.id, entry);
  return [...found.values()];
}

/**
 * Lists the files of a chosen folder that its rules let in.
 * @throws SourceFaultError `source.folderMissing`, `source.tooManyFolders`
 */
export async function listTree(
  client: CloudClient,
  { driveId, folderId, path, hasSubfolders }: CloudFolder,
  rules: NameRules,
): Promise<CloudTree> {
  const root = await client.find(driveId, folderId);
  if (root?.kind !== 'folder') throw new SourceFaultError('source.folderMissing', { folder: path });
  const folders = new Set<string>();
  const known = new Set<string>();
  const settled = new Map<string, string>();
  const files = new Map<string, CloudFile>();
  const aside: readonly string[] = Object.values(settledFolders);
  const open: { id: string; way: readonly string[] }[] = [{ id: root.id, way: [] }];
  for (let next = open.shift(); next; next = open.shift()) {
    const { id: parent, way } = next;
    // A service in which a folder can lie in two others would lead round in a circle.
    if (folders.has(parent)) continue;
    folders.add(parent);
    if (folders.size > mostFolders) throw new SourceFaultError('source.tooManyFolders', { limit: mostFolders });
    for (const entry of await childrenOf(client, { driveId, folderId: parent })) {
      known.add(entry.id);
      if (entry.kind === 'folder' && way.length === 0 && aside.includes(entry.name)) settled.set(entry.name, entry.id);
      else if (entry.kind === 'folder' && hasSubfolders) open.push({ id: entry.id, way: [...way, entry.name] });
      if (entry.kind === 'file' && isLetIn(entry.name, rules)) files.set(entry.id, { ...entry, way });
    }
  }
  return { root, folders, known, settled, files: [...files.values()] };
}
