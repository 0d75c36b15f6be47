import { Modal } from '@mantine/core';
import type { Workflow } from '@pdf2press/contract';
import { workflowRoutes } from '@pdf2press/contract/calls';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../client/call.ts';
import { invalidate, keyOf } from '../client/queries.ts';
import { DialogForm } from '../frame/dialog-form.tsx';
import { notify } from '../frame/toasts.tsx';
import { MadeForField } from '../organizations/made-for-field.tsx';
import { useBuilder } from './builder-store.ts';

/** Whom the workflow is made for. It holds at once, for new sessions, and is no part of the draft. */
export function OrganizationDialog({ workflow, onClose }: { workflow: Workflow; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const builder = useBuilder();
  const before = workflow.organization?.id ?? null;
  const [chosen, setChosen] = useState(before);
  const assign = useMutation({
    mutationFn: () => call(workflowRoutes.assign, { params: { id: workflow.id }, body: { organizationId: chosen } }),
    onSuccess: async (assigned) => {
      client.setQueryData(keyOf(workflowRoutes.get, { params: { id: workflow.id } }), assigned);
      // What others have saved meanwhile is told when this draft is saved.
      if (assigned.draftRevision === builder.store.getState().revision) builder.settle(assigned);
      await invalidate(workflowRoutes.list);
      notify.success(t('common.saved'));
      onClose();
    },
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('builder.organizationTitle', { name: workflow.name })}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <DialogForm
        onClose={onClose}
        act={t('common.save')}
        isUnderway={assign.isPending}
        error={assign.error}
        onSubmit={(event) => {
          event.preventDefault();
          assign.mutate();
        }}
      >
        <MadeForField value={chosen} before={before} onChange={setChosen} />
      </DialogForm>
    </Modal>
  );
}
