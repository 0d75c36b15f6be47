import type { Locale, Permission, StarterKey, WorkflowDefinition } from '@pdf2press/contract';
import type { Transaction } from '@pdf2press/prisma';
import { demand } from '../frame/access.ts';
import type { Caller } from '../frame/caller.ts';
import { createProfile, readSettingsOf } from '../profiles/store.ts';
import { definitionOf, profilesOf, type StarterProfile } from './starters.ts';

const nameOf = ({ kind, name }: StarterProfile) => `${kind} ${name}`;

/**
 * Creates the profiles of a template and returns its graph. An existing profile of the same kind and name is used, so that
 * two workflows from one template share their profiles, as far as both may use it.
 * @throws ProblemError `access.denied` when a profile must be made and the caller may not
 */
export async function makeStarter(
  tx: Transaction,
  caller: Caller,
  { key, locale, organizationId }: { key: StarterKey; locale: Locale; organizationId: string | null },
): Promise<WorkflowDefinition> {
  const ids = new Map<string, string>();
  for (const profile of profilesOf(key, locale, caller.userId)) {
    const { kind, name, preset } = profile;
    const known = await tx.profile.findFirst({
      where: {
        kind,
        name,
        deletedAt: null,
        OR: [{ organizationId: null }, ...(organizationId ? [{ organizationId }] : [])],
      },
      select: { id: true },
    });
    if (!known) demand(caller, `${kind}.manage` as Permission);
    const id =
      known?.id ??
      (await createProfile(tx, caller, {
        kind,
        name,
        description: '',
        organizationId,
        settings: await readSettingsOf(kind, profile.settings),
        preset,
      }));
    ids.set(nameOf(profile), id);
  }
  return definitionOf(key, { locale, askedId: caller.userId }, (profile) => ids.get(nameOf(profile)));
}
