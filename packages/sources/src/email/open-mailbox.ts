import { isIP } from 'node:net';
import { SourceFaultError } from '@pdf2press/contract';
import { ImapFlow, type ImapFlowOptions } from 'imapflow';
import type { SourceTools } from '../source.ts';
import type { MailboxServer } from './contract.ts';

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

/**
 * Connects and signs in; the connection is closed when `signal` is aborted, and by whoever opened it.
 * @throws SourceFaultError `source.hostUnknown`, `source.hostBlocked`, `source.unreachable`, `source.tlsFailed`,
 *   `source.denied`
 */
export async function signIn(
  { host, port, security, ignoreSslWarnings, username }: MailboxServer,
  {
    password,
    addressOf,
    signal,
  }: {
    password: string;
    addressOf: SourceTools['addressOf'];
    signal: AbortSignal;
  },
): Promise<ImapFlow> {
  const address = await addressOf({ host, port });
  const client = new ImapFlow({
    host: address,
    port,
    secure: security === 'tls',
    doSTARTTLS: security === 'startTls',
    ...(isIP(host) === 0 && { servername: host }),
    tls: { rejectUnauthorized: !ignoreSslWarnings },
    auth: { user: username, pass: password },
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
