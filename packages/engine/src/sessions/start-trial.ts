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
async function trialWorkflow(tx: Transaction, kind: TrialKind): Promise<{ id: string; publishedNo: number }> {
  await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(current_subscriber() || ' trial ' || ${kind}, 0))`;
  const found = await tx.workflow.findFirst({ where: { isTrial: true, name: kind } });
  if (found) return { id: found.id, publishedNo: found.publishedNo ?? 0 };
  const id = newId('workflow');
  await tx.workflow.create({
    data: { id, name: kind, isTrial: true, draft: toJson(definitionOf(kind)) },
    select: { id: true },
  });
  return { id, publishedNo: 0 };
}

/**
 * Tries a profile's draft on a file: a session like any other, on a version made for it, that no list shows. Resolves to
 * the session's id. The sweep deletes it a day later.
 */
export function startTrial(deps: EngineDeps, { context, kind, settings, file, createdBy }: NewTrial): Promise<string> {
  return deps.database.withSubscriber(context, async (tx) => {
    const workflow = await trialWorkflow(tx, kind);
    const no = workflow.publishedNo + 1;
    const profile: ProfileSnapshot = { id: 'trial', kind, name: '', version: 1, settings };
    const definition = definitionOf(kind);
    await tx.workflowVersion.create({
      data: {
        id: newId('workflowVersion'),
        workflowId: workflow.id,
        no,
        definition: toJson(definition),
        profiles: toJson({ trial: profile }),
        hash: createHash('sha256')
          .update(JSON.stringify([definition, profile]))
          .digest('hex'),
      },
      select: { id: true },
    });
    await tx.workflow.update({ where: { id: workflow.id }, data: { publishedNo: no }, select: { id: true } });
    const { sessionId } = await startSession(tx, {
      workflowId: workflow.id,
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
