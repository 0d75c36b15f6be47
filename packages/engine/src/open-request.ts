import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { isIP } from 'node:net';
import { type AllowedHost, BlockedHostError, vetHost } from '@pdf2press/mail';
import { allowsCall } from './allowed-hosts.ts';

export interface OutgoingRequest {
  url: URL;
  method: string;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array | null;
}

const usualPorts = new Set(['', '443', '8443']);

/** Whether an address may be asked at all: by its form; where its name leads is seen with each request. */
export function mayBeAsked(url: URL, allowedHosts: readonly AllowedHost[]): boolean {
  const isSecure = url.protocol === 'https:';
  const isUsual = isSecure && usualPorts.has(url.port);
  const isHttp = isSecure || url.protocol === 'http:';
  return isHttp && !url.username && !url.password && (isUsual || allowsCall(allowedHosts, url));
}

/**
 * Sends one request to a host that settings or a server's answer may name, and resolves to its answer as soon as that
 * begins. The name is resolved once, its addresses are checked and the connection goes to the checked one; redirects are
 * not followed. What `allowedHosts`, which the environment names, do not allow is reached by https on its usual ports only,
 * and not on private networks.
 * @throws BlockedHostError, the connection's error
 */
export async function openRequest(
  { url, method, headers, body }: OutgoingRequest,
  { allowedHosts, signal }: { allowedHosts: readonly AllowedHost[]; signal: AbortSignal },
): Promise<IncomingMessage> {
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const isSecure = url.protocol === 'https:';
  if (!mayBeAsked(url, allowedHosts)) throw new BlockedHostError(host);
  const address = await vetHost(host, { isAllowed: allowsCall(allowedHosts, url) });
  const send = isSecure ? requestSecure : requestPlain;
  return new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = send({
      host: address,
      port: url.port || (isSecure ? 443 : 80),
      path: url.pathname + url.search,
      method,
      // Without an agent each call has a connection of its own, to the address checked just now.
      agent: false,
      signal,
      headers: {
        ...headers,
        Host: url.host,
        'Accept-Encoding': 'identity',
        ...(body === null ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
      },
      ...(isSecure && !isIP(host) ? { servername: host } : {}),
    });
    outgoing.once('error', reject);
    outgoing.once('response', resolve);
    outgoing.end(body ?? undefined);
  });
}
