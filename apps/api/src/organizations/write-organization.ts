import {
  type Organization,
  type OrganizationBody,
  type Permission,
  problem,
  readVariables,
  type VariableValues,
} from '@pdf2press/contract';
import { newId, type Transaction, toJson } from '@pdf2press/prisma';
import type { FastifyRequest } from 'fastify';
import type { ApiDeps } from '../deps.ts';
import { demand } from '../frame/access.ts';
import { audit } from '../frame/audit.ts';
import type { Caller } from '../frame/caller.ts';
import { asCaller } from '../frame/context.ts';
import { InvalidRequestError } from '../frame/read-part.ts';
import { uniquely } from '../frame/rows.ts';
import { draftOf } from '../workflows/read-workflow.ts';
import { readLogoName } from './logos.ts';
import {
  findOrganization,
  type OrganizationOptions,
  organizationOf,
  usageOfOrganization,
} from './read-organization.ts';
import { welcomeMembers } from './welcome.ts';

interface Change {
  caller: Caller;
  request: FastifyRequest;
  body: OrganizationBody;
}

/** Each part of an organization and the permission that changing it takes. */
const partPermissions = {
  name: 'organizations.manage',
  color: 'organizations.manage',
  pageLogo: 'organizations.manage',
  emailLogo: 'organizations.manage',
  replyTo: 'organizations.manage',
  culture: 'organizations.manage',
  unit: 'organizations.manage',
  members: 'organizations.manage',
  welcomesMembers: 'organizations.manage',
  uploadPage: 'organizations.uploadPage.manage',
} as const satisfies Record<keyof OrganizationBody, Permission>;
type Part = keyof typeof partPermissions;
const parts = Object.keys(partPermissions) as Part[];

/** The parts in one order of keys and rows, so that two states can be compared as text. */
const comparable = ({ members, uploadPage, ...rest }: OrganizationBody): Record<Part, string> => {
  const { isPublic, slug, defaultWorkflowId, frameOrigins } = uploadPage;
  const workflowIds = [...uploadPage.workflowIds].sort();
  const defaults = Object.entries(uploadPage.defaults).sort(([one], [other]) => (one < other ? -1 : 1));
  const people = members.map(({ id, isRestricted }) => [id, isRestricted]).sort();
  return {
    ...(Object.fromEntries(
      parts.map((part) => [part, JSON.stringify((rest as Partial<Record<Part, unknown>>)[part] ?? null)]),
    ) as Record<Part, string>),
    members: JSON.stringify(people),
    uploadPage: JSON.stringify([isPublic, slug, workflowIds, defaultWorkflowId, defaults, frameOrigins]),
  };
};

/** The parts in which two states differ. */
function changedParts(before: OrganizationBody, after: OrganizationBody): Part[] {
  const [one, other] = [comparable(before), comparable(after)];
  return parts.filter((part) => one[part] !== other[part]);
}

const empty = (): OrganizationBody => ({
  name: '',
  color: '',
  pageLogo: null,
  emailLogo: null,
  replyTo: '',
  culture: '',
  unit: null,
  members: [],
  welcomesMembers: false,
  uploadPage: { isPublic: false, slug: '', workflowIds: [], defaultWorkflowId: null, defaults: {}, frameOrigins: [] },
});

/** The bytes that a logo's name stands for, where they are the subscriber's. @throws ProblemError `logo.notAccepted` */
function hashOfLogo(deps: ApiDeps, caller: Caller, field: 'pageLogo' | 'emailLogo', name: string | null) {
  if (name === null) return null;
  const blob = readLogoName(deps, name);
  if (blob?.subscriberId !== caller.subscriberId) throw problem('logo.notAccepted', {}, field);
  return blob.sha256;
}

/** Values for public variables of the workflows, each of its variable's type; for other names there are none. */
function readDefaults(
  workflows: readonly { draft: unknown }[],
  given: VariableValues,
): OrganizationOptions['defaults'] {
  const kept: VariableValues = {};
  for (const { variables } of workflows.map(draftOf)) {
    const asked = variables.filter(
      ({ name, isPublic }) => isPublic && given[name] !== undefined && given[name] !== null,
    );
    const { values, problems } = readVariables(
      asked,
      Object.fromEntries(asked.map(({ name }) => [name, given[name] ?? null])),
    );
    const [first] = problems;
    if (first) throw problem(first.code, first.params, `uploadPage.defaults.${first.field}`);
    Object.assign(kept, values);
  }
  return kept;
}

/** Writes which workflows the upload page offers. @throws ProblemError where one is gone, or another organization's */
async function offerWorkflows(tx: Transaction, id: string, { uploadPage }: OrganizationBody): Promise<VariableValues> {
  const { workflowIds, defaultWorkflowId, defaults } = uploadPage;
  const workflows = await tx.workflow.findMany({
    where: { id: { in: workflowIds }, deletedAt: null, isTrial: false },
    select: { id: true, name: true, organizationId: true, draft: true },
  });
  if (workflows.length < new Set(workflowIds).size) throw problem('resource.notFound', {}, 'uploadPage.workflowIds');
  const taken = workflows.find(({ organizationId }) => organizationId !== null && organizationId !== id);
  if (taken) throw problem('organization.workflowTaken', { name: taken.name }, 'uploadPage.workflowIds');
  await tx.organizationWorkflow.deleteMany({ where: { organizationId: id } });
  await tx.organizationWorkflow.createMany({
    data: workflows.map((workflow) => ({
      organizationId: id,
      workflowId: workflow.id,
      isDefault: workflow.id === defaultWorkflowId,
    })),
  });
  return readDefaults(workflows, defaults);
}

/** Writes who belongs to the organization, and who of them sees nothing but their organizations. Resolves to who is new. */
async function writeMembers(
  tx: Transaction,
  caller: Caller,
  id: string,
  members: OrganizationBody['members'],
): Promise<string[]> {
  const people = await tx.user.findMany({
    where: { id: { in: members.map((member) => member.id) }, deletedAt: null },
    select: { id: true, isOrganizationRestricted: true },
  });
  if (people.length < new Set(members.map((member) => member.id)).size)
    throw problem('resource.notFound', {}, 'members');
  const before = await tx.userOrganization.findMany({ where: { organizationId: id }, select: { userId: true } });
  const changed = people.filter(
    (user) => members.find((member) => member.id === user.id)?.isRestricted !== user.isOrganizationRestricted,
  );
  if (changed.length > 0) demand(caller, 'users.manage');
  // Whoever limits themselves could not undo it.
  if (changed.some((user) => user.id === caller.userId))
    throw new InvalidRequestError([{ code: 'value.invalid', field: 'members' }]);
  for (const user of changed)
    await tx.user.update({
      where: { id: user.id },
      data: { isOrganizationRestricted: !user.isOrganizationRestricted },
      select: { id: true },
    });
  await tx.userOrganization.deleteMany({ where: { organizationId: id } });
  await tx.userOrganization.createMany({ data: people.map((user) => ({ userId: user.id, organizationId: id })) });
  const known = before.map(({ userId }) => userId);
  await forgetRights(tx, [...known, ...people.map((user) => user.id)]);
  return people.map((user) => user.id).filter((userId) => !known.includes(userId));
}

/** Every process reads again what these people may see. */
const forgetRights = (tx: Transaction, userIds: readonly string[]) =>
  tx.user.updateMany({
    where: { id: { in: [...userIds] } },
    data: { permissionVersion: { increment: 1 } },
  });

const rowOf = (deps: ApiDeps, caller: Caller, body: OrganizationBody, defaults: VariableValues) => {
  const { replyTo, culture, unit, welcomesMembers, uploadPage } = body;
  const { frameOrigins } = uploadPage;
  const options: OrganizationOptions = { replyTo, culture, unit, welcomesMembers, defaults, frameOrigins };
  return {
    name: body.name,
    color: body.color === '' ? null : body.color.toLowerCase(),
    pageLogoSha256: hashOfLogo(deps, caller, 'pageLogo', body.pageLogo),
    emailLogoSha256: hashOfLogo(deps, caller, 'emailLogo', body.emailLogo),
    isPublic: uploadPage.isPublic,
    uploadSlug: uploadPage.slug === '' ? null : uploadPage.slug,
    options: toJson(options),
  };
};

/** What the audit tells: the changed parts, and of those that people read by themselves their values. */
const told = (body: OrganizationBody, changed: readonly Part[]) => ({
  parts: [...changed],
  name: body.name,
  isPublic: body.uploadPage.isPublic,
  slug: body.uploadPage.slug,
  memberIds: body.members.map((member) => member.id),
  workflowIds: [...body.uploadPage.workflowIds],
});

async function write(
  deps: ApiDeps,
  tx: Transaction,
  { caller, body }: Change,
  { id, changed, isNew }: { id: string; changed: readonly Part[]; isNew: boolean },
): Promise<void> {
  for (const part of changed) demand(caller, partPermissions[part]);
  if (isNew) await tx.organization.create({ data: { id, name: body.name }, select: { id: true } });
  const defaults = await offerWorkflows(tx, id, body);
  const fresh = changed.includes('members') ? await writeMembers(tx, caller, id, body.members) : [];
  await tx.organization.update({ where: { id }, data: rowOf(deps, caller, body, defaults), select: { id: true } });
  const made = fresh.map((userId) => ({ userId, organizationId: id }));
  await welcomeMembers(tx, deps, made);
}

/** Slugs are unique over all subscribers, because the address names none. */
const withOwnSlug = <T>({ uploadPage }: OrganizationBody, work: () => Promise<T>): Promise<T> =>
  uniquely(uploadPage.slug, 'uploadPage.slug', work);

/** Makes an organization. @throws ProblemError `access.denied`, `resource.nameTaken` of a slug, and as its parts */
export function createOrganization(deps: ApiDeps, change: Change): Promise<Organization> {
  const { caller, request, body } = change;
  const id = newId('organization');
  const changed = changedParts(empty(), body);
  return withOwnSlug(body, () =>
    asCaller(deps, caller, async (tx) => {
      // Whoever sees only some organizations would not see the new one.
      if (caller.organizationIds) throw problem('organization.notYours');
      await write(deps, tx, change, { id, changed, isNew: true });
      await audit(tx, request, { act: 'organization.create', object: id, after: told(body, changed) });
      return organizationOf(deps, await findOrganization(tx, caller, id));
    }),
  ).finally(() => deps.callers.forget());
}

/** Changes an organization; each part takes its own permission. @throws ProblemError as `createOrganization` */
export function updateOrganization(deps: ApiDeps, id: string, change: Change): Promise<Organization> {
  const { caller, request, body } = change;
  return withOwnSlug(body, () =>
    asCaller(deps, caller, async (tx) => {
      const before = organizationOf(deps, await findOrganization(tx, caller, id));
      const changed = changedParts(before, body);
      await write(deps, tx, change, { id, changed, isNew: false });
      await audit(tx, request, {
        act: 'organization.update',
        object: id,
        before: told(before, changed),
        after: told(body, changed),
      });
      return organizationOf(deps, await findOrganization(tx, caller, id));
    }),
  ).finally(() => deps.callers.forget());
}

/** Deletes an organization: people, workflows and profiles are unassigned; its sessions stay and keep its name. */
export async function deleteOrganization(
  deps: ApiDeps,
  id: string,
  { caller, request }: Pick<Change, 'caller' | 'request'>,
): Promise<void> {
  await asCaller(deps, caller, async (tx) => {
    // What is just being made for the organization is seen below, or refused.
    await tx.$queryRaw`select 1 from organizations where id = ${id} for update`;
    const row = await findOrganization(tx, caller, id);
    const usage = await usageOfOrganization(tx, row);
    const organizationId = id;
    await forgetRights(
      tx,
      row.userOrganizations.map(({ userId }) => userId),
    );
    await tx.userOrganization.deleteMany({ where: { organizationId } });
    await tx.organizationWorkflow.deleteMany({ where: { organizationId } });
    await tx.workflow.updateMany({ where: { organizationId }, data: { organizationId: null } });
    await tx.profile.updateMany({ where: { organizationId }, data: { organizationId: null } });
    // The address can be given to another organization; the logos go with what nothing uses.
    await tx.organization.update({
      where: { id },
      data: {
        deletedAt: new Date(),
        isPublic: false,
        uploadSlug: null,
        uploadCodeHash: null,
        pageLogoSha256: null,
        emailLogoSha256: null,
      },
      select: { id: true },
    });
    await audit(tx, request, { act: 'organization.delete', object: id, before: { name: row.name, ...usage } });
  });
  deps.callers.forget();
}
