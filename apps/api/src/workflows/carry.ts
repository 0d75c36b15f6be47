import { type Permission, profileKindSchema, type WorkflowDefinition, type WorkflowExport } from '@pdf2press/contract';
import type { Transaction } from '@pdf2press/prisma';
import { demand } from '../frame/access.ts';
import type { Caller } from '../frame/caller.ts';
import { createProfile, readSettingsOf } from '../profiles/store.ts';
import { draftOf, type WorkflowRow } from './read-workflow.ts';

const profileIdsIn = ({ steps }: WorkflowDefinition): string[] =>
  steps.flatMap(({ settings }) => (typeof settings.profileId === 'string' ? [settings.profileId] : []));

/** A workflow with the profiles it uses, in their present versions: one document that another installation can import. */
export async function exportWorkflow(tx: Transaction, row: WorkflowRow): Promise<WorkflowExport> {
  const definition = draftOf(row);
  const profiles = await tx.profile.findMany({
    where: { id: { in: profileIdsIn(definition) }, deletedAt: null },
    include: { versions: true },
  });
  return {
    format: 'pdf2press-workflow',
    formatVersion: 1,
    name: row.name,
    description: row.description,
    definition,
    profiles: profiles.map(({ id, kind, name, currentNo, versions }) => ({
      id,
      kind,
      name,
      settings: (versions.find(({ no }) => no === currentNo)?.settings ?? {}) as Record<string, unknown>,
    })),
  };
}

async function freeName(tx: Transaction, kind: string, name: string): Promise<string> {
  const taken = await tx.profile.findMany({
    where: { kind, deletedAt: null, name: { startsWith: name } },
    select: { name: true },
  });
  const names = new Set(taken.map((row) => row.name));
  if (!names.has(name)) return name;
  for (let number = 2; ; number += 1) if (!names.has(`${name} (${number})`)) return `${name} (${number})`;
}

/**
 * Creates the profiles of an exported workflow and returns its graph with their new ids. A step whose profile is not in the
 * document has none afterwards, which is an issue of the draft.
 * @throws ProblemError `access.denied`, InvalidRequestError for settings that no longer fit
 */
export async function importProfiles(
  tx: Transaction,
  caller: Caller,
  given: WorkflowExport,
): Promise<WorkflowDefinition> {
  const ids = new Map<string, string>();
  const used = new Set(profileIdsIn(given.definition));
  for (const [index, profile] of given.profiles.entries()) {
    if (!used.has(profile.id)) continue;
    const kind = profileKindSchema.parse(profile.kind);
    demand(caller, `${kind}.manage` as Permission);
    const name = await freeName(tx, kind, profile.name);
    const settings = readSettingsOf(kind, profile.settings, `profiles.${index}.settings`);
    ids.set(profile.id, await createProfile(tx, caller, { kind, name, description: '', settings }));
  }
  const steps = given.definition.steps.map((step) => {
    const { profileId, ...settings } = step.settings;
    const id = typeof profileId === 'string' ? ids.get(profileId) : undefined;
    return { ...step, settings: id ? { ...settings, profileId: id } : settings };
  });
  return { ...given.definition, steps };
}
