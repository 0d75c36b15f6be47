import { problem } from '@pdf2press/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiDeps } from '../deps.ts';
import { notFound } from './errors.ts';
import { isOverLimit } from './rate-limits.ts';

/** How the secret of a link is written: 256 bits. */
export const secretText = /^[A-Za-z0-9_-]{43}$/;

/** What is never kept by a cache or found by a search engine. */
export const hide = (reply: FastifyReply): FastifyReply =>
  reply.headers({
    'Cache-Control': 'no-store',
    'X-Robots-Tag': 'noindex, nofollow',
  });

/** Links, pages and codes that are none an address may try in ten minutes; somebody who has mistyped one tries a few. */
const triesOfStrangers = 60;

/**
 * The one answer for whatever is not there or is not for the asker.
 * @param kind what was asked for: tries of each kind are counted apart
 * @throws ProblemError `resource.notFound`, `request.rateLimited`
 */
export async function refuseStranger(deps: ApiDeps, kind: string, { ip }: FastifyRequest): Promise<never> {
  if (await isOverLimit(deps, `${kind} ${ip}`, triesOfStrangers, 600))
    throw problem('request.rateLimited', { seconds: 600 });
  throw notFound();
}
