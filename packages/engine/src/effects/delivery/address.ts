import { DeliveryFaultError } from '@pdf2press/contract';
import type { DeliveryTools } from '@pdf2press/deliveries/runners';
import { type AllowedHost, addressOfServer, BlockedHostError, vetHost } from '@pdf2press/mail';
import { allowsCall } from '../../allowed-hosts.ts';

const sshPorts = [22];
const httpsPorts = [443, 8443];
const unknownName = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_NONAME']);

/**
 * Makes the function that finds the address of a server that a target names; hosts on private networks, unusual ports and
 * calls without encryption only where the environment allows them.
 */
export const deliveryAddress =
  (allowedHosts: readonly AllowedHost[]): DeliveryTools['addressOf'] =>
  async ({ host, port, scheme }) => {
    try {
      if (scheme === 'sftp') return await addressOfServer({ host, port }, { allowedHosts, ports: sshPorts });
      const url = URL.canParse(`${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`)
        ? new URL(`${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`)
        : undefined;
      const isAllowed = url !== undefined && allowsCall(allowedHosts, url);
      const isUsual = scheme === 'https' && httpsPorts.includes(port);
      if (!isAllowed && !isUsual) throw new BlockedHostError(host);
      return await vetHost(host, { isAllowed });
    } catch (error) {
      if (error instanceof BlockedHostError) throw new DeliveryFaultError('delivery.hostBlocked', { host, port });
      if (unknownName.has((error as NodeJS.ErrnoException).code ?? ''))
        throw new DeliveryFaultError('delivery.hostUnknown', { host }, { cause: error });
      throw error;
    }
  };
