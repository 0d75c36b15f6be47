import { createHash } from 'node:crypto';
import {
  type FeatureKey,
  isConnection,
  type ProfileKind,
  profileKinds,
  referencesOf,
  type WorkflowDefinition,
  type WorkflowIssue,
  workflowDefinitionSchema,
} from '@pdf2press/contract';
import { newId, type Transaction, toJson } from '@pdf2press/prisma';
import { loadRegularExpressions, type RegularExpressions } from '@pdf2press/settings';
import { sourceContracts } from '@pdf2press/sources/contracts';
import { checkWorkflow, type ProfileSnapshot, type StepContract, stepContracts } from '@pdf2press/steps/contracts';
import { actionSecretPurpose } from '../effects/webhook/contract.ts';

let loaded: Promise<RegularExpressions> | undefined;
/** Loaded once, when the first workflow is checked. */
const regularExpressions = (): Promise<RegularExpressions> => {
  loaded ??= loadRegularExpressions();
  return loaded;
};

/** What a workflow is called, and the organization that it is made for; null = the whole house. */
export interface CheckedWorkflow {
  name: string;
  organizationId: string | null;
}

interface UsedProfiles {
  /** By their ids. */
  snapshots: Record<string, ProfileSnapshot>;
  /** Ids of those that are made for another organization. */
  elsewhere: readonly string[];
}

/** The profiles that the steps use, in their current state; of connections only what they are called. */
async function snapshotProfiles(
  tx: Transaction,
  { organizationId: own }: CheckedWorkflow,
  definition: WorkflowDefinition,
): Promise<UsedProfiles> {
  const ofSteps = definition.steps.flatMap((step) =>
    referencesOf(stepContracts, step).flatMap(({ resource, id }) =>
      profileKinds.some((kind) => kind === resource) ? [id] : [],
    ),
  );
  const { communicationProfileId: told } = definition;
  const ids = told === undefined ? ofSteps : [...ofSteps, told];
  const profiles = await tx.profile.findMany({
    where: { id: { in: ids }, deletedAt: null },
    include: { versions: true },
  });
  const snapshots = Object.fromEntries(
    profiles.flatMap(({ id, kind, name, currentNo, versions }) => {
      const version = versions.find(({ no }) => no === currentNo);
      const settings = isConnection(kind as ProfileKind) ? {} : ((version?.settings ?? {}) as Record<string, unknown>);
      return version ? [[id, { id, kind, name, version: currentNo, settings }] as const] : [];
    }),
  );
  const elsewhere = profiles.filter(({ organizationId }) => organizationId !== null && organizationId !== own);
  return { snapshots, elsewhere: elsewhere.map(({ id }) => id) };
}

/** What keeps the profiles from being used by this workflow. */
const profileIssues = (
  { steps, variables }: WorkflowDefinition,
  profiles: Record<string, ProfileSnapshot>,
  assigneeIds: ReadonlySet<string>,
): WorkflowIssue[] =>
  steps.flatMap(({ id: stepId, kind, settings }) => {
    const contract: StepContract = stepContracts[kind];
    const profile = typeof settings.profileId === 'string' ? profiles[settings.profileId] : undefined;
    const issues = profile && contract.checkProfile?.(profile.settings, { settings, variables, assigneeIds });
    return (issues ?? []).map((issue) => ({ ...issue, stepId }));
  });

/**
 * What keeps a draft from being published, by the contract's rules and by what exists in this installation: profiles, plan,
 * kinds that can run.
 */
export async function workflowIssues(
  tx: Transaction,
  workflow: CheckedWorkflow,
  definition: WorkflowDefinition,
): Promise<{ issues: WorkflowIssue[]; profiles: Record<string, ProfileSnapshot> }> {
  const { snapshots: profiles, elsewhere } = await snapshotProfiles(tx, workflow, definition);
  const features = (await tx.feature.findMany()).map(({ featureKey }) => featureKey as FeatureKey);
  const profileIds = Object.fromEntries(
    profileKinds.map((kind) => {
      const fitting = Object.values(profiles).filter((profile) => profile.kind === kind);
      return [kind, new Set(fitting.map(({ id }) => id))];
    }),
  );
  const workflows = await tx.workflow.findMany({
    where: { deletedAt: null, isTrial: false },
    select: { id: true, organizationId: true },
  });
  // A workflow of the house may lead to everybody's: that is how one way in serves several organizations.
  const others = workflows.filter(
    ({ organizationId: of }) => of !== null && workflow.organizationId !== null && of !== workflow.organizationId,
  );
  const secretIds = definition.steps.flatMap(({ kind, settings }) => {
    const contract: StepContract = stepContracts[kind];
    return (contract.secrets?.(settings) ?? []).map(({ id }) => id);
  });
  const secrets = await tx.secret.findMany({
    where: { id: { in: secretIds }, purpose: actionSecretPurpose },
    select: { id: true },
  });
  const people = await tx.user.findMany({ where: { deletedAt: null, isActive: true }, select: { id: true } });
  const roles = await tx.role.findMany({ select: { id: true } });
  const around = {
    name: workflow.name,
    elsewhereIds: new Set([...elsewhere, ...others.map(({ id }) => id)]),
    secretIds: new Set(secrets.map(({ id }) => id)),
    profileIds,
    workflowIds: new Set(workflows.map(({ id }) => id)),
    assigneeIds: new Set([...people, ...roles].map(({ id }) => id)),
    features: new Set(features),
    sources: sourceContracts,
  };
  const issues = [
    ...checkWorkflow(definition, around, await regularExpressions(), profiles),
    ...profileIssues(definition, profiles, around.assigneeIds),
  ];
  return { issues, profiles };
}

export interface Published {
  /** Empty = published. */
  issues: WorkflowIssue[];
  version?: { id: string; no: number };
}

/**
 * Freezes a draft with the profiles it uses as the workflow's next version. Running sessions keep theirs. Runs in the
 * caller's transaction, with its audit row.
 */
export async function publishWorkflow(tx: Transaction, workflowId: string, publishedById?: string): Promise<Published> {
  await tx.$queryRaw`select 1 from workflows where id = ${workflowId} for update`;
  const workflow = await tx.workflow.findUniqueOrThrow({ where: { id: workflowId } });
  const definition = workflowDefinitionSchema.parse(workflow.draft);
  const { issues, profiles } = await workflowIssues(tx, workflow, definition);
  if (issues.length > 0) return { issues };
  const no = (workflow.publishedNo ?? 0) + 1;
  const id = newId('workflowVersion');
  const hash = createHash('sha256')
    .update(JSON.stringify([definition, profiles]))
    .digest('hex');
  await tx.workflowVersion.create({
    data: {
      id,
      workflowId,
      no,
      definition: toJson(definition),
      profiles: toJson(profiles),
      hash,
      publishedById: publishedById ?? null,
    },
    select: { id: true },
  });
  await tx.workflow.update({ where: { id: workflowId }, data: { publishedNo: no }, select: { id: true } });
  return { issues: [], version: { id, no } };
}
