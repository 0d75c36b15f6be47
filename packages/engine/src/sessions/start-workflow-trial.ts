import { createHash } from 'node:crypto';
import {
  isFinal,
  mostTrialFiles,
  problem,
  sessionStatuses,
  type VariableValues,
  type WorkflowDefinition,
  type WorkflowIssue,
} from '@pdf2press/contract';
import { newId, type Prisma, type SubscriberContext, storedAs, type Transaction, toJson } from '@pdf2press/prisma';
import type { Actor, EngineDeps } from '../deps.ts';
import { demandHere } from '../files/demand-here.ts';
import type { StoredTrial } from '../workflows/definition.ts';
import { workflowIssues } from '../workflows/publish-workflow.ts';
import type { StepRunInput } from './next-step.ts';
import { type NewSession, startSession } from './start-session.ts';

export interface NewWorkflowTrial {
  context: SubscriberContext;
  workflowId: string;
  /** Of the draft, for its rules. */
  name: string;
  draft: WorkflowDefinition;
  /** By the ids of steps that would wait or act. */
  answers: Readonly<Record<string, string>>;
  /** A file in the store that was brought for the trial. */
  file?: NewSession['file'];
  /** Sessions of the past whose files are tried. */
  sessionIds: readonly string[];
  /** So many of the workflow's sessions that ended last. */
  last: number;
  createdBy: Actor;
}

/** `issues` are the rules that the draft breaks: with any, nothing runs. `id` names the trial. */
export type StartedTrial = { issues: WorkflowIssue[]; id?: undefined } | { issues: []; id: string };

const ended = sessionStatuses.filter(isFinal);

const pastSelect = {
  id: true,
  runNo: true,
  source: true,
  sourceName: true,
  organizationId: true,
  files: {
    where: { kind: 'OriginalFile', removedAt: null },
    orderBy: { createdAt: 'desc' },
    take: 1,
    select: { sha256: true, size: true, name: true, mediaType: true },
  },
  stepRuns: { where: { kind: 'Inject' }, select: { runNo: true, input: true } },
} as const satisfies Prisma.SessionSelect;
type Past = Prisma.SessionGetPayload<{ select: typeof pastSelect }>;

/** The sessions that were chosen. @throws ProblemError `resource.notFound` when one is not there or has not ended */
async function findPast(tx: Transaction, { workflowId, sessionIds, last }: NewWorkflowTrial): Promise<Past[]> {
  const open = { isTrial: false, deletedAt: null, status: { in: ended } };
  const chosen =
    sessionIds.length === 0
      ? []
      : await tx.session.findMany({ where: { ...open, id: { in: [...sessionIds] } }, select: pastSelect });
  if (chosen.length < new Set(sessionIds).size || chosen.some(({ files }) => files.length === 0))
    throw problem('resource.notFound', {}, 'sessionIds');
  const newest =
    last === 0
      ? []
      : await tx.session.findMany({
          where: {
            ...open,
            workflowId,
            archiveState: 'Unarchived',
            id: { notIn: [...sessionIds] },
            files: { some: { kind: 'OriginalFile', removedAt: null } },
          },
          orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
          take: Math.min(last, mostTrialFiles),
          select: pastSelect,
        });
  return [...chosen, ...newest];
}

/** The draft as a version that no session but those of the trial runs: versions of trials are numbered down from −1. */
async function keepDraft(
  tx: Transaction,
  { workflowId, draft, answers }: NewWorkflowTrial,
  profiles: object,
): Promise<string> {
  const id = newId('workflowVersion');
  await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${`trial ${workflowId}`}, 0))`;
  const { _min } = await tx.workflowVersion.aggregate({ where: { workflowId }, _min: { no: true } });
  await tx.workflowVersion.create({
    data: {
      id,
      workflowId,
      no: Math.min(0, _min.no ?? 0) - 1,
      definition: toJson(draft),
      profiles: toJson(profiles),
      trial: toJson({ answers: { ...answers } } satisfies StoredTrial),
      hash: createHash('sha256')
        .update(JSON.stringify([draft, profiles]))
        .digest('hex'),
    },
    select: { id: true },
  });
  return id;
}

/** The variables that the newest run of a session began with. */
const variablesOf = ({ runNo, stepRuns }: Past): VariableValues =>
  storedAs<StepRunInput | null>(stepRuns.find((step) => step.runNo === runNo)?.input ?? null)?.variables ?? {};

/**
 * Tries a workflow's draft, on a file or on those of sessions of the past: one session each, that no list shows, that
 * yields to every other, and whose steps neither wait nor act outside. The sweep deletes them a day later.
 * @throws ProblemError `resource.notFound`, `session.archived`, `trial.noFile`, `trial.tooManyFiles`
 */
export function startWorkflowTrial(deps: EngineDeps, trial: NewWorkflowTrial): Promise<StartedTrial> {
  const { workflowId, createdBy } = trial;
  return deps.database.withSubscriber(
    trial.context,
    async (tx) => {
      const workflow = await tx.workflow.findFirst({ where: { id: workflowId, deletedAt: null, isTrial: false } });
      if (!workflow) throw problem('resource.notFound', {}, 'workflowId');
      const { issues, profiles } = await workflowIssues(
        tx,
        { name: trial.name, organizationId: workflow.organizationId },
        trial.draft,
      );
      if (issues.length > 0) return { issues };
      const past = await findPast(tx, trial);
      const count = past.length + (trial.file ? 1 : 0);
      if (count === 0) throw problem('trial.noFile');
      if (count > mostTrialFiles) throw problem('trial.tooManyFiles', { max: mostTrialFiles });
      const versionId = await keepDraft(tx, trial, profiles);
      const begin = (session: Pick<NewSession, 'file' | 'source' | 'sourceName' | 'variables' | 'trialOfId'>) =>
        startSession(tx, {
          workflowId,
          versionId,
          isTrial: true,
          ingest: { kind: 'trial', key: newId('upload') },
          createdBy,
          ...session,
        });
      if (trial.file) await begin({ file: trial.file, source: 'ManualInjected', sourceName: createdBy.name });
      for (const session of past) {
        const [file] = session.files;
        if (!file) continue;
        await demandHere(tx, file.sha256);
        const { source, sourceName, organizationId } = session;
        await begin({
          file: { ...file, size: Number(file.size) },
          source,
          sourceName,
          variables: variablesOf(session),
          trialOfId: session.id,
          ...(organizationId !== null && { organizationId }),
        });
      }
      return { issues: [], id: versionId };
    },
    { timeout: 60_000 },
  );
}
