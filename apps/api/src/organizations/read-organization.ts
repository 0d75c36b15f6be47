import {
  type Organization,
  type OrganizationBody,
  type OrganizationSort,
  type OrganizationSummary,
  organizationSchema,
  personName,
  type RouteResult,
  type routes,
} from '@pdf2press/contract';
import { type Prisma, storedAs, type Transaction } from '@pdf2press/prisma';
import type { ApiDeps } from '../deps.ts';
import type { Caller } from '../frame/caller.ts';
import { found, pageWindow } from '../frame/rows.ts';
import { draftOf } from '../workflows/read-workflow.ts';
import { logoNameOf } from './logos.ts';
import { ownOnly } from './own-only.ts';

/** What the column `options` of an organization holds. */
export type OrganizationOptions = Pick<OrganizationBody, 'replyTo' | 'culture' | 'unit' | 'welcomesMembers'> &
  Pick<OrganizationBody['uploadPage'], 'defaults' | 'frameOrigins'>;

const person = { select: { id: true, firstName: true, lastName: true, email: true, isOrganizationRestricted: true } };
const whole = {
  organizationWorkflows: { where: { workflow: { deletedAt: null } }, orderBy: { workflowId: 'asc' } },
  userOrganizations: { where: { user: { deletedAt: null } }, include: { user: person }, orderBy: { userId: 'asc' } },
} as const satisfies Prisma.OrganizationInclude;
export type OrganizationRow = Prisma.OrganizationGetPayload<{ include: typeof whole }>;

/** The row, with members and workflows, where the caller may see it. @throws ProblemError `resource.notFound` */
export async function findOrganization(tx: Transaction, caller: Caller, id: string): Promise<OrganizationRow> {
  return found(await tx.organization.findFirst({ where: { AND: [{ id }, ownOnly(caller)] }, include: whole }));
}

/** Where an upload page is found. */
export const addressOf = (deps: ApiDeps, slug: string | null): string | null =>
  slug === null ? null : new URL(`/upload/${slug}`, deps.env.publicUrl).href;

export function organizationOf(deps: ApiDeps, row: OrganizationRow): Organization {
  const logo = logoNameOf(deps, row.subscriberId);
  const { defaults, frameOrigins, ...options } = storedAs<Partial<OrganizationOptions>>(row.options);
  return {
    ...organizationSchema.parse({
      ...options,
      id: row.id,
      name: row.name,
      color: row.color ?? '',
      pageLogo: logo(row.pageLogoSha256),
      emailLogo: logo(row.emailLogoSha256),
      createdAt: row.createdAt.toISOString(),
      members: row.userOrganizations.map(({ user }) => ({
        id: user.id,
        name: personName(user),
        email: user.email,
        isRestricted: user.isOrganizationRestricted,
      })),
      uploadPage: {
        isPublic: row.isPublic,
        slug: row.uploadSlug ?? '',
        workflowIds: row.organizationWorkflows.map(({ workflowId }) => workflowId),
        defaultWorkflowId: row.organizationWorkflows.find(({ isDefault }) => isDefault)?.workflowId ?? null,
        defaults,
        frameOrigins,
        hasCode: row.uploadCodeHash !== null,
        address: addressOf(deps, row.uploadSlug),
      },
    }),
  };
}

const orders: Record<OrganizationSort, (direction: Prisma.SortOrder) => Prisma.OrganizationOrderByWithRelationInput> = {
  name: (name) => ({ name }),
  createdAt: (createdAt) => ({ createdAt }),
  workflows: (_count) => ({ organizationWorkflows: { _count } }),
  members: (_count) => ({ userOrganizations: { _count } }),
  sessions: (_count) => ({ sessions: { _count } }),
};

const pageStates = {
  public: { isPublic: true, uploadCodeHash: null },
  private: { isPublic: true, uploadCodeHash: { not: null } },
  none: { isPublic: false },
} as const satisfies Record<string, Prisma.OrganizationWhereInput>;

type ListQuery = {
  page: number;
  pageSize: number;
  search?: string | undefined;
  sort: OrganizationSort;
  direction: Prisma.SortOrder;
  pages?: (keyof typeof pageStates)[] | undefined;
};

const counted = {
  organizationWorkflows: { where: { workflow: { deletedAt: null } } },
  userOrganizations: { where: { user: { deletedAt: null } } },
  sessions: { where: { deletedAt: null, isTrial: false } },
} as const;

/** A page of the organizations that the caller may see. */
export async function listOrganizations(
  deps: ApiDeps,
  tx: Transaction,
  caller: Caller,
  query: ListQuery,
): Promise<RouteResult<typeof routes.organizations.list>> {
  const { search, pages } = query;
  const where: Prisma.OrganizationWhereInput = {
    AND: [
      ownOnly(caller),
      ...(search
        ? [
            {
              OR: [
                { name: { contains: search, mode: 'insensitive' as const } },
                { uploadSlug: { contains: search.toLowerCase() } },
              ],
            },
          ]
        : []),
      ...(pages ? [{ OR: pages.map((state) => pageStates[state]) }] : []),
    ],
  };
  const rows = await tx.organization.findMany({
    where,
    include: { _count: { select: counted } },
    orderBy: [orders[query.sort](query.direction), { id: 'asc' }],
    ...pageWindow(query),
  });
  const logo = logoNameOf(deps, caller.subscriberId);
  const items = rows.map(
    (row): OrganizationSummary => ({
      id: row.id,
      name: row.name,
      color: row.color ?? '',
      pageLogo: logo(row.pageLogoSha256),
      isPublic: row.isPublic,
      hasCode: row.uploadCodeHash !== null,
      address: addressOf(deps, row.uploadSlug),
      workflowCount: row._count.organizationWorkflows,
      memberCount: row._count.userOrganizations,
      sessionCount: row._count.sessions,
      createdAt: row.createdAt.toISOString(),
    }),
  );
  return { items, total: await tx.organization.count({ where }), page: query.page, pageSize: query.pageSize };
}

/** Workflows that belong to no other organization, and the people of the house. */
export async function readChoices(
  tx: Transaction,
  id: string | undefined,
): Promise<RouteResult<typeof routes.organizations.choices>> {
  const workflows = await tx.workflow.findMany({
    where: { deletedAt: null, isTrial: false, OR: [{ organizationId: null }, { organizationId: id ?? '' }] },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
    take: 1000,
  });
  const people = await tx.user.findMany({
    where: { deletedAt: null },
    ...person,
    orderBy: [{ lastName: 'asc' }, { firstName: 'asc' }, { id: 'asc' }],
    take: 1000,
  });
  return {
    workflows: workflows.map((row) => ({ id: row.id, name: row.name, variables: draftOf(row).variables })),
    people: people.map(({ isOrganizationRestricted, ...one }) => ({
      id: one.id,
      name: personName(one),
      email: one.email,
      isRestricted: isOrganizationRestricted,
    })),
  };
}

/** What ends or is unassigned when an organization is deleted. */
export async function usageOfOrganization(
  tx: Transaction,
  row: OrganizationRow,
): Promise<RouteResult<typeof routes.organizations.usage>> {
  const organizationId = row.id;
  const members = row.userOrganizations.map(({ user }) => user);
  const elsewhere = await tx.userOrganization.findMany({
    where: { userId: { in: members.map(({ id }) => id) }, organizationId: { not: organizationId } },
    select: { userId: true },
  });
  const others = new Set(elsewhere.map(({ userId }) => userId));
  const byName = { orderBy: { name: 'asc' }, select: { name: true } } as const;
  const workflows = await tx.workflow.findMany({
    where: {
      deletedAt: null,
      isTrial: false,
      OR: [{ organizationId }, { organizationWorkflows: { some: { organizationId } } }],
    },
    ...byName,
  });
  const profiles = await tx.profile.findMany({ where: { organizationId, deletedAt: null }, ...byName });
  return {
    members: members.map(personName),
    stranded: members.filter((user) => user.isOrganizationRestricted && !others.has(user.id)).map(personName),
    workflows: workflows.map(({ name }) => name),
    profiles: profiles.map(({ name }) => name),
    sessions: await tx.session.count({ where: { organizationId, deletedAt: null, isTrial: false } }),
  };
}
