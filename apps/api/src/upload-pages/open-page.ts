import { timingSafeEqual } from 'node:crypto';
import { problem } from '@pdf2press/contract';
import type { Prisma, SubscriberContext } from '@pdf2press/prisma';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hashOf } from '../auth/tokens.ts';
import type { ApiDeps } from '../deps.ts';
import { notFound } from '../frame/errors.ts';
import { isOverLimit } from '../frame/rate-limits.ts';

export type PageOwner = Prisma.OrganizationGetPayload<object>;

/** An organization whose upload page may be seen. */
export interface OpenedPage {
  context: SubscriberContext;
  organization: PageOwner;
}

/** Pages and codes that are none an address may try in ten minutes; somebody with a mistyped code tries a few. */
const triesOfStrangers = 60;

/** What is never kept by a cache or found by a search engine. */
export const hide = (reply: FastifyReply): FastifyReply =>
  reply.headers({
    'Cache-Control': 'no-store',
    'X-Robots-Tag': 'noindex, nofollow',
  });

/** Whether a public page opens with this code; one without a code opens with any. */
function isRight({ uploadCodeHash }: PageOwner, code: string): boolean {
  return uploadCodeHash === null || timingSafeEqual(Buffer.from(uploadCodeHash), Buffer.from(hashOf(code)));
}

/** The one answer for whatever is not there, is not public, or asks for another code or secret. */
export async function refuseStranger(deps: ApiDeps, { ip }: FastifyRequest): Promise<never> {
  if (await isOverLimit(deps, `upload page ${ip}`, triesOfStrangers, 600))
    throw problem('request.rateLimited', { seconds: 600 });
  throw notFound();
}

/** Conditions under which an organization has an upload page at all. */
export const isOpen = {
  isPublic: true,
  deletedAt: null,
  subscriber: { isActive: true },
} as const;

/** @throws ProblemError `resource.notFound`, `request.rateLimited` */
export async function openPage(
  deps: ApiDeps,
  {
    request,
    reply,
    slug,
    code,
  }: {
    request: FastifyRequest;
    reply: FastifyReply;
    slug: string;
    code: string;
  },
): Promise<OpenedPage> {
  hide(reply);
  const organization = await deps.db.asHost((tx) =>
    tx.organization.findFirst({
      where: { ...isOpen, uploadSlug: slug.toLowerCase() },
    }),
  );
  if (!organization || !isRight(organization, code)) return refuseStranger(deps, request);
  return { context: { subscriberId: organization.subscriberId }, organization };
}
