import type { Workflow, WorkflowSummary } from '@pdf2press/contract';
import { workflowRoutes } from '@pdf2press/contract/calls';
import type { TFunction } from 'i18next';
import { call, saveBlob } from '../client/call.ts';
import { invalidate } from '../client/queries.ts';
import { confirm } from '../frame/confirm.ts';
import { notify } from '../frame/toasts.tsx';

export const workflowPath = (id: string): string => `/workflows/edit/${encodeURIComponent(id)}`;

type Named = Pick<WorkflowSummary, 'id' | 'name'>;

export async function exportWorkflow(workflow: Named): Promise<void> {
  try {
    const document = await call(workflowRoutes.export, { params: { id: workflow.id } });
    saveBlob(
      new Blob([JSON.stringify(document, null, 2)], { type: 'application/json' }),
      `${workflow.name}.workflow.json`,
    );
  } catch (error) {
    notify.failure(error);
  }
}

/** Creates a workflow from a file, which is told by what is in it. Null, and one sentence why, when it cannot be used. */
export async function importWorkflow(t: TFunction, file: File, organizationId?: string): Promise<Workflow | null> {
  const { readWorkflowFile } = await import('./read-workflow-file.ts');
  const read = await readWorkflowFile(file);
  if ('fault' in read) {
    notify.error(t(read.fault.code, read.fault.params ?? {}));
    return null;
  }
  try {
    const made = await call(workflowRoutes.import, {
      query: { ...(organizationId !== undefined && { organizationId }) },
      body: read.document,
    });
    await invalidate(workflowRoutes.list);
    notify.success(t('workflows.imported', { name: made.name }));
    return made;
  } catch (error) {
    notify.failure(error);
    return null;
  }
}

export async function setWorkflowEnabled(t: TFunction, workflow: Named, isEnabled: boolean): Promise<void> {
  try {
    await call(workflowRoutes.setEnabled, { params: { id: workflow.id }, body: { isEnabled } });
    notify.success(t(isEnabled ? 'workflows.enabled' : 'workflows.disabled', { name: workflow.name }));
  } catch (error) {
    notify.failure(error);
  } finally {
    await invalidate(workflowRoutes.list, workflowRoutes.get);
  }
}

/** Deletes after telling what else it touches; a workflow in use must be named to go. Answers whether it is gone. */
export async function removeWorkflow(t: TFunction, workflow: Named): Promise<boolean> {
  try {
    const usage = await call(workflowRoutes.usage, { params: { id: workflow.id } });
    // The kinds of ways in are needed here alone.
    const { sourceName } = await import('./source-name.ts');
    const names = (list: readonly string[]) => ({ names: list.join(', ') });
    const touched = [
      usage.openSessions > 0 && t('workflows.usage.open', { count: usage.openSessions }),
      usage.sessions > 0 && t('workflows.usage.sessions', { count: usage.sessions }),
      usage.workflows.length > 0 && t('workflows.usage.workflows', names(usage.workflows)),
      usage.organizations.length > 0 && t('workflows.usage.organizations', names(usage.organizations)),
      usage.sources.length > 0 && t('workflows.usage.sources', names(usage.sources.map(sourceName))),
      usage.hasHotFolder && t('workflows.usage.hotFolder'),
    ].filter((text) => text !== false);
    const { openSessions, organizations, sources, workflows } = usage;
    const isUsed = openSessions > 0 || [organizations, sources, workflows].some(({ length }) => length > 0);
    const isSure = await confirm({
      title: t('workflows.deleteTitle', { name: workflow.name }),
      text: t('workflows.deleteText'),
      points: touched,
      act: t('common.delete'),
      isDangerous: true,
      ...(isUsed ? { typed: workflow.name } : {}),
    });
    if (!isSure) return false;
    await call(workflowRoutes.remove, { params: { id: workflow.id } });
    notify.success(t('common.deleted', { name: workflow.name }));
    await invalidate(workflowRoutes.list);
    return true;
  } catch (error) {
    notify.failure(error);
    return false;
  }
}
