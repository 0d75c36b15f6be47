import { createHash } from 'node:crypto';
import {
  type FeatureKey,
  type StepKind,
  stepKinds,
  validateWorkflow,
  type WorkflowDefinition,
  type WorkflowIssue,
  workflowDefinitionSchema,
} from '@pdf2press/contract';
import { newId, type Transaction } from '@pdf2press/prisma';
import { type ProfileSnapshot, stepContracts } from '@pdf2press/steps/contracts';

const runnableKinds: ReadonlySet<StepKind> = new Set(stepKinds.filter((kind) => Object.hasOwn(stepContracts, kind)));

const profileKindOf = (kind: string): string | undefined =>
  (stepContracts as Record<string, { profile?: string } | undefined>)[kind]?.profile;

/** The profiles that the steps name, as they are now. */
async function snapshotProfiles(
  tx: Transaction,
  definition: WorkflowDefinition,
): Promise<Record<string, ProfileSnapshot>> {
  const ids = definition.steps.flatMap(({ settings }) =>
    typeof settings.profileId === 'string' ? [settings.profileId] : [],
  );
  const profiles = await tx.profile.findMany({
    where: { id: { in: ids }, deletedAt: null },
    include: { versions: true },
  });
  return Object.fromEntries(
    profiles.flatMap(({ id, kind, name, currentNo, versions }) => {
      const version = versions.find(({ no }) => no === currentNo);
      const settings = (version?.settings ?? {}) as Record<string, unknown>;
      return version ? [[id, { id, kind, name, version: currentNo, settings }] as const] : [];
    }),
  );
}

/**
 * What keeps a draft from being published, by the contract's rules and by what exists here: profiles, plan, kinds that
 * can run.
 */
export async function workflowIssues(
  tx: Transaction,
  name: string,
  definition: WorkflowDefinition,
): Promise<{ issues: WorkflowIssue[]; profiles: Record<string, ProfileSnapshot> }> {
  const profiles = await snapshotProfiles(tx, definition);
  const features = (await tx.feature.findMany()).map(({ featureKey }) => featureKey as FeatureKey);
  const profileIds = Object.fromEntries(
    stepKinds.flatMap((kind) => {
      const wanted = profileKindOf(kind);
      const fitting = Object.values(profiles).filter((profile) => profile.kind === wanted);
      return wanted ? [[kind, new Set(fitting.map(({ id }) => id))] as const] : [];
    }),
  );
  const issues = validateWorkflow(definition, { name, profileIds, features: new Set(features), runnableKinds });
  return { issues, profiles };
}

export interface Published {
  /** Empty = published. */
  issues: WorkflowIssue[];
  version?: { id: string; no: number };
}

/**
 * Freezes a draft with the profiles it uses as the workflow's next version. Sessions that run keep theirs. Runs in the
 * caller's transaction, beside its audit row.
 */
export async function publishWorkflow(tx: Transaction, workflowId: string, publishedById?: string): Promise<Published> {
  await tx.$queryRaw`select 1 from workflows where id = ${workflowId} for update`;
  const workflow = await tx.workflow.findUniqueOrThrow({ where: { id: workflowId } });
  const definition = workflowDefinitionSchema.parse(workflow.draft);
  const { issues, profiles } = await workflowIssues(tx, workflow.name, definition);
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
      definition: definition as object,
      profiles: profiles as object,
      hash,
      publishedById: publishedById ?? null,
    },
    select: { id: true },
  });
  await tx.workflow.update({ where: { id: workflowId }, data: { publishedNo: no }, select: { id: true } });
  return { issues: [], version: { id, no } };
}
