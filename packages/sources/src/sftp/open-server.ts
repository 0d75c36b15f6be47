import { SourceFaultError } from '@pdf2press/contract';
import { connectSftp, type SftpConnection, SftpError } from '@pdf2press/sftp/client';
import type { SourceTools } from '../source.ts';
import type { TriedSftpServer } from './contract.ts';

/** What a server does not do is a fault of the source. */
export async function tell<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SftpError)) throw error;
    throw new SourceFaultError(`source.${error.reason}`, error.params, { cause: error });
  }
}

interface Opening {
  secret: { password: string; privateKey: string; passphrase: string };
  tools: Pick<SourceTools, 'addressOf'>;
  signal: AbortSignal;
  /** Told of the address, and of the key by which the server says who it is. */
  on?: { address?: () => void; key?: (key: string) => void };
}

/** Finds the server, connects and signs in. @throws SourceFaultError */
export async function openServer(
  server: TriedSftpServer,
  { secret, tools, signal, on = {} }: Opening,
): Promise<SftpConnection> {
  const { host, port, path } = server;
  const address = await tools.addressOf({ host, port, scheme: 'sftp' });
  on.address?.();
  const shown = path === '' ? '.' : path;
  return tell(() => connectSftp({ server, secret, signal }, { address, shown, ...(on.key && { onKey: on.key }) }));
}
