import { settledFolders } from '../watched-folder.ts';
import type { CloudClient } from './client.ts';
import type { CloudFolder } from './contract.ts';
import type { CloudFile, CloudTree } from './list-tree.ts';

/** How people know where a file lies, and what they find it by. */
export const shownPlace = ({ path }: CloudFolder, connectionId: string, way: readonly string[]): string =>
  [path || connectionId, ...way].join('/');

/** The subfolders in what `shownPlace` made: aside, a file no longer lies in them. */
function wayIn(place: string, folder: CloudFolder, connectionId: string): string[] {
  const start = `${shownPlace(folder, connectionId, [])}/`;
  return place.startsWith(start) ? place.slice(start.length).split('/') : [];
}

/**
 * A file that somebody asks for once more: in its place, or aside, where refused ones lie. Undefined = this content is in
 * neither any more.
 */
export async function findAsked(
  client: CloudClient,
  { folder, tree, connectionId }: { folder: CloudFolder; tree: CloudTree; connectionId: string },
  { id, revision, sourceName }: { id: string; revision: string; sourceName: string },
): Promise<CloudFile | undefined> {
  const listed = tree.files.find((file) => file.id === id);
  if (listed) return listed.revision === revision ? listed : undefined;
  const aside = tree.settled.get(settledFolders.rejected);
  if (aside === undefined) return undefined;
  const found = await client.find(folder.driveId, id);
  const isRefused = found?.kind === 'file' && found.parentId === aside && found.revision === revision;
  return isRefused ? { ...found, way: wayIn(sourceName, folder, connectionId) } : undefined;
}
