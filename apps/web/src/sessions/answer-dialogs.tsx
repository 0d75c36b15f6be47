import { Modal, Select, Text } from '@mantine/core';
import { type Session, variablesSchema } from '@pdf2press/contract';
import { sessionRoutes, systemRoutes, workflowRoutes } from '@pdf2press/contract/calls';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Controller } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { z } from 'zod';
import { call, sendForm } from '../client/call.ts';
import { useCall } from '../client/queries.ts';
import { DialogForm } from '../frame/dialog-form.tsx';
import { notify } from '../frame/toasts.tsx';
import { useSchemaForm } from '../frame/use-schema-form.ts';
import { formatSize } from '../language/formats.ts';
import { DropFile } from '../trials/drop-file.tsx';
import { VariableFields } from '../uploads/variable-fields.tsx';
import { ask, useAsking } from './answers.ts';
import { sessionsChanged } from './session-actions.ts';
import { sessionPath } from './session-row.tsx';
import { UnlockFile } from './unlock-file.tsx';

/** Dialogs of the answers that need input: a file, its password or another workflow. */
export function AnswerDialogs({ session }: { session: Session }) {
  const { t } = useTranslation();
  const { asked } = useAsking();
  const close = () => ask(null);
  return (
    <Modal
      opened={asked !== null}
      onClose={close}
      title={asked && t(`sessions.ask.${asked}.title`, { name: session.fileName })}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      {asked === 'replaceFile' && <ReplaceFile session={session} onClose={close} />}
      {asked === 'unlock' && <UnlockFile session={session} onClose={close} />}
      {asked === 'reroute' && <Reroute session={session} onClose={close} />}
    </Modal>
  );
}

interface Props {
  session: Session;
  onClose: () => void;
}

function ReplaceFile({ session, onClose }: Props) {
  const { t } = useTranslation();
  const info = useCall(systemRoutes.appInfo, undefined, { staleTime: Number.POSITIVE_INFINITY });
  const limit = info.data?.maxUploadBytes ?? Number.POSITIVE_INFINITY;
  const asked = z.object({
    file: z
      .instanceof(File, { error: t('file.missing') })
      .refine(({ size }) => size > 0, { params: { code: 'file.empty' }, abort: true })
      .refine(({ size }) => size <= limit, { params: { code: 'file.tooLarge', params: { limit: formatSize(limit) } } }),
  });
  const { control, handleSubmit } = useSchemaForm(asked, { mode: 'onChange' });
  const replace = useMutation({
    mutationFn: (chosen: File) => {
      const form = new FormData();
      form.append('version', String(session.version));
      form.append('file', chosen, chosen.name);
      return sendForm(sessionRoutes.replaceFile, form, { id: session.id });
    },
    onSuccess: ({ fileName }) => {
      notify.success(t('sessions.done.replaceFile', { name: fileName }));
      onClose();
    },
    onSettled: sessionsChanged,
  });
  return (
    <DialogForm
      onSubmit={handleSubmit(({ file }) => replace.mutate(file))}
      onClose={onClose}
      act={t('sessions.action.replaceFile')}
      isUnderway={replace.isPending}
      error={replace.error}
    >
      <Text>{t('sessions.ask.replaceFile.text')}</Text>
      <Controller
        control={control}
        name="file"
        render={({ field, fieldState }) => (
          <>
            <DropFile file={field.value ?? null} onFile={field.onChange} />
            {fieldState.error && (
              <Text c="var(--p2p-error)" size="sm" role="alert">
                {fieldState.error.message}
              </Text>
            )}
          </>
        )}
      />
    </DialogForm>
  );
}

function Reroute({ session, onClose }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const workflows = useCall(workflowRoutes.list, { query: { pageSize: 100, isEnabled: 'true' } });
  const ready = (workflows.data?.items ?? []).filter(
    (one) => one.isEnabled && one.publishedVersion !== null && one.id !== session.workflow.id,
  );
  const [chosen, setChosen] = useState('');
  const variables = ready.find(({ id }) => id === chosen)?.variables ?? [];
  const asked = z.object({ workflowId: z.string().min(1), variables: variablesSchema(variables) });
  const { control, handleSubmit } = useSchemaForm(asked, {
    defaultValues: { workflowId: '', variables: session.variables },
  });
  const reroute = useMutation({
    mutationFn: ({ workflowId, variables: given }: z.output<typeof asked>) => {
      const own = Object.fromEntries(variables.map(({ name }) => [name, given[name] ?? null]));
      const body = { workflowId, variables: own, version: session.version };
      return call(sessionRoutes.reroute, { params: { id: session.id }, body });
    },
    onSuccess: ({ redirectedTo }) => {
      notify.success(
        t('sessions.done.reroute', { name: session.fileName, workflow: redirectedTo?.workflowName ?? '' }),
      );
      onClose();
      if (redirectedTo) void navigate(sessionPath(redirectedTo.id));
    },
    onSettled: sessionsChanged,
  });
  return (
    <DialogForm
      onSubmit={handleSubmit((given) => reroute.mutate(given))}
      onClose={onClose}
      act={t('sessions.action.reroute')}
      isUnderway={reroute.isPending}
      error={reroute.error}
    >
      <Text>{t('sessions.ask.reroute.text')}</Text>
      <Controller
        control={control}
        name="workflowId"
        render={({ field, fieldState }) => (
          <Select
            label={t('field.workflow')}
            placeholder={t('upload.chooseWorkflow')}
            data={ready.map(({ id, name }) => ({ value: id, label: name }))}
            searchable
            allowDeselect={false}
            nothingFoundMessage={t('upload.noWorkflow')}
            {...field}
            onChange={(id) => {
              field.onChange(id ?? '');
              setChosen(id ?? '');
            }}
            error={fieldState.error?.message}
          />
        )}
      />
      {variables.length > 0 && <VariableFields variables={variables} control={control} />}
    </DialogForm>
  );
}
