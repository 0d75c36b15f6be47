import { timingSafeEqual } from 'node:crypto';
import type { Prisma, SubscriberContext } from '@pdf2press/prisma';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hashOf } from '../auth/tokens.ts';
import type { ApiDeps } from '../deps.ts';
import { hide, refuseStranger } from '../frame/strangers.ts';

export type PageOwner = Prisma.OrganizationGetPayload<object>;

/** An organization whose upload page may be seen. */
export interface OpenedPage {
  context: SubscriberContext;
  organization: PageOwner;
}

/** Whether a public page opens with this code; one without a code opens with any. */
function isRight({ uploadCodeHash }: PageOwner, code: string): boolean {
  return uploadCodeHash === null || timingSafeEqual(Buffer.from(uploadCodeHash), Buffer.from(hashOf(code)));
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
  if (!organization || !isRight(organization, code)) return refuseStranger(deps, 'upload page', request);
  return { context: { subscriberId: organization.subscriberId }, organization };
}
