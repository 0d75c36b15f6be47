import {
  contractMessages,
  type Locale,
  sentence,
  type Workflow,
  type WorkflowDefinition,
  type WorkflowIssue,
  type WorkflowSummary,
  workflowDefinitionSchema,
} from '@pdf2press/contract';
import { workflowIssues } from '@pdf2press/engine';
import type { Prisma, Transaction } from '@pdf2press/prisma';
import { takesOf } from '@pdf2press/steps/inject';
import type { Caller } from '../frame/caller.ts';
import { InvalidRequestError } from '../frame/read-part.ts';
import { found } from '../frame/rows.ts';
import { madeForOf, ownOrHouse } from '../organizations/made-for.ts';

export type WorkflowRow = Prisma.WorkflowGetPayload<object>;

/** A workflow of the house or of one of the caller's organizations. */
export const findWorkflow = (tx: Transaction, caller: Caller, id: string): Promise<WorkflowRow | null> =>
  tx.workflow.findFirst({ where: { AND: [{ id, deletedAt: null }, ownOrHouse(caller)] } });

/** A draft may be older than the schema; parsing adds the defaults of new settings. */
export const draftOf = (row: { draft: unknown }): WorkflowDefinition => workflowDefinitionSchema.parse(row.draft);

/** Published graphs by workflow; workflows never published are missing. */
export async function publishedOf(
  tx: Transaction,
  rows: readonly WorkflowRow[],
): Promise<Map<string, WorkflowDefinition>> {
  const wanted = rows.flatMap(({ id, publishedNo }) =>
    publishedNo === null ? [] : [{ workflowId: id, no: publishedNo }],
  );
  if (wanted.length === 0) return new Map();
  const versions = await tx.workflowVersion.findMany({
    where: { OR: wanted },
    select: { workflowId: true, definition: true },
  });
  return new Map(versions.map((version) => [version.workflowId, workflowDefinitionSchema.parse(version.definition)]));
}

/** List rows of the contract, with their counts, in the order given. */
export async function summariesOf(tx: Transaction, rows: readonly WorkflowRow[]): Promise<WorkflowSummary[]> {
  const published = await publishedOf(tx, rows);
  const counts = await tx.session.groupBy({
    by: ['workflowId'],
    where: { workflowId: { in: rows.map(({ id }) => id) }, deletedAt: null, isTrial: false },
    _count: { _all: true },
  });
  const madeFor = await madeForOf(tx, rows);
  return rows.map((row) => {
    const draft = draftOf(row);
    const frozen = published.get(row.id);
    return {
      id: row.id,
      name: row.name,
      description: row.description,
      organization: madeFor(row.organizationId),
      isEnabled: row.isEnabled,
      publishedVersion: row.publishedNo,
      hasUnpublishedChanges: !frozen || JSON.stringify(frozen) !== JSON.stringify(draft),
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
      sessionCount: counts.find(({ workflowId }) => workflowId === row.id)?._count._all ?? 0,
      sketch: {
        steps: draft.steps.map(({ id, kind, position }) => ({ id, kind, position })),
        edges: draft.edges.map(({ from, to }) => ({ from, to })),
      },
      variables: (frozen ?? draft).variables,
      takes: takesOf(frozen ?? draft),
    };
  });
}

export const inWords = (locale: Locale, issues: readonly WorkflowIssue[]): WorkflowIssue[] =>
  issues.map((issue) => ({
    ...issue,
    message: sentence(contractMessages, locale, issue.code, {
      ...issue.params,
      ...(issue.variable ? { variable: issue.variable } : {}),
    }),
  }));

/** @throws InvalidRequestError 422 with every rule that a draft breaks, each with its step and setting */
export function demandNoIssues(locale: Locale, issues: readonly WorkflowIssue[]): void {
  if (issues.length === 0) return;
  const faults = inWords(locale, issues).map(({ code, params, stepId, edgeId, variable, field }) => ({
    code,
    params: { ...params, ...(variable ? { variable } : {}) },
    field: [stepId ?? edgeId ?? variable ?? 'draft', field].filter(Boolean).join('.'),
  }));
  throw new InvalidRequestError([{ code: 'workflow.invalid', params: { count: issues.length } }, ...faults], 422);
}

/** One workflow with its draft and the issues of the draft. @throws ProblemError `resource.notFound` */
export async function readWorkflow(tx: Transaction, caller: Caller, id: string, locale: Locale): Promise<Workflow> {
  const row = found(await findWorkflow(tx, caller, id));
  const [summary] = await summariesOf(tx, [row]);
  const draft = draftOf(row);
  const { issues } = await workflowIssues(tx, row, draft);
  return { ...found(summary), draft, draftRevision: row.draftVersion, issues: inWords(locale, issues) };
}
