import cors from '@fastify/cors';
import { publicAccess } from '@pdf2press/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { base } from './bind.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'];
const allowedHeaders = [
  ...['Authorization', 'X-Api-Key', 'Content-Type', 'Idempotency-Key', 'If-None-Match', 'Range', 'Last-Event-ID'],
  ...['Accept-Language', 'Tus-Resumable', 'Upload-Length', 'Upload-Metadata', 'Upload-Offset', 'Upload-Checksum'],
];
const exposedHeaders = [
  ...['Content-Disposition', 'ETag', 'Location', 'Retry-After', 'X-Request-Id', 'X-Session-Id'],
  ...['Tus-Resumable', 'Upload-Length', 'Upload-Offset', 'Upload-Expires'],
];
/** Seconds that a browser may remember the answer to a preflight request; Chromium takes no more than two hours. */
const maxAge = 7200;

/**
 * Lets pages of the origins that the machine's owner named call the API with a token of their own. No wildcard, and no
 * credentials: a cookie of ours is never used from another site.
 */
export async function installCors(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  const isAllowed = ({ url, headers }: FastifyRequest): boolean =>
    url.startsWith(`${base}/`) && headers.origin !== undefined && origins.includes(headers.origin);
  // The plugin answers preflight requests before any route; the route that it adds for them needs an access all the same.
  app.addHook('onRoute', (route) => {
    if (route.method === 'OPTIONS' && route.url === '*') route.config = { ...route.config, access: publicAccess };
  });
  await app.register(cors, {
    delegator: async (request: FastifyRequest) =>
      isAllowed(request)
        ? {
            origin: [...origins],
            methods,
            allowedHeaders,
            exposedHeaders,
            maxAge,
            // An OPTIONS request without this header is not a preflight request and gets the usual answer.
            preflight: request.headers['access-control-request-method'] !== undefined,
          }
        : { origin: false },
  });
  app.addHook('onRequest', async (request, reply) => {
    if (isAllowed(request)) reply.header('Cross-Origin-Resource-Policy', 'cross-origin');
  });
}
