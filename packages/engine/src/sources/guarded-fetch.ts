import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { SourceFaultError } from '@pdf2press/contract';
import { type AllowedHost, BlockedHostError } from '@pdf2press/mail';
import type { GuardedFetch } from '@pdf2press/sources/contracts';
import { openRequest } from '../open-request.ts';

const mostRedirects = 3;
const redirects = new Set([301, 302, 303, 307, 308]);
const unknownName = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_NONAME']);
const lost = new Set(['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'EPIPE']);
const isTlsCode = (code: string): boolean =>
  /^ERR_(TLS|SSL)|^EPROTO$|CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)/.test(code);
/** An answer with one of these has no body. */
const bodiless = new Set([204, 205, 304]);

/** The fault of an error of a connection; any other error stays as it is. */
function faultOf(error: unknown, { hostname, port, protocol }: URL): unknown {
  if (error instanceof BlockedHostError)
    return new SourceFaultError('source.hostBlocked', {
      host: hostname,
      port: Number(port) || (protocol === 'https:' ? 443 : 80),
    });
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (unknownName.has(code)) return new SourceFaultError('source.hostUnknown', { host: hostname }, { cause: error });
  if (isTlsCode(code)) return new SourceFaultError('source.tlsFailed', {}, { cause: error });
  if (lost.has(code)) return new SourceFaultError('source.unreachable', {}, { cause: error });
  return error;
}

const headersOf = (incoming: IncomingMessage): [string, string][] =>
  Object.entries(incoming.headersDistinct).flatMap(([name, values]) =>
    (values ?? []).map((value): [string, string] => [name, value]),
  );

function answerOf(incoming: IncomingMessage): Response {
  const status = incoming.statusCode ?? 502;
  if (bodiless.has(status)) {
    incoming.resume();
    return new Response(null, { status, headers: headersOf(incoming) });
  }
  const body = Readable.toWeb(incoming) as ReadableStream<Uint8Array>;
  return new Response(body, { status, headers: headersOf(incoming) });
}

/**
 * Makes a `fetch` for the services that sources ask: each hop is checked as `openRequest` does it, three redirects at most
 * are followed, and what signs a request in is not sent on to another origin. Bytes are passed on as they come.
 * The promise rejects with SourceFaultError `source.hostBlocked`, `source.hostUnknown`, `source.tlsFailed`,
 * `source.unreachable`
 */
export const guardedFetch =
  (allowedHosts: readonly AllowedHost[]): GuardedFetch =>
  async (address, { method, headers: given, body, signal }) => {
    let url = new URL(address);
    const headers = Object.fromEntries(new Headers(given));
    for (let hop = 0; ; hop += 1) {
      const incoming = await openRequest({ url, method, headers, body: body ?? null }, { allowedHosts, signal }).catch(
        (error: unknown) => {
          throw faultOf(error, url);
        },
      );
      const { location } = incoming.headers;
      const isFollowed = redirects.has(incoming.statusCode ?? 0) && location !== undefined && method === 'GET';
      if (!isFollowed) return answerOf(incoming);
      incoming.destroy();
      const next = new URL(location, url);
      if (hop === mostRedirects || (url.protocol === 'https:' && next.protocol !== 'https:'))
        throw new SourceFaultError('source.hostBlocked', { host: next.hostname, port: Number(next.port) || 443 });
      if (next.origin !== url.origin) delete headers.authorization;
      url = next;
    }
  };
