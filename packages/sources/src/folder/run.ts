import { constants, type Stats } from 'node:fs';
import { lstat, mkdir, open, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { SourceFaultError } from '@pdf2press/contract';
import type { z } from 'zod';
import { goneItem, type SourceItem, type SourceRunner } from '../source.ts';
import {
  isLookedAt,
  isStable,
  itemsOf,
  type Listed,
  settledFolders,
  valuesOf,
  withExtensionOf,
} from '../watched-folder.ts';
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

async function filesIn(
  folder: string,
  { hasSubfolders, ...rules }: Settings,
  takesSidecars: boolean,
): Promise<string[]> {
  const aside = Object.values(settledFolders) as string[];
  const entries = await readdir(folder, { recursive: hasSubfolders, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && isLookedAt(entry.name, rules, takesSidecars))
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

/** Puts the values of a refused file, which lies beside it in `aside`, where they lay, unless others lie there by now. */
async function bringValues(aside: string, refused: string, place: string): Promise<void> {
  const values = valuesOf(refused, await readdir(aside));
  if (values === undefined) return;
  const to = path.join(path.dirname(place), withExtensionOf(path.basename(place), values));
  if (!(await stateOf(to))) await rename(path.join(aside, values), to);
}

/**
 * Puts a refused file back where it lay, with the values beside it and without the note: it is the same file, and the next polls
 * find it. Resolves to whether it is there.
 */
async function bringBack(folder: string, name: string, state: string, takesSidecars: boolean): Promise<boolean> {
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
    if (takesSidecars) await bringValues(aside, entry, place);
    await rename(refused, place);
    await rm(`${refused}.txt`, { force: true });
    return true;
  }
  return false;
}

/** A file of the folder as it was when it was listed. */
interface Found extends Listed {
  /** Where it lies, from the named folder. */
  way: string;
  size: number;
  modifiedAt: Date;
  state: string;
}

async function findIn(folder: string, ways: readonly string[]): Promise<Found[]> {
  const found: Found[] = [];
  for (const way of ways) {
    const known = await stateOf(path.join(folder, way));
    if (known) found.push({ way, name: path.basename(way), folder: path.dirname(way), ...known });
  }
  return found;
}

/** The item of a file, and how its original is settled. */
function itemOf(
  folder: string,
  settings: Settings,
  memory: Map<string, unknown>,
  { way, name, size, modifiedAt, state }: Found,
): SourceItem<never> {
  const file = path.join(folder, way);
  return {
    externalId: `${settings.path}/${way.split(path.sep).join('/')} ${state}`,
    name,
    size,
    modifiedAt,
    sourceName: path.join(settings.path, path.dirname(way)),
    open: () => readUnchanged(file, state),
    settle: async (outcome, reason) => {
      memory.delete(way);
      // Missing: it was settled before. Changed: it is another file now, which the next polls find.
      if ((await stateOf(file))?.state !== state || !(await isStraight(file))) return;
      if (outcome === 'accepted' && settings.after === 'leave') return;
      if (outcome === 'accepted' && settings.after === 'delete') return rm(file, { force: true });
      const target = await settledFolder(folder, outcome);
      const place = await freeName(target, name);
      await rename(file, place);
      // Never into a file that is there already, and so not through a link.
      if (reason) await writeFile(await freeName(target, `${path.basename(place)}.txt`), `${reason}\n`, { flag: 'wx' });
    },
  };
}

/**
 * Yields the files that have not changed for long enough. It needs no cursor: a file that was taken leaves the folder, or
 * is recognised by its external id (path, size, time and inode).
 */
export const run: SourceRunner<typeof folderContract> = async function* ({ settings, signal, tools }) {
  const { root, memory, now, takesSidecars } = tools;
  const folder = await openFolder(root, settings.path);
  const prefix = `${settings.path}/`;
  for (const [externalId, item] of await tools.asked(prefix)) {
    const state = stateIn(externalId);
    const name = externalId.slice(prefix.length, -state.length - 1);
    if (!(await bringBack(folder, name, state, takesSidecars))) yield goneItem(externalId, item, 'file.gone');
  }
  const ways = await filesIn(folder, settings, takesSidecars);
  for (const known of memory.keys()) if (!ways.includes(known)) memory.delete(known);
  const items = itemsOf(await findIn(folder, ways), {
    rules: settings,
    stableSeconds: settings.stableSeconds,
    takesSidecars,
    isWhole: ({ way, state, size }, stableSeconds) =>
      isStable(memory, { key: way, state, size }, { stableSeconds, now: now() }),
    itemOf: (file) => itemOf(folder, settings, memory, file),
  });
  for (const item of items) {
    signal.throwIfAborted();
    yield item;
  }
  return undefined;
};
