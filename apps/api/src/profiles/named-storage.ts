import type { ProfileKind } from '@pdf2press/contract';
import type { Transaction } from '@pdf2press/prisma';
import { z } from 'zod';
import type { Caller } from '../frame/caller.ts';
import { InvalidRequestError } from '../frame/read-part.ts';

/**
 * A delivery target may name the cloud storage whose account its files go to: one of the same organization or of the whole
 * house, as a workflow's profiles are. A target of the house uses the house's, for files of everybody go through it.
 */

/** What older versions stored may have another form: they name no storage then. */
const namingSchema = z
  .object({ kind: z.literal('cloud'), connectionId: z.string() })
  .optional()
  .catch(undefined);
const storageOf = (settings: unknown): string | undefined => namingSchema.parse(settings)?.connectionId;

interface Named {
  kind: ProfileKind;
  /** Whose the target is; undefined: not decided yet, so that it need only be one that the caller may use. */
  organizationId: string | null | undefined;
  settings: unknown;
  /** The settings that are stored, if any: a storage that is gone may stay in them. */
  before?: unknown;
  /** Where the settings stand in the request. */
  path?: string;
}

/**
 * Until the transaction ends the storage stays whose it is.
 * @throws InvalidRequestError 422 `organization.storageElsewhere` for a storage of another organization, or newly one that the
 *   caller does not see
 */
export async function demandOwnStorage(
  tx: Transaction,
  caller: Caller,
  { kind, organizationId, settings, before, path = 'settings' }: Named,
): Promise<void> {
  const id = kind === 'delivery' ? storageOf(settings) : undefined;
  if (id === undefined) return;
  const [row] = await tx.$queryRaw<{ of: string | null }[]>`
    select organization_id as of from profiles where id = ${id} and kind = 'cloudStorage' and deleted_at is null for share`;
  // What people of some organizations do not see may be another organization's.
  const isElsewhere = row
    ? row.of !== null && organizationId !== undefined && row.of !== organizationId
    : caller.organizationIds !== undefined && storageOf(before) !== id;
  if (!isElsewhere) return;
  const field = `${path}.connectionId`;
  throw new InvalidRequestError(
    [
      { code: 'profile.invalid', params: { field }, field },
      { code: 'organization.storageElsewhere', field },
    ],
    422,
  );
}
