import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { isIP } from 'node:net';
import { type AllowedHost, BlockedHostError, vetHost } from '@pdf2press/mail';
import { allowsCall } from '../../allowed-hosts.ts';

export interface OutgoingRequest {
  url: URL;
  method: string;
  headers: Readonly<Record<string, string>>;
  body: string | null;
}

export interface Answer {
  status: number;
  /** At most `maxAnswerBytes`. */
  body: Buffer;
}

/** A longer answer is cut off, and the call has failed. */
export const maxAnswerBytes = 1024 * 1024;

/** An answer that is longer than is read. */
export class AnswerTooLongError extends Error {
  override readonly name = 'AnswerTooLongError';
}

const usualPorts = new Set(['', '443', '8443']);

/**
 * Sends one request to a host that users may name. The name is resolved once, its addresses are checked and the connection
 * goes to the checked one; redirects are not followed. What `allowedHosts`, which the environment names, do not allow is
 * reached by https on its usual ports only, and not on private networks.
 * @throws BlockedHostError, AnswerTooLongError, the connection's error
 */
export async function sendRequest(
  { url, method, headers, body }: OutgoingRequest,
  { allowedHosts, signal }: { allowedHosts: readonly AllowedHost[]; signal: AbortSignal },
): Promise<Answer> {
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const isSecure = url.protocol === 'https:';
  const isUsual = isSecure && usualPorts.has(url.port);
  const isAllowed = allowsCall(allowedHosts, url);
  const isHttp = isSecure || url.protocol === 'http:';
  if (!isHttp || url.username || url.password || (!isUsual && !isAllowed)) throw new BlockedHostError(host);
  const address = await vetHost(host, { isAllowed });
  const send = isSecure ? requestSecure : requestPlain;
  return new Promise<Answer>((resolve, reject) => {
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
    outgoing.once('response', (incoming) => {
      const parts: Buffer[] = [];
      let size = 0;
      incoming.on('data', (part: Buffer) => {
        size += part.length;
        if (size > maxAnswerBytes) outgoing.destroy(new AnswerTooLongError());
        else parts.push(part);
      });
      incoming.once('error', reject);
      incoming.once('end', () => resolve({ status: incoming.statusCode ?? 0, body: Buffer.concat(parts) }));
    });
    outgoing.end(body ?? undefined);
  });
}
