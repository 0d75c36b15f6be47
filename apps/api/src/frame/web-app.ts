import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import { publicAccess } from '@pdf2press/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { base } from './bind.ts';
import { notFound } from './errors.ts';
import { allowFrames } from './security-headers.ts';

const builtApp = fileURLToPath(new URL('../../../web/dist', import.meta.url));

/** Asked by a person's browser for a page, not by a program for data or by a page for its parts. */
const wantsPage = ({ method, url, headers }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  !url.startsWith(`${base}/`) &&
  !url.startsWith('/healthz/') &&
  !/^\/assets\//.test(url) &&
  // Somebody who looks at the address without a browser asks for anything at all.
  (url === '/' || (headers.accept ?? '').includes('text/html'));

export interface WebAppOptions {
  folder?: string;
  /** Origins whose pages may show the page of this address; none is the rule. */
  frameAncestors: (address: string) => Promise<readonly string[]>;
}

/**
 * Serves the built web app: files whose name carries their hash for ever, the page itself never from a cache, and the
 * page for every address of the app's own. Without a build there is only the API. Everything unknown ends in one answer.
 */
export async function installWebApp(
  app: FastifyInstance,
  { folder = builtApp, frameAncestors }: WebAppOptions,
): Promise<void> {
  const page = path.join(folder, 'index.html');
  const hasApp = existsSync(page);
  if (hasApp) {
    await app.register(async (scope) => {
      scope.addHook('onRoute', (route) => {
        route.config = { ...route.config, access: publicAccess };
      });
      await scope.register(fastifyStatic, {
        root: folder,
        // One route a file: a folder (and / is one) is an address of the app's own, not a refused listing.
        wildcard: false,
        index: false,
        cacheControl: false,
        preCompressed: true,
        dotfiles: 'ignore',
        setHeaders: (response, file) => {
          const isHashed = /[\\/]assets[\\/]/.test(file);
          response.header('Cache-Control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
        },
      });
    });
  }
  app.setNotFoundHandler(async (request: FastifyRequest, reply: FastifyReply) => {
    if (!hasApp || !wantsPage(request)) throw notFound();
    allowFrames(reply, await frameAncestors(request.url));
    return reply
      .code(200)
      .headers({ 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-cache' })
      .send(await readFile(page));
  });
}
