import type { Workflow } from '@pdf2press/contract';
import { workflowRoutes } from '@pdf2press/contract/calls';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../client/call.ts';
import { CallError } from '../client/call-error.ts';
import { invalidate, keyOf } from '../client/queries.ts';
import { notify } from '../frame/toasts.tsx';
import { type Builder, editedOf, useBuilt } from './builder-store.ts';
import { forgetLocalDraft } from './local-draft.ts';
import { isSame } from './workflow-differences.ts';

export type SaveState = 'saved' | 'unsaved' | 'saving' | 'failed';

export interface Saving {
  state: SaveState;
  isDirty: boolean;
  /** Theirs, when somebody else saved in between: asked whose is to stay. */
  conflict: Workflow | null;
  save: () => Promise<boolean>;
  publish: () => Promise<boolean>;
  /** Saves what is here over theirs. */
  keepMine: () => Promise<void>;
  /** Takes theirs; what was here can be got back by undo. */
  takeTheirs: () => void;
  closeConflict: () => void;
}

/** Saving and publishing. Nothing but Save changes the stored draft, and nothing but Publish what sessions run. */
export function useSaving(builder: Builder): Saving {
  const { t } = useTranslation();
  const client = useQueryClient();
  const workflowId = useBuilt((state) => state.workflowId);
  const present = useBuilt((state) => state.history.present);
  const saved = useBuilt((state) => state.saved);
  const [state, setState] = useState<'idle' | 'saving' | 'failed'>('idle');
  const [conflict, setConflict] = useState<Workflow | null>(null);
  const isDirty = present !== saved && !isSame(saved, present);

  const settle = async (workflow: Workflow) => {
    client.setQueryData(keyOf(workflowRoutes.get, { params: { id: workflowId } }), workflow);
    builder.settle(workflow);
    await forgetLocalDraft(workflowId);
    await invalidate(workflowRoutes.list);
  };
  const send = async (draftRevision: number): Promise<boolean> => {
    const { history } = builder.store.getState();
    setState('saving');
    try {
      const body = { ...history.present, draftRevision };
      const workflow = await call(workflowRoutes.saveDraft, { params: { id: workflowId }, body });
      // The server may tidy a name: what it has is compared with what was sent, not with what was typed since.
      await settle({ ...workflow, ...editedOf({ ...history.present, name: history.present.name }) });
      setState('idle');
      return true;
    } catch (error) {
      setState('failed');
      if (error instanceof CallError && error.has('resource.conflict'))
        setConflict(await call(workflowRoutes.get, { params: { id: workflowId } }));
      else notify.failure(error);
      return false;
    }
  };
  const save = async () => (isDirty ? send(builder.store.getState().revision) : true);
  return {
    state: state === 'saving' ? 'saving' : !isDirty ? 'saved' : state === 'failed' ? 'failed' : 'unsaved',
    isDirty,
    conflict,
    save,
    async publish() {
      if (!(await save())) return false;
      try {
        const workflow = await call(workflowRoutes.publish, { params: { id: workflowId } });
        await settle({ ...workflow, ...editedOf(builder.store.getState().saved) });
        await invalidate(workflowRoutes.versions, workflowRoutes.usage);
        notify.success(t('builder.published', { version: workflow.publishedVersion ?? 1 }));
        return true;
      } catch (error) {
        notify.failure(error);
        return false;
      }
    },
    async keepMine() {
      const theirs = conflict;
      setConflict(null);
      if (theirs) await send(theirs.draftRevision);
    },
    takeTheirs() {
      if (!conflict) return;
      builder.settle(conflict);
      builder.replace(editedOf(conflict), { key: 'builder.did.tookTheirs' });
      setConflict(null);
      setState('idle');
    },
    closeConflict: () => setConflict(null),
  };
}
