import { DeliveryFaultError } from '@pdf2press/contract';
import { connectSftp, joinSftp, SftpError, type SftpSession } from '@pdf2press/sftp/client';
import type { z } from 'zod';
import type { DeliveryRunner, OpenTarget } from '../delivery.ts';
import { placeFile, type Shelf, tryShelf } from '../place-file.ts';
import type { sftpContract } from './contract.ts';

type Target = Pick<OpenTarget<typeof sftpContract>, 'secret' | 'tools' | 'signal'> & {
  settings: z.output<typeof sftpContract.tried>;
};

/** What a server does not do is a fault of the delivery. */
async function tell<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SftpError)) throw error;
    throw new DeliveryFaultError(`delivery.${error.reason}`, error.params, { cause: error });
  }
}

function shelfOf(session: SftpSession, base: string): Shelf {
  const exists = async (path: string) => (await session.find(path)) !== undefined;
  return {
    openFolder: (names) =>
      tell(async () => {
        let at = base;
        if (at !== '' && !(await exists(at))) throw new DeliveryFaultError('delivery.folderMissing', { folder: at });
        for (const name of names) {
          at = joinSftp(at, name);
          // Another delivery may make it at the same moment.
          if (!(await exists(at))) await session.makeFolder(at);
        }
        return at;
      }),
    join: joinSftp,
    exists: (path) => tell(() => exists(path)),
    write: (path, bytes) => tell(() => session.write(path, bytes)),
    read: async (path) => session.read(path),
    sizeOf: (path) =>
      tell(async () => {
        const found = await session.find(path);
        if (!found) throw new DeliveryFaultError('delivery.folderMissing', { folder: base === '' ? '.' : base });
        return found.size;
      }),
    rename: (from, to) => tell(() => session.rename(from, to)),
    replace: (from, to) => tell(() => session.replace(from, to)),
    remove: (path) => tell(() => session.remove(path)),
  };
}

const addressOf = ({ settings: { host, port }, tools }: Target) => tools.addressOf({ host, port, scheme: 'sftp' });

/** Lends the folders of a server that is signed in to; the connection ends with the work. */
async function withShelf<T>(
  { settings, secret, signal }: Target,
  { address, onKey }: { address: string; onKey?: (key: string) => void },
  work: (shelf: Shelf) => Promise<T>,
): Promise<T> {
  const shown = settings.path === '' ? '.' : settings.path;
  const { session, end } = await tell(() =>
    connectSftp({ server: settings, secret, signal }, { address, shown, ...(onKey && { onKey }) }),
  );
  try {
    return await work(shelfOf(session, settings.path));
  } finally {
    end();
  }
}

export const runner: DeliveryRunner<typeof sftpContract> = {
  deliver: async (target, parcel) => {
    const { settings, signal } = target;
    const placed = await withShelf(target, { address: await addressOf(target) }, (shelf) =>
      placeFile(shelf, parcel, { readsBack: settings.readsBack, signal }),
    );
    const place = placed.startsWith('/') ? placed : `/~/${placed}`;
    return `sftp://${settings.username}@${settings.host}${settings.port === 22 ? '' : `:${settings.port}`}${place}`;
  },
  tryOut: async (target, { reach, hostKey }) => {
    reach('name');
    const address = await addressOf(target);
    reach('connect');
    const onKey = (key: string) => {
      hostKey(key);
      // Whoever shows the known key is the server; from here on it is about who signs in.
      if (target.settings.hostKey === '' || target.settings.hostKey === key) reach('signIn');
    };
    await withShelf(target, { address, onKey }, (shelf) => tryShelf(shelf, { reach, signal: target.signal }));
  },
};
