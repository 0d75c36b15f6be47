import type { Prisma } from '@pdf2press/prisma';
import type { Caller } from '../frame/caller.ts';

/** Whose rows a caller may see: those of some people are limited to their own organizations. */
export const ownOnly = ({ organizationIds }: Caller): Prisma.OrganizationWhereInput => ({
  deletedAt: null,
  ...(organizationIds && { id: { in: [...organizationIds] } }),
});
