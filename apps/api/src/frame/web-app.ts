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

/** Whether a browser asks for a page, and not a program for data or a page for its scripts and pictures. */
const wantsPage = ({ method, url, headers }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  !url.startsWith(`${base}/`) &&
  !url.startsWith('/healthz/') &&
  url !== '/metrics' &&
  !/^\/assets\//.test(url) &&
  // Tools such as curl send no text/html; at the root they get the page all the same.
  (url === '/' || (headers.accept ?? '').includes('text/html'));

/** The address of a customer's link to a proof. */
const proofAddress = /^(\/client-proofing\/[\w-]+\/[\w-]+)\/?(?:\?|$)/;

/**
 * The page, which on the address of a proof leads browsers without JavaScript on to what it says without any. The address of
 * that stands in the page, because a relative one would leave the secret of the link out.
 */
function withPlainPage(page: string, url: string): string {
  const proof = proofAddress.exec(url)?.[1];
  if (proof === undefined) return page;
  const plain = `${base}${proof}/plain`;
  return page.replace(
    '<noscript>',
    `<noscript><meta http-equiv="refresh" content="0; url=${plain}"><p><a href="${plain}">Continue · Continuer · Continuar · Continua · 继续</a></p>`,
  );
}

export interface WebAppOptions {
  folder?: string;
  /** Origins whose pages may show the page of this address; usually none. */
  frameAncestors: (address: string) => Promise<readonly string[]>;
}

/**
 * Serves the built web app. Files with a hash in their name may be cached for ever, the page itself is revalidated each
 * time and is the answer to every address of the app. Without a build there is only the API.
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
        // One route for each file, so that the address of a folder (also `/`) is an address of the app.
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
    // These addresses hold a secret.
    if (/^\/(client-proofing|delivered)\//.test(request.url)) reply.header('X-Robots-Tag', 'noindex, nofollow');
    return reply
      .code(200)
      .headers({ 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-cache' })
      .send(withPlainPage(await readFile(page, 'utf8'), request.url));
  });
}
