import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { DeliveryFaultError } from '@pdf2press/contract';
import type { z } from 'zod';
import type { CloudAccount, CloudItem, CloudPlace, DeliveryRunner } from '../delivery.ts';
import { placeFile, type Shelf, tryShelf } from '../place-file.ts';
import type { cloudContract } from './contract.ts';

type Settings = z.output<typeof cloudContract.settings>;

/** Ids of folders have no slash, so that a path is the id of a folder, a slash and a name. */
const join = (folderId: string, name: string): string => `${folderId}/${name}`;

async function* summing(bytes: AsyncIterable<Uint8Array>, sum: ReturnType<typeof createHash>) {
  for await (const piece of bytes) {
    sum.update(piece);
    yield piece;
  }
}

const md5Of = async (bytes: AsyncIterable<Uint8Array>): Promise<string> => {
  const sum = createHash('md5');
  for await (const piece of bytes) sum.update(piece);
  return sum.digest('hex');
};

/** The folders of a cloud storage. A folder that the target names is never made: its id would be another one. */
function shelfOf(
  account: CloudAccount,
  { driveId, folderId, path: known }: Settings['folder'],
  mediaType: string,
): Shelf {
  // A list that a service gives may not yet have what was stored a moment ago.
  const stored = new Map<string, CloudItem>();
  const partsOf = (path: string): { place: CloudPlace; name: string } => {
    const at = path.indexOf('/');
    return { place: { driveId, folderId: path.slice(0, at) }, name: path.slice(at + 1) };
  };
  const look = async (path: string): Promise<CloudItem | undefined> => {
    const { place, name } = partsOf(path);
    return stored.get(path) ?? (await account.named(place, name));
  };
  const demand = async (path: string): Promise<CloudItem> => {
    const found = await look(path);
    if (!found) throw new DeliveryFaultError('delivery.damaged');
    return found;
  };
  const rename = async (from: string, to: string): Promise<boolean> => {
    const file = await demand(from);
    if (!(await account.rename(file, partsOf(to).name))) return false;
    stored.delete(from);
    stored.set(to, file);
    return true;
  };

  return {
    join,
    openFolder: async (names) => {
      if ((await account.find(driveId, folderId))?.kind !== 'folder')
        throw new DeliveryFaultError('delivery.folderMissing', { folder: known });
      let at = folderId;
      for (const name of names) {
        const place = { driveId, folderId: at };
        const there = await account.named(place, name);
        at = there?.kind === 'folder' ? there.id : await account.makeFolder(place, name);
      }
      return at;
    },
    exists: async (path) => (await look(path)) !== undefined,
    write: async (path, bytes, size) => {
      const { place, name } = partsOf(path);
      const sum = createHash('md5');
      const file = await account.upload(place, { name, size, mediaType, bytes: summing(bytes, sum) });
      stored.set(path, file);
      if ((file.md5 ?? (await md5Of(await account.read(file, 0)))) !== sum.digest('hex'))
        throw new DeliveryFaultError('delivery.damaged');
    },
    read: async (path) => Readable.from(await account.read(await demand(path), 0)),
    sizeOf: async (path) => (await demand(path)).size,
    rename: async (from, to) => !(await look(to)) && (await rename(from, to)),
    replace: async (from, to) => {
      const before = await look(to);
      if (before) await account.remove(before);
      stored.delete(to);
      if (!(await rename(from, to))) throw new DeliveryFaultError('delivery.nameTaken', { name: partsOf(to).name });
    },
    remove: async (path) => {
      const file = await look(path);
      if (file) await account.remove(file);
      stored.delete(path);
    },
  };
}

export const runner: DeliveryRunner<typeof cloudContract> = {
  deliver: async ({ settings: { connectionId, folder }, tools, signal }, parcel) => {
    const shelf = shelfOf(await tools.openCloud(connectionId), folder, parcel.file.mediaType);
    // What lies there was compared when it was written.
    const placed = await placeFile(shelf, parcel, { readsBack: false, signal });
    return [folder.path, ...parcel.folder, placed.slice(placed.indexOf('/') + 1)]
      .filter((part) => part !== '')
      .join('/');
  },
  tryOut: async ({ settings: { connectionId, folder }, tools, signal }, { reach }) => {
    reach('signIn');
    const account = await tools.openCloud(connectionId);
    const shelf = shelfOf(account, folder, 'application/octet-stream');
    // The first question is the one that signs in.
    await shelf.openFolder([]);
    await tryShelf(shelf, { reach, signal });
  },
};
