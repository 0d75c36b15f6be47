import { constants, type Stats } from 'node:fs';
import { lstat, mkdir, open, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { SourceFaultError } from '@pdf2press/contract';
import type { z } from 'zod';
import { goneItem, type SourceItem, type SourceRunner } from '../source.ts';
import { isLetIn, isStable, settledFolders } from '../watched-folder.ts';
import type { folderContract } from './contract.ts';

type Settings = z.output<typeof folderContract.settings>;

/**
 * The folder's real path; the folder is made on first use.
 * @throws SourceFaultError `source.outside` when the path or a link in it leads out of the root
 */
async function openFolder(root: string, wanted: string): Promise<string> {
  await mkdir(root, { recursive: true });
  const base = await realpath(root);
  const folder = path.resolve(base, wanted);
  const isInside = (at: string) => at === base || at.startsWith(base + path.sep);
  if (!isInside(folder)) throw new SourceFaultError('source.outside', { path: wanted });
  await mkdir(folder, { recursive: true });
  const real = await realpath(folder);
  if (!isInside(real)) throw new SourceFaultError('source.outside', { path: wanted });
  return real;
}

async function filesIn(folder: string, { hasSubfolders, ...rules }: Settings): Promise<string[]> {
  const aside = Object.values(settledFolders) as string[];
  const entries = await readdir(folder, { recursive: hasSubfolders, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && isLetIn(entry.name, rules))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .filter((name) => !aside.includes(name.split(path.sep)[0] ?? ''));
}

/** A name in `folder` that no file has. */
async function freeName(folder: string, name: string): Promise<string> {
  const { name: stem, ext } = path.parse(name);
  for (let no = 1; ; no += 1) {
    const candidate = path.join(folder, no === 1 ? name : `${stem} (${no})${ext}`);
    const isTaken = await lstat(candidate).then(
      () => true,
      () => false,
    );
    if (!isTaken) return candidate;
  }
}

/** Changes whenever the file is another one or its content may have changed. */
const stateFrom = ({ size, mtimeMs, ino }: Stats): string => `${size} ${mtimeMs} ${ino}`;

/** Undefined = there is no such file. */
async function stateOf(file: string): Promise<{ size: number; modifiedAt: Date; state: string } | undefined> {
  const stat = await lstat(file).catch(() => undefined);
  return stat?.isFile() ? { size: stat.size, modifiedAt: stat.mtime, state: stateFrom(stat) } : undefined;
}

/** Whether a path leads there without a link on the way: one may have been swapped in since the folder was listed. */
const isStraight = async (place: string): Promise<boolean> => (await realpath(place).catch(() => '')) === place;

/**
 * The bytes of a file; throws when it is not the one that was listed, and at the end when it was changed while it was read.
 * Everything is asked of the opened file: what the path names may be another one by then.
 */
async function* readUnchanged(file: string, state: string): AsyncGenerator<Uint8Array> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const isListed = async () => {
      const stat = await handle.stat();
      return stat.isFile() && stateFrom(stat) === state && (await isStraight(file));
    };
    if (!(await isListed())) throw new Error('the file was changed since it was listed');
    yield* handle.createReadStream({ autoClose: false, highWaterMark: 1024 * 1024 });
    if (!(await isListed())) throw new Error('the file was changed while it was read');
  } finally {
    await handle.close();
  }
}

/**
 * The folder for settled files; made on first use.
 * @throws SourceFaultError `source.outside` when a link stands in its place
 */
async function settledFolder(folder: string, outcome: keyof typeof settledFolders): Promise<string> {
  const target = path.join(folder, settledFolders[outcome]);
  await mkdir(target, { recursive: true });
  if (!(await isStraight(target))) throw new SourceFaultError('source.outside', { path: settledFolders[outcome] });
  return target;
}

/** What follows the name in an external id: size, time and inode. */
const stateIn = (externalId: string): string => externalId.split(' ').slice(-3).join(' ');

/**
 * Puts a refused file back where it lay, without the note beside it: it is the same file, and the next polls find it. Resolves to
 * whether it is there.
 */
async function bringBack(folder: string, name: string, state: string): Promise<boolean> {
  const place = path.join(folder, name);
  if ((await stateOf(place))?.state === state) return true;
  const aside = path.join(folder, settledFolders.rejected);
  if (!(await isStraight(aside))) return false;
  for (const entry of await readdir(aside)) {
    const refused = path.join(aside, entry);
    if ((await stateOf(refused))?.state !== state) continue;
    await mkdir(path.dirname(place), { recursive: true });
    if (!(await isStraight(path.dirname(place)))) return false;
    // Another file has its name by now: it waits until that one is gone.
    if (await stateOf(place)) return true;
    await rename(refused, place);
    await rm(`${refused}.txt`, { force: true });
    return true;
  }
  return false;
}

/**
 * Yields the files that have not changed for long enough. It needs no cursor: a file that was taken leaves the folder, or
 * is recognised by its external id (path, size, time and inode).
 */
export const run: SourceRunner<typeof folderContract> = async function* ({ settings, signal, tools }) {
  const { root, memory, now } = tools;
  const folder = await openFolder(root, settings.path);
  const prefix = `${settings.path}/`;
  for (const [externalId, item] of await tools.asked(prefix)) {
    const state = stateIn(externalId);
    const name = externalId.slice(prefix.length, -state.length - 1);
    if (!(await bringBack(folder, name, state))) yield goneItem(externalId, item, 'file.gone');
  }
  const names = await filesIn(folder, settings);
  for (const known of memory.keys()) if (!names.includes(known)) memory.delete(known);
  for (const name of names) {
    signal.throwIfAborted();
    const file = path.join(folder, name);
    const found = await stateOf(file);
    if (!found) continue;
    const { size, modifiedAt, state } = found;
    const { stableSeconds } = settings;
    if (!isStable(memory, { key: name, state, size }, { stableSeconds, now: now() })) continue;
    yield {
      externalId: `${settings.path}/${name.split(path.sep).join('/')} ${state}`,
      name: path.basename(name),
      size,
      modifiedAt,
      sourceName: path.join(settings.path, path.dirname(name)),
      open: () => readUnchanged(file, state),
      settle: async (outcome, reason) => {
        memory.delete(name);
        // Missing: it was settled before. Changed: it is another file now, which the next polls find.
        if ((await stateOf(file))?.state !== state || !(await isStraight(file))) return;
        if (outcome === 'accepted' && settings.after === 'leave') return;
        if (outcome === 'accepted' && settings.after === 'delete') return rm(file, { force: true });
        const target = await settledFolder(folder, outcome);
        const place = await freeName(target, path.basename(name));
        await rename(file, place);
        // Never into a file that is there already, and so not through a link.
        if (reason)
          await writeFile(await freeName(target, `${path.basename(place)}.txt`), `${reason}\n`, { flag: 'wx' });
      },
    } satisfies SourceItem;
  }
  return undefined;
};
