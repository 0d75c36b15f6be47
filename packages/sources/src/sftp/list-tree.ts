import { SourceFaultError } from '@pdf2press/contract';
import { joinSftp, type SftpEntry, type SftpSession } from '@pdf2press/sftp/client';
import { isLookedAt, mostFolders, type NameRules, settledFolders } from '../watched-folder.ts';
import { tell } from './open-server.ts';

/** A file in the named folder or below it. */
export interface SftpItem extends SftpEntry {
  /** Where it lies on the server. */
  path: string;
  /** Names of the subfolders on the way to it, outermost first. */
  way: readonly string[];
  /** The same, as one text. */
  folder: string;
}

/**
 * The files of a folder that its rules let in, and those that may hold values for another; links are not followed.
 * @throws SourceFaultError `source.folderMissing`, `source.denied`, `source.tooManyFolders`
 */
export async function listFiles(
  session: SftpSession,
  folder: string,
  { hasSubfolders, ...rules }: NameRules & { hasSubfolders: boolean },
  takesSidecars: boolean,
): Promise<SftpItem[]> {
  const aside: readonly string[] = Object.values(settledFolders);
  const files: SftpItem[] = [];
  const open: { path: string; way: readonly string[] }[] = [{ path: folder, way: [] }];
  let looked = 0;
  for (let next = open.shift(); next; next = open.shift()) {
    const { path, way } = next;
    looked += 1;
    if (looked > mostFolders) throw new SourceFaultError('source.tooManyFolders', { limit: mostFolders });
    for (const entry of await tell(() => session.list(path))) {
      const { name, kind } = entry;
      const at = joinSftp(path, name);
      if (name === '.' || name === '..' || (way.length === 0 && aside.includes(name))) continue;
      if (kind === 'folder' && hasSubfolders) open.push({ path: at, way: [...way, name] });
      if (kind === 'file' && isLookedAt(name, rules, takesSidecars))
        files.push({ ...entry, path: at, way, folder: way.join('/') });
    }
  }
  return files;
}
