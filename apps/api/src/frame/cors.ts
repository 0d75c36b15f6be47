import type { FastifyInstance } from 'fastify';
import { base } from './bind.ts';

const methods = 'GET, POST, PUT, PATCH, DELETE, HEAD';
const taken = [
  'Authorization, X-Api-Key, Content-Type, Idempotency-Key, If-None-Match, Range, Last-Event-ID, Accept-Language',
  'Tus-Resumable, Upload-Length, Upload-Metadata, Upload-Offset, Upload-Checksum',
].join(', ');
const shown = [
  'Content-Disposition, ETag, Location, Retry-After, X-Request-Id, X-Session-Id',
  'Tus-Resumable, Upload-Length, Upload-Offset, Upload-Expires',
].join(', ');
/** Seconds that a browser may remember the answer to its question; Chromium takes no more than two hours. */
const remembered = 7200;

/**
 * Lets pages of the origins that the machine's owner named call the API with a token of their own. No wildcard, and no
 * credentials: a cookie of ours is never used from another site.
 */
export function installCors(app: FastifyInstance, origins: readonly string[]): void {
  app.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers;
    if (!origin || !request.url.startsWith(`${base}/`) || !origins.includes(origin)) return;
    reply.headers({
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Expose-Headers': shown,
      'Cross-Origin-Resource-Policy': 'cross-origin',
      Vary: 'Origin',
    });
    if (request.method !== 'OPTIONS' || !request.headers['access-control-request-method']) return;
    reply.headers({
      'Access-Control-Allow-Methods': methods,
      'Access-Control-Allow-Headers': taken,
      'Access-Control-Max-Age': remembered,
    });
    await reply.code(204).send();
  });
}
