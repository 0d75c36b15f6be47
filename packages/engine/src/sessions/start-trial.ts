import { createHash } from 'node:crypto';
import { problem, type StepKind, type WorkflowDefinition, workflowDefinitionSchema } from '@pdf2press/contract';
import { newId, type SubscriberContext, type Transaction, toJson } from '@pdf2press/prisma';
import type { ProfileSnapshot } from '@pdf2press/steps/contracts';
import type { Actor, EngineDeps } from '../deps.ts';
import { demandHere } from '../files/demand-here.ts';
import { type NewSession, startSession } from './start-session.ts';

/** Kinds of profile that can be tried, and the step that runs them. */
export const trialSteps = { preflight: 'Preflight', fix: 'Fix', impose: 'Impose' } as const satisfies Record<
  string,
  StepKind
>;
export type TrialKind = keyof typeof trialSteps;

export interface NewTrial {
  context: SubscriberContext;
  kind: TrialKind;
  /** The draft's settings, already parsed by their schema. */
  settings: Record<string, unknown>;
  /** A file in the store: a new one, or that of a session the caller may see. */
  file: NewSession['file'];
  createdBy: Actor;
}

const definitionOf = (kind: TrialKind): WorkflowDefinition =>
  workflowDefinitionSchema.parse({
    steps: [
      { id: 'inject', kind: 'Inject' },
      { id: kind, kind: trialSteps[kind], settings: { profileId: 'trial' } },
      { id: 'complete', kind: 'Complete' },
    ],
    edges: [
      { id: 'a', from: 'inject', outcome: 'done', to: kind },
      { id: 'b', from: kind, outcome: 'done', to: 'complete' },
    ],
  });

/** The hidden workflow for a subscriber's trials of a kind; its row is locked, so that version numbers rise. */
async function trialWorkflow(
  tx: Transaction,
  name: string,
  draft: object,
): Promise<{ id: string; publishedNo: number }> {
  await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(current_subscriber() || ' trial ' || ${name}, 0))`;
  const found = await tx.workflow.findFirst({ where: { isTrial: true, name } });
  if (found) return { id: found.id, publishedNo: found.publishedNo ?? 0 };
  const id = newId('workflow');
  await tx.workflow.create({ data: { id, name, isTrial: true, draft: toJson(draft) }, select: { id: true } });
  return { id, publishedNo: 0 };
}

interface HiddenVersion {
  /** Of the hidden workflow. */
  name: string;
  definition: WorkflowDefinition;
  profiles: Readonly<Record<string, ProfileSnapshot>>;
}

/** A version that nobody sees, to run sessions on; the same one again for the same content. */
export async function keepHiddenVersion(
  tx: Transaction,
  { name, definition, profiles }: HiddenVersion,
): Promise<{ workflowId: string; versionId: string }> {
  const workflow = await trialWorkflow(tx, name, definition);
  const hash = createHash('sha256')
    .update(JSON.stringify([definition, profiles]))
    .digest('hex');
  const workflowId = workflow.id;
  const before = await tx.workflowVersion.findFirst({ where: { workflowId, hash }, select: { id: true } });
  if (before) return { workflowId, versionId: before.id };
  const versionId = newId('workflowVersion');
  const no = workflow.publishedNo + 1;
  await tx.workflowVersion.create({
    data: { id: versionId, workflowId, no, definition: toJson(definition), profiles: toJson(profiles), hash },
    select: { id: true },
  });
  await tx.workflow.update({ where: { id: workflowId }, data: { publishedNo: no }, select: { id: true } });
  return { workflowId, versionId };
}

/**
 * Tries a profile's draft on a file: a session like any other, on a version made for it, that no list shows. Resolves to
 * the session's id. The sweep deletes it a day later.
 */
export function startTrial(deps: EngineDeps, { context, kind, settings, file, createdBy }: NewTrial): Promise<string> {
  return deps.database.withSubscriber(context, async (tx) => {
    const profile: ProfileSnapshot = { id: 'trial', kind, name: '', version: 1, settings };
    const hidden = await keepHiddenVersion(tx, {
      name: kind,
      definition: definitionOf(kind),
      profiles: { trial: profile },
    });
    const { sessionId } = await startSession(tx, {
      ...hidden,
      isTrial: true,
      source: 'ManualInjected',
      sourceName: createdBy.name,
      ingest: { kind: 'trial', key: newId('upload') },
      file,
      createdBy,
    });
    return sessionId;
  });
}

/** The original file of a session the context may see, to try another draft on. @throws `resource.notFound` */
export async function originalOf(
  deps: EngineDeps,
  context: SubscriberContext,
  sessionId: string,
): Promise<NewSession['file']> {
  const row = await deps.database.withSubscriber(context, async (tx) => {
    const file = await tx.file.findFirst({
      where: { sessionId, kind: 'OriginalFile', removedAt: null },
      orderBy: { createdAt: 'desc' },
      select: { sha256: true, size: true, name: true, mediaType: true },
    });
    if (!file) throw problem('resource.notFound', {}, 'sessionId');
    await demandHere(tx, file.sha256);
    return file;
  });
  return { ...row, size: Number(row.size) };
}
