/* Exported as `@pdf2press/sftp/client`: signs in to a server of SFTP and works in its folders. */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Client, type ConnectConfig, type FileEntryWithStats, type SFTPWrapper, type Stats } from 'ssh2';

/** Why a server cannot be worked with. */
export type SftpReason = 'hostKeyChanged' | 'denied' | 'unreachable' | 'secretUnreadable' | 'folderMissing' | 'failed';

/** A server that does not do what it is asked. The parameters never hold a secret. */
export class SftpError extends Error {
  readonly reason: SftpReason;
  readonly params: Readonly<Record<string, string>>;
  constructor(reason: SftpReason, params: Readonly<Record<string, string>> = {}, options?: ErrorOptions) {
    super(`sftp: ${reason}`, options);
    this.name = 'SftpError';
    this.reason = reason;
    this.params = params;
  }
}

export interface SftpLogin {
  server: {
    host: string;
    port: number;
    username: string;
    /** The key of the server as `SHA256:…`; empty = any is taken. */
    hostKey: string;
  };
  secret: { password: string; privateKey: string; passphrase: string };
  signal: AbortSignal;
}

const seconds = 1_000;

/** As `ssh-keygen -l` shows it. */
const fingerprintOf = (key: Buffer): string =>
  `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;

const unreachable = (error: unknown) =>
  new SftpError('unreachable', { text: error instanceof Error ? error.message.slice(0, 200) : '' }, { cause: error });

/** Connects and signs in; with another key than the one that is known nothing is sent. */
function signIn({ server, secret, signal }: SftpLogin, address: string, onKey: (key: string) => void): Promise<Client> {
  const { host, port, username, hostKey: known } = server;
  return new Promise<Client>((resolve, reject) => {
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
      resolve(client);
    });
    client.once('error', (error: Error & { level?: string }) => {
      signal.removeEventListener('abort', stop);
      if (hostKey !== '' && known !== '' && hostKey !== known) fail(new SftpError('hostKeyChanged', { key: hostKey }));
      else if (error.level === 'client-authentication')
        fail(new SftpError('denied', { folder: host }, { cause: error }));
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
      fail(new SftpError('secretUnreadable', {}, { cause: error }));
    }
  });
}

/** Numbers of the protocol's answers: SFTP version 3, section 7. */
const status = { endOfFile: 1, noSuchFile: 2, denied: 3, failure: 4 } as const;
const answerOf = (error: unknown): unknown => (error as { code?: unknown } | undefined)?.code;

function errorOf(error: unknown, folder: string): unknown {
  switch (answerOf(error)) {
    case status.noSuchFile:
      return new SftpError('folderMissing', { folder }, { cause: error });
    case status.denied:
      return new SftpError('denied', { folder }, { cause: error });
    case status.failure:
      return new SftpError('failed', { text: (error as Error).message }, { cause: error });
    default:
      return error instanceof SftpError ? error : unreachable(error);
  }
}

/** What lies in a folder: itself, not what a link leads to. */
export interface SftpEntry {
  name: string;
  kind: 'file' | 'folder' | 'other';
  size: number;
  /** To the second: the protocol tells no more. */
  modifiedAt: Date;
}

const entryOf = (name: string, stats: Stats): SftpEntry => ({
  name,
  kind: stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other',
  size: stats.size,
  modifiedAt: new Date(stats.mtime * 1000),
});

/** A file that is open for reading, whatever its name leads to by now. */
export interface SftpFile {
  state(): Promise<SftpEntry>;
  bytes(): AsyncGenerator<Uint8Array>;
  close(): Promise<void>;
}

/** The folders of a server that is signed in to. Every promise may reject with SftpError. */
export interface SftpSession {
  /** Undefined = there is nothing of this name. */
  find(path: string): Promise<SftpEntry | undefined>;
  /** What lies directly in a folder. */
  list(folder: string): Promise<SftpEntry[]>;
  /** A folder that another one makes at the same moment counts as made. */
  makeFolder(path: string): Promise<void>;
  /** Resolves to whether the new name was free. */
  rename(from: string, to: string): Promise<boolean>;
  /** The file that had the name is gone. */
  replace(from: string, to: string): Promise<void>;
  /** A file that is not there counts as removed. */
  remove(path: string): Promise<void>;
  /** Writes a new file whole. */
  write(path: string, bytes: Readable): Promise<void>;
  read(path: string): Readable;
  open(path: string): Promise<SftpFile>;
}

/** A path of the server; an empty folder is the one that one is in after signing in. */
export const joinSftp = (folder: string, name: string): string =>
  folder === '' ? name : `${folder.replace(/\/+$/, '')}/${name}`;

type Done<T> = (error: Error | null | undefined, value: T) => void;
type Ask = <T = void>(question: (done: Done<T>) => void) => Promise<T>;

/** Makes the function that asks a server one question, as long as the connection stands. */
const createAsk =
  (isLost: AbortSignal): Ask =>
  <T>(question: (done: Done<T>) => void) =>
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

/** So many bytes are asked for at once, and so many questions are under way: a far server answers late, not slowly. */
const pieceBytes = 128 * 1024;
const mostUnderWay = 8;

function fileOf(
  sftp: SFTPWrapper,
  handle: Buffer,
  ask: Ask,
  tell: <T>(work: () => Promise<T>) => Promise<T>,
): SftpFile {
  async function readPiece(from: number): Promise<Uint8Array> {
    const piece = Buffer.allocUnsafe(pieceBytes);
    let filled = 0;
    while (filled < pieceBytes) {
      const count = await ask<number>((done) =>
        sftp.read(handle, piece, filled, pieceBytes - filled, from + filled, done),
      ).catch((error: unknown) => {
        if (answerOf(error) === status.endOfFile) return 0;
        throw error;
      });
      if (count === 0) break;
      filled += count;
    }
    return piece.subarray(0, filled);
  }
  return {
    state: () => tell(async () => entryOf('', await ask<Stats>((done) => sftp.fstat(handle, done)))),
    bytes: async function* () {
      const underWay: Promise<Uint8Array>[] = [];
      let asked = 0;
      for (;;) {
        while (underWay.length < mostUnderWay) {
          const piece = readPiece(asked);
          // It may fail before its turn comes, or after nobody reads any more.
          piece.catch(() => undefined);
          underWay.push(piece);
          asked += pieceBytes;
        }
        const next = underWay.shift() as Promise<Uint8Array>;
        const piece = await tell(() => next);
        if (piece.length > 0) yield piece;
        if (piece.length < pieceBytes) return;
      }
    },
    close: () => ask((done) => sftp.close(handle, done as Done<void>)),
  };
}

function sessionOf(sftp: SFTPWrapper, shown: string, isLost: AbortSignal): SftpSession {
  const ask = createAsk(isLost);
  const tell = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw errorOf(error, shown);
    }
  };
  const find = (path: string) =>
    ask<Stats>((done) => sftp.lstat(path, done)).then(
      (stats) => entryOf(path.slice(path.lastIndexOf('/') + 1), stats),
      (error: unknown) => {
        if (answerOf(error) === status.noSuchFile) return undefined;
        throw error;
      },
    );
  const exists = async (path: string) => (await find(path)) !== undefined;
  const rename = (from: string, to: string) => ask((done) => sftp.rename(from, to, done as Done<void>));
  const remove = (path: string) =>
    ask((done) => sftp.unlink(path, done as Done<void>)).catch((error: unknown) => {
      if (answerOf(error) !== status.noSuchFile) throw error;
    });
  return {
    find: (path) => tell(() => find(path)),
    list: (folder) =>
      tell(async () => {
        const rows = await ask<FileEntryWithStats[]>((done) => sftp.readdir(folder === '' ? '.' : folder, done));
        return rows.map(({ filename, attrs }) => entryOf(filename, attrs));
      }),
    makeFolder: (path) =>
      tell(() =>
        ask((done) => sftp.mkdir(path, done as Done<void>)).catch(async (error: unknown) => {
          if (!(await exists(path))) throw error;
        }),
      ),
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
          await remove(to);
          await rename(from, to);
        }
      }),
    remove: (path) => tell(() => remove(path)),
    write: (path, bytes) =>
      tell(() => pipeline(bytes, sftp.createWriteStream(path, { flags: 'wx' }), { signal: isLost })),
    read: (path) => sftp.createReadStream(path),
    open: (path) => tell(async () => fileOf(sftp, await ask<Buffer>((done) => sftp.open(path, 'r', done)), ask, tell)),
  };
}

export interface SftpConnection {
  session: SftpSession;
  end(): void;
}

/**
 * Connects, signs in and opens a session; whoever calls ends it.
 * @param about `address`: what the name of the server leads to; `shown`: the folder that errors name; `onKey`: told of the key by
 *   which the server says who it is, before anything is sent
 * @throws SftpError
 */
export async function connectSftp(
  login: SftpLogin,
  { address, shown, onKey = () => undefined }: { address: string; shown: string; onKey?: (key: string) => void },
): Promise<SftpConnection> {
  const client = await signIn(login, address, onKey);
  const closed = new AbortController();
  client.once('close', () => closed.abort(new Error('the connection was closed')));
  const isLost = AbortSignal.any([closed.signal, login.signal]);
  try {
    const sftp = await new Promise<SFTPWrapper>((resolve, reject) =>
      client.sftp((error, opened) => (error ? reject(unreachable(error)) : resolve(opened))),
    );
    return { session: sessionOf(sftp, shown, isLost), end: () => client.end() };
  } catch (error) {
    client.end();
    throw error;
  }
}
