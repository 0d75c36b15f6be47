import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { DeliveryFaultError } from '@pdf2press/contract';
import { Client, type ConnectConfig, type SFTPWrapper } from 'ssh2';
import type { z } from 'zod';
import type { DeliveryRunner, OpenTarget } from '../delivery.ts';
import { placeFile, type Shelf, tryShelf } from '../place-file.ts';
import type { sftpContract } from './contract.ts';

type Target = Pick<OpenTarget<typeof sftpContract>, 'secret' | 'tools' | 'signal'> & {
  settings: z.output<typeof sftpContract.tried>;
};

const seconds = 1_000;

/** As `ssh-keygen -l` shows it. */
const fingerprintOf = (key: Buffer): string =>
  `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;

interface Opened {
  client: Client;
  hostKey: string;
}

const unreachable = (error: unknown) =>
  new DeliveryFaultError(
    'delivery.unreachable',
    { text: error instanceof Error ? error.message.slice(0, 200) : '' },
    { cause: error },
  );

/** Connects and signs in; with another key than the one that is known nothing is sent. */
function signIn({ settings, secret, signal }: Target, address: string, onKey: (key: string) => void): Promise<Opened> {
  const { port, username, hostKey: known } = settings;
  return new Promise<Opened>((resolve, reject) => {
    const client = new Client();
    let hostKey = '';
    const fail = (error: unknown) => {
      client.destroy();
      reject(error);
    };
    const stop = () => fail(unreachable(signal.reason));
    signal.addEventListener('abort', stop, { once: true });
    client.once('ready', () => {
      signal.removeEventListener('abort', stop);
      // Of a connection that breaks later the work that is under way tells.
      client.on('error', () => undefined);
      resolve({ client, hostKey });
    });
    client.once('error', (error: Error & { level?: string }) => {
      signal.removeEventListener('abort', stop);
      if (hostKey !== '' && known !== '' && hostKey !== known)
        fail(new DeliveryFaultError('delivery.hostKeyChanged', { key: hostKey }));
      else if (error.level === 'client-authentication')
        fail(new DeliveryFaultError('delivery.denied', { folder: settings.host }, { cause: error }));
      else fail(unreachable(error));
    });
    // Some servers ask for a password only in this way.
    client.on('keyboard-interactive', (_name, _instructions, _language, prompts, answer) =>
      answer(prompts.map(() => secret.password)),
    );
    const config: ConnectConfig = {
      host: address,
      port,
      username,
      readyTimeout: 20 * seconds,
      keepaliveInterval: 15 * seconds,
      keepaliveCountMax: 4,
      tryKeyboard: secret.password !== '',
      ...(secret.password !== '' && { password: secret.password }),
      ...(secret.privateKey !== '' && { privateKey: secret.privateKey }),
      ...(secret.passphrase !== '' && { passphrase: secret.passphrase }),
      hostVerifier: (key: Buffer) => {
        hostKey = fingerprintOf(key);
        onKey(hostKey);
        return known === '' || hostKey === known;
      },
    };
    try {
      client.connect(config);
    } catch (error) {
      // A private key that cannot be read.
      signal.removeEventListener('abort', stop);
      fail(new DeliveryFaultError('delivery.secretUnreadable', {}, { cause: error }));
    }
  });
}

/** Numbers of the protocol's answers: SFTP version 3, section 7. */
const status = { noSuchFile: 2, denied: 3, failure: 4, connectionLost: 7 } as const;
const answerOf = (error: unknown): unknown => (error as { code?: unknown } | undefined)?.code;

function faultOf(error: unknown, folder: string): unknown {
  switch (answerOf(error)) {
    case status.noSuchFile:
      return new DeliveryFaultError('delivery.folderMissing', { folder }, { cause: error });
    case status.denied:
      return new DeliveryFaultError('delivery.denied', { folder }, { cause: error });
    case status.failure:
      return new DeliveryFaultError('delivery.failed', { text: (error as Error).message }, { cause: error });
    default:
      return error instanceof DeliveryFaultError ? error : unreachable(error);
  }
}

type Done<T> = (error: Error | null | undefined, value: T) => void;

function shelfOf(sftp: SFTPWrapper, base: string, isLost: AbortSignal): Shelf {
  const shown = base === '' ? '.' : base;
  /** One question to the server. */
  const ask = <T = void>(question: (done: Done<T>) => void): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      const lost = () => reject(unreachable(isLost.reason));
      if (isLost.aborted) return lost();
      isLost.addEventListener('abort', lost, { once: true });
      question((error, value) => {
        isLost.removeEventListener('abort', lost);
        if (error) reject(error);
        else resolve(value);
      });
    });
  const tell = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw faultOf(error, shown);
    }
  };
  const find = (path: string) =>
    ask<{ size: number; isDirectory(): boolean }>((done) => sftp.lstat(path, done)).catch((error: unknown) => {
      if (answerOf(error) === status.noSuchFile) return undefined;
      throw error;
    });
  const exists = async (path: string) => (await find(path)) !== undefined;
  const rename = (from: string, to: string) => ask((done) => sftp.rename(from, to, done as Done<void>));
  return {
    openFolder: (names) =>
      tell(async () => {
        let at = base;
        if (at !== '' && !(await exists(at))) throw new DeliveryFaultError('delivery.folderMissing', { folder: at });
        for (const name of names) {
          at = at === '' ? name : `${at.replace(/\/+$/, '')}/${name}`;
          if (await exists(at)) continue;
          // Another delivery may make it at the same moment.
          await ask((done) => sftp.mkdir(at, done as Done<void>)).catch(async (error: unknown) => {
            if (!(await exists(at))) throw error;
          });
        }
        return at;
      }),
    join: (folder, name) => (folder === '' ? name : `${folder.replace(/\/+$/, '')}/${name}`),
    exists: (path) => tell(() => exists(path)),
    write: (path, bytes) =>
      tell(() => pipeline(bytes, sftp.createWriteStream(path, { flags: 'wx' }), { signal: isLost })),
    read: async (path) => sftp.createReadStream(path),
    sizeOf: (path) => tell(async () => (await ask<{ size: number }>((done) => sftp.lstat(path, done))).size),
    rename: (from, to) =>
      tell(async () => {
        try {
          await rename(from, to);
          return true;
        } catch (error) {
          // The protocol has no answer of its own for a name that is taken.
          if (answerOf(error) === status.failure && (await exists(to))) return false;
          throw error;
        }
      }),
    replace: (from, to) =>
      tell(async () => {
        if (!(await exists(to))) return rename(from, to);
        try {
          await ask((done) => sftp.ext_openssh_rename(from, to, done as Done<void>));
        } catch (error) {
          // A server that is no OpenSSH may not know it: for a moment there is no file of that name.
          if (!/not support/i.test((error as Error).message)) throw error;
          await ask((done) => sftp.unlink(to, done as Done<void>));
          await rename(from, to);
        }
      }),
    remove: (path) =>
      tell(() =>
        ask((done) => sftp.unlink(path, done as Done<void>)).catch((error: unknown) => {
          if (answerOf(error) !== status.noSuchFile) throw error;
        }),
      ),
  };
}

/** Lends the folders of a server that is signed in to; the connection ends with the work. */
async function withShelf<T>(target: Target, { client }: Opened, work: (shelf: Shelf) => Promise<T>): Promise<T> {
  const closed = new AbortController();
  client.once('close', () => closed.abort(new Error('the connection was closed')));
  const isLost = AbortSignal.any([closed.signal, target.signal]);
  try {
    const sftp = await new Promise<SFTPWrapper>((resolve, reject) =>
      client.sftp((error, opened) => (error ? reject(unreachable(error)) : resolve(opened))),
    );
    return await work(shelfOf(sftp, target.settings.path, isLost));
  } finally {
    client.end();
  }
}

const addressOf = ({ settings: { host, port }, tools }: Target) => tools.addressOf({ host, port, scheme: 'sftp' });

export const runner: DeliveryRunner<typeof sftpContract> = {
  deliver: async (target, parcel) => {
    const { settings, signal } = target;
    const opened = await signIn(target, await addressOf(target), () => undefined);
    const placed = await withShelf(target, opened, (shelf) =>
      placeFile(shelf, parcel, { readsBack: settings.readsBack, signal }),
    );
    const place = placed.startsWith('/') ? placed : `/~/${placed}`;
    return `sftp://${settings.username}@${settings.host}${settings.port === 22 ? '' : `:${settings.port}`}${place}`;
  },
  tryOut: async (target, { reach, hostKey }) => {
    reach('name');
    const address = await addressOf(target);
    reach('connect');
    const opened = await signIn(target, address, (key) => {
      hostKey(key);
      // Whoever shows the known key is the server; from here on it is about who signs in.
      if (target.settings.hostKey === '' || target.settings.hostKey === key) reach('signIn');
    });
    await withShelf(target, opened, (shelf) => tryShelf(shelf, { reach, signal: target.signal }));
  },
};
