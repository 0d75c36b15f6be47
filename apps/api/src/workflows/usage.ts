import { isFinal, referencesOf, sessionStatuses, type WorkflowDefinition } from '@pdf2press/contract';
import type { Transaction } from '@pdf2press/prisma';
import { stepContracts } from '@pdf2press/steps/contracts';
import { injectSettingsOf } from '@pdf2press/steps/inject';
import { draftOf, type WorkflowRow } from './read-workflow.ts';

const leadsTo = (definition: WorkflowDefinition, id: string): boolean =>
  definition.steps.some((step) =>
    referencesOf(stepContracts, step).some((named) => named.resource === 'workflow' && named.id === id),
  );

/** The workflows whose routes lead to this one, in their draft or in the version that is live. */
async function workflowsLeadingTo(tx: Transaction, id: string): Promise<string[]> {
  // The text is searched first, so that only the graphs that hold the id somewhere are read.
  const rows = await tx.$queryRaw<{ name: string; definitions: unknown[] }[]>`
    select workflow.name, array_remove(array[workflow.draft, version.definition], null) as definitions
      from workflows workflow
      left join workflow_versions version on version.workflow_id = workflow.id and version.no = workflow.published_no
     where workflow.deleted_at is null and not workflow.is_trial and workflow.id <> ${id}
       and (position(${id} in workflow.draft::text) > 0 or position(${id} in version.definition::text) > 0)
     order by workflow.name`;
  return rows
    .filter(({ definitions }) => definitions.some((draft) => leadsTo(draftOf({ draft }), id)))
    .map(({ name }) => name);
}

/** What ends or breaks when a workflow is deleted. */
export async function usageOf(tx: Transaction, { id, publishedNo }: WorkflowRow) {
  const where = { workflowId: id, deletedAt: null, isTrial: false };
  const open = sessionStatuses.filter((status) => !isFinal(status));
  const organizations = await tx.organizationWorkflow.findMany({
    where: { workflowId: id },
    include: { organization: { select: { name: true } } },
  });
  const live =
    publishedNo === null ? null : await tx.workflowVersion.findFirst({ where: { workflowId: id, no: publishedNo } });
  const inlet = live && injectSettingsOf(draftOf({ draft: live.definition }));
  return {
    openSessions: await tx.session.count({ where: { ...where, status: { in: open } } }),
    sessions: await tx.session.count({ where }),
    organizations: organizations.map(({ organization }) => organization.name),
    sources: inlet?.sources ?? [],
    hasHotFolder: inlet?.ways.hotFolder ?? false,
    workflows: await workflowsLeadingTo(tx, id),
  };
}
