import { type AllowedHost, allowsMailServer } from './allowed-hosts.ts';
import { BlockedHostError, vetHost } from './vet-host.ts';

/**
 * The address to connect to for a server that a setting names; on private networks, or at another port than `ports`, only
 * where the environment allows it.
 * @throws BlockedHostError, or the error of looking up the name
 */
export async function addressOfServer(
  server: { host: string; port: number },
  { allowedHosts, ports }: { allowedHosts: readonly AllowedHost[]; ports: readonly number[] },
): Promise<string> {
  const isAllowed = allowsMailServer(allowedHosts, server);
  if (!isAllowed && !ports.includes(server.port)) throw new BlockedHostError(`${server.host}:${server.port}`);
  return vetHost(server.host, { isAllowed });
}
