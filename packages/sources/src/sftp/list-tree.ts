import { SourceFaultError } from '@pdf2press/contract';
import { joinSftp, type SftpEntry, type SftpSession } from '@pdf2press/sftp/client';
import { fits } from '../name-patterns.ts';
import { tell } from './open-server.ts';

/** Folders of the named one that are looked into. */
const mostFolders = 2_000;

/** Where settled files go, in the named folder. */
export const settledFolders = { accepted: 'processed', rejected: 'rejected' } as const;

/** A file in the named folder or below it. */
export interface SftpItem extends SftpEntry {
  /** Where it lies on the server. */
  path: string;
  /** Names of the subfolders on the way to it, outermost first. */
  way: readonly string[];
}

const matches = (name: string, patterns: readonly string[]): boolean => patterns.some((pattern) => fits(name, pattern));

/**
 * The files of a folder that its rules let in; links are not followed.
 * @throws SourceFaultError `source.folderMissing`, `source.denied`, `source.tooManyFolders`
 */
export async function listFiles(
  session: SftpSession,
  folder: string,
  {
    hasSubfolders,
    include,
    exclude,
  }: { hasSubfolders: boolean; include: readonly string[]; exclude: readonly string[] },
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
      if (kind === 'file' && matches(name, include) && !matches(name, exclude)) files.push({ ...entry, path: at, way });
    }
  }
  return files;
}
