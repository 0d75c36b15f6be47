import type { Permission, StepKind } from '@pdf2press/contract';
import { useMay } from '../account/use-me.ts';

/** What steps of a kind take besides the editing of workflows, as the API asks when a draft is saved. */
const permissionOfKind: Partial<Record<StepKind, Permission>> = { Action: 'workflows.actions.edit' };

/** Whether the reader may add steps of a kind and change their settings. */
export function useMayEditKind(): (kind: StepKind) => boolean {
  const may = useMay();
  return (kind) => {
    const permission = permissionOfKind[kind];
    return permission === undefined || may(permission);
  };
}
