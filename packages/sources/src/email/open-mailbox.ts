import { isIP } from 'node:net';
import { SourceFaultError } from '@pdf2press/contract';
import { ImapFlow, type ImapFlowOptions } from 'imapflow';
import type { SourceTools } from '../source.ts';
import type { MailboxServer } from './contract.ts';
import type { Credentials } from './credentials.ts';

const mebibyte = 1024 * 1024;

/** Bounds of what a server may send at once; bytes of attachments come in pieces. Times in milliseconds. */
const limits = {
  connectionTimeout: 15_000,
  greetingTimeout: 15_000,
  socketTimeout: 50_000,
  maxLineLength: 8 * mebibyte,
  maxLiteralSize: 4 * mebibyte,
  maxResponseSize: 16 * mebibyte,
} satisfies ImapFlowOptions;

const isTlsCode = (code: string): boolean =>
  /^ERR_(TLS|SSL)|^EPROTO$|CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|^STARTTLS_INJECTION$/.test(code);

const lostCodes = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'EPIPE'],
  ...['NoConnection', 'EConnectionClosed', 'ClosedAfterConnectText', 'ClosedAfterConnectTLS', 'StateLogout'],
  ...['CONNECT_TIMEOUT', 'GREETING_TIMEOUT', 'UPGRADE_TIMEOUT', 'ETIMEOUT', 'ETHROTTLE'],
]);

/** The fault of an error of a mail server; any other error stays as it is. */
export function mailboxFault(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code = '', tlsFailed, authenticationFailed } = error as Error & Record<string, unknown> & { code?: string };
  if (authenticationFailed) return new SourceFaultError('source.denied', {}, { cause: error });
  if (tlsFailed || isTlsCode(code)) return new SourceFaultError('source.tlsFailed', {}, { cause: error });
  if (lostCodes.has(code)) return new SourceFaultError('source.unreachable', {}, { cause: error });
  return error;
}

interface Access {
  credentials: Credentials;
  addressOf: SourceTools['addressOf'];
  signal: AbortSignal;
}

/** Connects and signs in with a password or a token; the connection is closed when `signal` is aborted. */
async function connect(
  { host, port, security, ignoreSslWarnings, username }: MailboxServer,
  auth: { pass: string } | { accessToken: string },
  { addressOf, signal }: Access,
): Promise<ImapFlow> {
  const address = await addressOf({ host, port, scheme: 'imap' });
  const client = new ImapFlow({
    host: address,
    port,
    secure: security === 'tls',
    doSTARTTLS: security === 'startTls',
    ...(isIP(host) === 0 && { servername: host }),
    tls: { rejectUnauthorized: !ignoreSslWarnings },
    auth: { user: username, ...auth },
    clientInfo: { name: 'pdf2press' },
    logger: false,
    disableAutoIdle: true,
    disableCompression: true,
    ...limits,
  });
  const close = () => client.close();
  // The command that is under way fails with the same error.
  client.on('error', close);
  signal.addEventListener('abort', close);
  client.on('close', () => signal.removeEventListener('abort', close));
  try {
    signal.throwIfAborted();
    await client.connect();
    return client;
  } catch (error) {
    client.close();
    throw mailboxFault(error);
  }
}

const isDenied = (error: unknown): boolean => error instanceof SourceFaultError && error.code === 'source.denied';

/**
 * Connects and signs in; the connection is closed when `signal` is aborted, and by whoever opened it. A token that was kept
 * and no longer counts is replaced once.
 * @throws SourceFaultError `source.hostUnknown`, `source.hostBlocked`, `source.unreachable`, `source.tlsFailed`,
 *   `source.denied`, `source.signInNeeded`
 */
export async function signIn(server: MailboxServer, access: Access): Promise<ImapFlow> {
  const { credentials } = access;
  if ('password' in credentials) return connect(server, { pass: credentials.password }, access);
  const token = await credentials.accessToken(false);
  try {
    return await connect(server, { accessToken: token }, access);
  } catch (error) {
    if (!isDenied(error)) throw error;
    return connect(server, { accessToken: await credentials.accessToken(true) }, access);
  }
}

/** What is known of a folder that was opened. */
export interface OpenedFolder {
  uidValidity: string;
  /** The UID that the next mail will have, at least. */
  uidNext: number;
  exists: number;
}

/** Opens a folder for changes. @throws SourceFaultError `source.folderMissing` */
export async function openFolder(client: ImapFlow, folder: string): Promise<OpenedFolder> {
  try {
    const { uidValidity, uidNext, exists } = await client.mailboxOpen(folder);
    return { uidValidity: String(uidValidity), uidNext, exists };
  } catch (error) {
    const { responseStatus } = error as { responseStatus?: string };
    if (responseStatus === 'NO') throw new SourceFaultError('source.folderMissing', { folder }, { cause: error });
    throw mailboxFault(error);
  }
}
