import { type ProfileKind, problem, type ValueFault } from '@pdf2press/contract';
import { Prisma, type Transaction } from '@pdf2press/prisma';
import { z } from 'zod';
import type { Caller } from '../frame/caller.ts';
import { InvalidRequestError } from '../frame/read-part.ts';

/**
 * Mailboxes and cloud storages name the workflows that their files go to. One of an organization leads to workflows of that
 * organization or of the whole house; one of the house leads to everybody's. (Hot folders and SFTP folders are settings of
 * the workflow itself, which names the SFTP server: the rules of workflows look after that.)
 */

const leadingKinds: readonly ProfileKind[] = ['inboundEmail', 'cloudStorage'];

/** What older versions stored may have another form: they name no workflow then. */
const namingSchema = z
  .object({
    workflowId: z.string().optional(),
    folders: z.array(z.object({ workflowId: z.string() })).default([]),
  })
  .catch({ folders: [] });

/** The workflows that settings name, with the paths of their fields in a body. */
function namedIn(settings: unknown): { id: string; field: string }[] {
  const { workflowId, folders } = namingSchema.parse(settings);
  return [
    ...(workflowId === undefined ? [] : [{ id: workflowId, field: 'settings.workflowId' }]),
    ...folders.map(({ workflowId: id }, at) => ({ id, field: `settings.folders.${at}.workflowId` })),
  ];
}

/**
 * Until the transaction ends the workflows stay whose they are.
 * @param before the settings that are stored, if any: a workflow that is gone may stay in them
 * @throws InvalidRequestError 422 `organization.workflowElsewhere` at each field that names a workflow of another
 *   organization, or newly one that the caller does not see
 */
export async function demandOwnWorkflows(
  tx: Transaction,
  caller: Caller,
  {
    kind,
    organizationId,
    settings,
    before,
  }: { kind: ProfileKind; organizationId: string | null; settings: unknown; before?: unknown },
): Promise<void> {
  if (!leadingKinds.includes(kind)) return;
  const named = namedIn(settings);
  const rows = await tx.$queryRaw<{ id: string; of: string | null }[]>`
    select id, organization_id as of from workflows
     where id = any(${named.map(({ id }) => id)}) and deleted_at is null
     order by id for share`;
  const owners = new Map(rows.map(({ id, of }) => [id, of]));
  const known = new Set(namedIn(before).map(({ id }) => id));
  const isElsewhere = (id: string): boolean => {
    const owner = owners.get(id);
    // What people of some organizations do not see may be another organization's.
    if (owner === undefined) return caller.organizationIds !== undefined && !known.has(id);
    return owner !== null && organizationId !== null && owner !== organizationId;
  };
  const faults = named.flatMap(({ id, field }): ValueFault[] =>
    isElsewhere(id) ? [{ code: 'organization.workflowElsewhere', field }] : [],
  );
  const [first] = faults;
  if (!first) return;
  const { field = 'settings' } = first;
  throw new InvalidRequestError([{ code: 'profile.invalid', params: { field }, field }, ...faults], 422);
}

/**
 * That a workflow may become an organization's.
 * @throws ProblemError `organization.fedElsewhere` naming the mailboxes and cloud storages of others whose files go to it
 */
export async function demandNotFedElsewhere(
  tx: Transaction,
  { workflowId, organizationId }: { workflowId: string; organizationId: string },
): Promise<void> {
  const rows = await tx.$queryRaw<{ name: string }[]>(Prisma.sql`
    select profile.name
      from profiles profile
      join profile_versions version on version.profile_id = profile.id and version.no = profile.current_no
     where profile.kind = any(${[...leadingKinds]}) and profile.deleted_at is null
       and profile.organization_id <> ${organizationId}
       and (version.settings ->> 'workflowId' = ${workflowId}
            or jsonb_path_exists(version.settings, '$.folders[*] ? (@.workflowId == $id)',
                                 jsonb_build_object('id', ${workflowId}::text)))
     order by profile.name, profile.id`);
  const names = rows.map(({ name }) => name).join(', ');
  if (names !== '') throw problem('organization.fedElsewhere', { names }, 'organizationId');
}
