import { problem } from '@pdf2press/contract';
import type { Transaction } from '@pdf2press/prisma';

export interface OrganizationQuestion {
  workflowId: string;
  /** The organization that the delivery's source belongs to. */
  ofSource?: string | undefined;
  /** The organization that the caller names. */
  chosen?: string | undefined;
}

export interface DecidedOrganization {
  organizationId: string | null;
  decidedBy: 'Workflow' | 'Source' | 'Caller' | null;
}

const none: DecidedOrganization = { organizationId: null, decidedBy: null };

/** The organization that a workflow belongs to, or the only one whose upload page offers it. */
async function ofWorkflow(tx: Transaction, workflowId: string): Promise<string | undefined> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    select organization_id as id from workflows where id = ${workflowId} and organization_id is not null
    union all
    select organization_id from organization_workflows
     where workflow_id = ${workflowId}
       and not exists (select 1 from workflows where id = ${workflowId} and organization_id is not null)`;
  return rows.length === 1 ? rows[0]?.id : undefined;
}

/**
 * Which organization a session belongs to: the workflow's if it has exactly one, else the source's, else the one that the
 * caller names, else none. For a caller with limited organizations the result must be one of theirs; a caller with exactly
 * one need not name it.
 * @throws ProblemError `organization.notYours` when it is not the caller's or does not exist, `organization.required` when
 *   such a caller named none
 */
export async function decideOrganization(
  tx: Transaction,
  { workflowId, ofSource, chosen }: OrganizationQuestion,
): Promise<DecidedOrganization> {
  const [row] = await tx.$queryRaw<{ own: string[] | null }[]>`select current_organizations() as own`;
  const own = row?.own ?? null;
  const isOwn = (id: string) => own === null || own.includes(id);
  // What the caller names is checked even where it does not decide: a wrong id is never ignored.
  if (chosen !== undefined) {
    const exists = await tx.organization.count({ where: { id: chosen, deletedAt: null } });
    if (exists === 0 || !isOwn(chosen)) throw problem('organization.notYours', {}, 'organizationId');
  }
  const workflows = await ofWorkflow(tx, workflowId);
  const only = own?.length === 1 ? own[0] : undefined;
  const decided: DecidedOrganization = workflows
    ? { organizationId: workflows, decidedBy: 'Workflow' }
    : ofSource
      ? { organizationId: ofSource, decidedBy: 'Source' }
      : chosen
        ? { organizationId: chosen, decidedBy: 'Caller' }
        : only
          ? { organizationId: only, decidedBy: 'Caller' }
          : none;
  if (own === null) return decided;
  if (decided.organizationId === null) throw problem('organization.required', {}, 'organizationId');
  if (!isOwn(decided.organizationId)) throw problem('organization.notYours', {}, 'workflowId');
  return decided;
}
