import { constants, createReadStream } from 'node:fs';
import { link, lstat, mkdir, open, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DeliveryFaultError } from '@pdf2press/contract';
import type { DeliveryRunner } from '../delivery.ts';
import { placeFile, type Shelf, tryShelf } from '../place-file.ts';
import type { folderContract } from './contract.ts';

const codes: Readonly<Record<string, 'delivery.denied' | 'delivery.full' | 'delivery.folderMissing'>> = {
  EACCES: 'delivery.denied',
  EPERM: 'delivery.denied',
  EROFS: 'delivery.denied',
  ENOSPC: 'delivery.full',
  EDQUOT: 'delivery.full',
  ENOTDIR: 'delivery.folderMissing',
  EEXIST: 'delivery.folderMissing',
};

const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException)?.code ?? '');

/** Does something with files; an error of the system is told as a fault of the delivery. */
async function told<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = codes[codeOf(error)];
    if (code) throw new DeliveryFaultError(code, { folder }, { cause: error });
    throw error;
  }
}

/**
 * The real path of a folder below the root; made where it is missing.
 * @throws DeliveryFaultError `delivery.outside` when the path or a link in it leads out of the root
 */
async function openInside(root: string, names: readonly string[], shown: string): Promise<string> {
  await mkdir(root, { recursive: true });
  const base = await realpath(root);
  const isInside = (at: string) => at === base || at.startsWith(base + path.sep);
  const outside = () => new DeliveryFaultError('delivery.outside', { folder: shown });
  const wanted = path.resolve(base, ...names);
  if (!isInside(wanted)) throw outside();
  // Made name by name: a link on the way is seen before anything is made behind it.
  let at = base;
  for (const name of path.relative(base, wanted).split(path.sep).filter(Boolean)) {
    at = path.join(at, name);
    await mkdir(at).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
    });
    at = await realpath(at);
    if (!isInside(at)) throw outside();
  }
  if (!(await stat(at)).isDirectory()) throw new DeliveryFaultError('delivery.folderMissing', { folder: shown });
  return at;
}

/** File systems of other machines may have no hard links. */
const hasNoLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

async function isSameFile(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([lstat(one), lstat(other)]);
  return a.ino === b.ino && a.dev === b.dev;
}

async function syncFolder(file: string): Promise<void> {
  const handle = await open(path.dirname(file), 'r');
  await handle.sync().finally(() => handle.close());
}

const exists = (file: string): Promise<boolean> =>
  lstat(file).then(
    () => true,
    (error: unknown) => {
      if (codeOf(error) === 'ENOENT') return false;
      throw error;
    },
  );

/** Gives a file its name without taking it from another: a hard link fails where the name is taken, a renaming does not. */
async function renameNew(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') {
      // A try that was killed between the link and the removal has done this already.
      if (!(await isSameFile(from, to))) return false;
    } else if (hasNoLinks.has(codeOf(error))) {
      if (await exists(to)) return false;
      await rename(from, to);
      return true;
    } else throw error;
  }
  await rm(from);
  await syncFolder(to);
  return true;
}

function shelfOf(root: string, folder: string): Shelf {
  const shown = folder === '' ? '/' : folder;
  const tell = <T>(work: () => Promise<T>) => told(shown, work);
  return {
    openFolder: (names) => tell(() => openInside(root, [folder, ...names], [folder, ...names].join('/'))),
    join: (at, name) => path.join(at, name),
    exists: (file) => tell(() => exists(file)),
    write: (file, bytes) =>
      tell(async () => {
        const handle = await open(file, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o666);
        try {
          await writeFile(handle, bytes);
          await handle.sync();
        } finally {
          await handle.close();
        }
      }),
    read: async (file) => createReadStream(file, { highWaterMark: 1024 * 1024 }),
    sizeOf: (file) => tell(async () => (await lstat(file)).size),
    rename: (from, to) => tell(() => renameNew(from, to)),
    replace: (from, to) =>
      tell(async () => {
        await rename(from, to);
        await syncFolder(to);
      }),
    remove: (file) => tell(() => rm(file, { force: true })),
  };
}

export const runner: DeliveryRunner<typeof folderContract> = {
  deliver: async ({ settings, tools, signal }, parcel) => {
    const placed = await placeFile(shelfOf(tools.root, settings.path), parcel, { readsBack: true, signal });
    return path.relative(await realpath(tools.root), placed);
  },
  tryOut: ({ settings, tools, signal }, { reach }) => tryShelf(shelfOf(tools.root, settings.path), { reach, signal }),
};
