import {
  isConnection,
  type Permission,
  profileKindSchema,
  profileKinds,
  referencesOf,
  type WorkflowDefinition,
  type WorkflowExport,
  type WorkflowStep,
} from '@pdf2press/contract';
import type { Transaction } from '@pdf2press/prisma';
import { stepContracts } from '@pdf2press/steps/contracts';
import type { ApiDeps } from '../deps.ts';
import { demand } from '../frame/access.ts';
import type { Caller } from '../frame/caller.ts';
import { freeName, namesLike } from '../frame/free-name.ts';
import { withSecretId } from '../profiles/connection-secrets.ts';
import { demandOwnStorage } from '../profiles/named-storage.ts';
import { createProfile, readSettingsOf } from '../profiles/store.ts';
import { draftOf, type WorkflowRow } from './read-workflow.ts';

/** The profiles that a step names, each with the setting that holds its id; connections stay with their installation. */
const profilesIn = (step: WorkflowStep): { id: string; field: string }[] =>
  referencesOf(stepContracts, step).filter(({ resource }) =>
    profileKinds.some((kind) => kind === resource && !isConnection(kind)),
  );

const profileIdsIn = ({ steps, communicationProfileId: told }: WorkflowDefinition): string[] => [
  ...steps.flatMap((step) => profilesIn(step).map(({ id }) => id)),
  ...(told === undefined ? [] : [told]),
];

/** A copy of the settings with another value at a dotted path that they have. */
function withValue<T extends object>(settings: T, field: string, value: string): T {
  const copy = structuredClone(settings);
  const path = field.split('.');
  const last = path.pop() ?? field;
  const holder = path.reduce<object>((inner, key) => Reflect.get(inner, key), copy);
  Reflect.set(holder, last, value);
  return copy;
}

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
      kind: profileKindSchema.parse(kind),
      name,
      settings: (versions.find(({ no }) => no === currentNo)?.settings ?? {}) as Record<string, unknown>,
    })),
  };
}

async function freeProfileName(tx: Transaction, kind: string, name: string): Promise<string> {
  const where = { kind, deletedAt: null, name: namesLike(name) };
  return freeName(name, await tx.profile.findMany({ where, select: { name: true } }));
}

/** The name that an imported workflow gets: its own, with a number where another workflow has that already. */
export async function freeWorkflowName(deps: ApiDeps, { subscriberId }: Caller, name: string): Promise<string> {
  const where = { deletedAt: null, name: namesLike(name) };
  // Also those of organizations that the caller does not see.
  const taken = await deps.db.withSubscriber({ subscriberId }, (tx) =>
    tx.workflow.findMany({ where, select: { name: true } }),
  );
  return freeName(name, taken);
}

/**
 * Creates the profiles of an exported workflow, for the organization that it is made for, and returns its graph with their new ids. A step whose profile is not in the
 * document keeps the id, which names nothing here: an issue of the draft.
 * @throws ProblemError `access.denied`, InvalidRequestError for settings that no longer fit
 */
export async function importProfiles(
  tx: Transaction,
  deps: ApiDeps,
  caller: Caller,
  { document: given, organizationId }: { document: WorkflowExport; organizationId: string | null },
): Promise<WorkflowDefinition> {
  const ids = new Map<string, string>();
  const used = new Set(profileIdsIn(given.definition));
  for (const [index, { id, kind, name, settings }] of given.profiles.entries()) {
    if (!used.has(id)) continue;
    demand(caller, `${kind}.manage` as Permission);
    const read = await readSettingsOf(kind, settings, `profiles.${index}.settings`);
    await demandOwnStorage(tx, caller, {
      kind,
      organizationId,
      settings: read,
      path: `profiles.${index}.settings`,
    });
    const { subscriberId } = caller;
    const kept = await withSecretId(tx, deps, { kind, subscriberId, given: settings, settings: read });
    const freed = await freeProfileName(tx, kind, name);
    const profile = { kind, name: freed, description: '', organizationId, settings: kept };
    ids.set(id, await createProfile(tx, caller, profile));
  }
  const steps = given.definition.steps.map((step) => ({
    ...step,
    settings: profilesIn(step).reduce(
      (settings, { id, field }) => withValue(settings, field, ids.get(id) ?? id),
      step.settings,
    ),
  }));
  const { communicationProfileId: told } = given.definition;
  return {
    ...given.definition,
    steps,
    ...(told !== undefined && { communicationProfileId: ids.get(told) ?? told }),
  };
}
