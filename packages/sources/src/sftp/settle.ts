import { Readable } from 'node:stream';
import { joinSftp, type SftpEntry, type SftpSession } from '@pdf2press/sftp/client';
import { settledFolders, valuesOf, withExtensionOf } from '../watched-folder.ts';

/** Changes whenever the file is another one or its content may have changed; the protocol tells no more of a file. */
export const stateOf = ({ size, modifiedAt }: Pick<SftpEntry, 'size' | 'modifiedAt'>): string =>
  `${size} ${modifiedAt.getTime() / 1000}`;

/** `name`, `name (2)`, `name (3)` … */
function numbered(name: string, no: number): string {
  if (no === 1) return name;
  const extension = /(?<=.)\.[^.]+$/.exec(name)?.[0] ?? '';
  return `${name.slice(0, name.length - extension.length)} (${no})${extension}`;
}

const mostNumbers = 10_000;

/** Moves a file into a folder under its name, or the first that is free with a number. Resolves to where it lies. */
async function moveInto(session: SftpSession, file: string, folder: string, name: string): Promise<string> {
  for (let no = 1; no <= mostNumbers; no += 1) {
    const place = joinSftp(folder, numbered(name, no));
    if (await session.find(place)) continue;
    if (await session.rename(file, place)) return place;
  }
  throw new Error('the folder holds too many files of one name');
}

/** Whether the file that was listed still lies there. */
export async function isThere(session: SftpSession, path: string, state: string): Promise<boolean> {
  const found = await session.find(path);
  return found?.kind === 'file' && stateOf(found) === state;
}

interface Settling {
  /** The named folder. */
  folder: string;
  file: { path: string; name: string; state: string };
  after: 'move' | 'delete' | 'leave';
  outcome: 'accepted' | 'rejected';
  reason: string | undefined;
}

/** Handles the original. It may be gone, settled or another one by now: then it is left as it is. */
export async function settleFile(
  session: SftpSession,
  { folder, file, after, outcome, reason }: Settling,
): Promise<void> {
  if (after === 'leave' || !(await isThere(session, file.path, file.state))) return;
  if (outcome === 'accepted' && after === 'delete') return session.remove(file.path);
  const target = joinSftp(folder, settledFolders[outcome]);
  if (!(await session.find(target))) await session.makeFolder(target);
  const place = await moveInto(session, file.path, target, file.name);
  const note = `${place}.txt`;
  if (reason && !(await session.find(note))) await session.write(note, Readable.from([`${reason}\n`]));
}

/**
 * Puts a refused file back where it lay, with the values beside it and without the note: it is the same file, and the next polls
 * find it. Resolves to whether it is there.
 */
export async function bringBack(
  session: SftpSession,
  folder: string,
  { way, name, state, takesSidecars }: { way: readonly string[]; name: string; state: string; takesSidecars: boolean },
): Promise<boolean> {
  const home = [folder, ...way].reduce(joinSftp);
  const place = joinSftp(home, name);
  if (await isThere(session, place, state)) return true;
  const aside = joinSftp(folder, settledFolders.rejected);
  if (!(await session.find(aside))) return false;
  const entries = await session.list(aside);
  const names = new Set(entries.filter((entry) => stateOf(entry) === state).map((one) => one.name));
  for (let no = 1; no <= mostNumbers && names.size > 0; no += 1) {
    const entry = numbered(name, no);
    const refused = joinSftp(aside, entry);
    if (!names.has(entry)) continue;
    // Another file has its name by now: it waits until that one is gone.
    if (await session.find(place)) return true;
    const values = takesSidecars
      ? valuesOf(
          entry,
          entries.map((one) => one.name),
        )
      : undefined;
    const valuesPlace = values && joinSftp(home, withExtensionOf(name, values));
    if (values && valuesPlace && !(await session.find(valuesPlace)))
      await session.rename(joinSftp(aside, values), valuesPlace);
    if (await session.rename(refused, place)) await session.remove(`${refused}.txt`);
    return true;
  }
  return false;
}
