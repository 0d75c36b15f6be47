import { type ArchivingProfile, archivingProfileSchema } from '@pdf2press/contract';
import { Prisma, type Transaction } from '@pdf2press/prisma';
import type { OpenedBucket } from '../files/archive-place.ts';

/** The policies that act: `profile`, and its current `version`. */
const actingPolicies = Prisma.sql`
    from profiles profile
    join profile_versions version on version.subscriber_id = profile.subscriber_id
     and version.profile_id = profile.id and version.no = profile.current_no
   where profile.subscriber_id = current_subscriber() and profile.kind = 'archiving' and profile.deleted_at is null
     and profile.is_enabled and version.settings @> '{"isEnabled": true}'`;

/**
 * The policy of a session, for a lateral join: its settings. The one that a step has chosen goes before those that name the
 * workflow, and these before those for all; of several, the soonest. `session` is the alias of its row. The transaction is
 * the subscriber's.
 */
export const policyOfSession = (session: Prisma.Sql): Prisma.Sql => Prisma.sql`
  select version.settings ${actingPolicies}
     and (profile.id = ${session}.decisions #>> '{retention,archivingPolicyId}'
          or version.settings -> 'workflowIds' = '[]' or version.settings -> 'workflowIds' ? ${session}.workflow_id)
   order by profile.id = coalesce(${session}.decisions #>> '{retention,archivingPolicyId}', '') desc,
            version.settings -> 'workflowIds' = '[]', (version.settings ->> 'afterDays')::int, profile.id
   limit 1`;

/** A policy, and the stored secret of its keys; empty = it has none of its own. */
export interface ArchivingPolicy extends ArchivingProfile {
  keysId: string;
}

/** The policy of a session; undefined = it is archived by hand only, or as soon as it has ended. */
export async function archivingPolicyOf(tx: Transaction, sessionId: string): Promise<ArchivingPolicy | undefined> {
  const [row] = await tx.$queryRaw<{ settings: { secretId?: string } }[]>`
    select policy.settings from sessions session
     cross join lateral (${policyOfSession(Prisma.sql`session`)}) policy
     where session.subscriber_id = current_subscriber() and session.id = ${sessionId}`;
  return row && { ...archivingProfileSchema.parse(row.settings), keysId: row.settings.secretId ?? '' };
}

/**
 * The buckets of the policies that act, empty names for those of the settings, which is the only one where there is no policy.
 * Policies that were saved before they had a bucket, or keys, have no such field.
 */
export async function policyBuckets(tx: Transaction): Promise<OpenedBucket[]> {
  const buckets = await tx.$queryRaw<OpenedBucket[]>`
    select distinct coalesce(version.settings ->> 'bucketName', '') as "bucketName",
                    coalesce(version.settings ->> 'region', '') as region,
                    coalesce(version.settings ->> 'secretId', '') as "keysId" ${actingPolicies}`;
  return buckets.length > 0 ? buckets : [{ bucketName: '', region: '', keysId: '' }];
}

/** Letters of any language become what every S3 service takes in a name. */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^-+|-+$/g, '') || 'workflow';

/** What stands before the names of objects: a prefix with its placeholders filled, ending in a slash. Months are those of UTC. */
export function filledPrefix(prefix: string, { workflow, now }: { workflow: string; now: Date }): string {
  const [year = '', month = ''] = now.toISOString().split('-');
  const values: Record<string, string> = { year, month, workflow: plain(workflow) };
  const filled = prefix.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
  return `${filled.replace(/^\/+|\/+$/g, '')}/`.replace(/\/{2,}/g, '/');
}
