import { SourceFaultError } from '@pdf2press/contract';
import { type AllowedHost, addressOfServer, BlockedHostError } from '@pdf2press/mail';
import type { SourceTools } from '@pdf2press/sources/contracts';

/** The usual ports of servers that files are fetched from. */
const usualPorts = { imap: [143, 993], sftp: [22] } as const;
const unknownName = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_NONAME']);

/**
 * Makes the function that finds the address of a server that a setting names; hosts on private networks and unusual ports only
 * where the environment allows them.
 */
export const sourceAddress =
  (allowedHosts: readonly AllowedHost[]): SourceTools['addressOf'] =>
  async ({ host, port, scheme }) => {
    try {
      return await addressOfServer({ host, port }, { allowedHosts, ports: usualPorts[scheme] });
    } catch (error) {
      if (error instanceof BlockedHostError) throw new SourceFaultError('source.hostBlocked', { host, port });
      if (unknownName.has((error as NodeJS.ErrnoException).code ?? ''))
        throw new SourceFaultError('source.hostUnknown', { host }, { cause: error });
      throw error;
    }
  };
