import { Modal, Select, Stack, Text } from '@mantine/core';
import {
  readVariables,
  type Session,
  sessionRoutes,
  systemRoutes,
  type VariableValues,
  workflowRoutes,
} from '@pdf2press/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { FormProblem } from '../account/form-problems.tsx';
import { call, sendForm } from '../client/call.ts';
import { useCall } from '../client/queries.ts';
import { DialogFoot } from '../frame/dialog-foot.tsx';
import { notify } from '../frame/toasts.tsx';
import { formatSize } from '../language/formats.ts';
import { DropFile } from '../trials/drop-file.tsx';
import { VariableFields } from '../uploads/variable-fields.tsx';
import { ask, useAsking } from './answers.ts';
import { sessionsChanged } from './session-actions.ts';
import { sessionPath } from './session-row.tsx';

/** Asks for what an answer needs, and says what it does to the session. */
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
  const [file, setFile] = useState<File | null>(null);
  const info = useCall(systemRoutes.appInfo, undefined, { staleTime: Number.POSITIVE_INFINITY });
  const limit = info.data?.maxUploadBytes ?? Number.POSITIVE_INFINITY;
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
  const faultOf = ({ size }: File): string | null => {
    if (size === 0) return t('file.empty');
    return size > limit ? t('file.tooLarge', { limit: formatSize(limit) }) : null;
  };
  const [isTried, setTried] = useState(false);
  const fault = file ? faultOf(file) : isTried ? t('file.missing') : null;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (file && !fault) replace.mutate(file);
      }}
    >
      <Stack>
        <Text>{t('sessions.ask.replaceFile.text')}</Text>
        <FormProblem error={replace.error} />
        <DropFile file={file} onFile={setFile} />
        {fault && (
          <Text c="error" size="sm" role="alert">
            {fault}
          </Text>
        )}
        <DialogFoot onClose={onClose} act={t('sessions.action.replaceFile')} isUnderway={replace.isPending} />
      </Stack>
    </form>
  );
}

function Reroute({ session, onClose }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<string | null>(null);
  const [values, setValues] = useState<VariableValues>(session.variables);
  const [isTried, setTried] = useState(false);
  const workflows = useCall(workflowRoutes.list, { query: { pageSize: 100, isEnabled: 'true' } });
  const ready = (workflows.data?.items ?? []).filter(
    (one) => one.isEnabled && one.publishedVersion !== null && one.id !== session.workflow.id,
  );
  const workflow = ready.find(({ id }) => id === chosen);
  const asked = workflow?.variables ?? [];
  const { values: read, problems } = readVariables(asked, values);
  const reroute = useMutation({
    mutationFn: (workflowId: string) => {
      const variables = Object.fromEntries(asked.map(({ name }) => [name, read[name] ?? null]));
      const body = { workflowId, variables, version: session.version };
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
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (workflow && problems.length === 0) reroute.mutate(workflow.id);
      }}
    >
      <Stack>
        <Text>{t('sessions.ask.reroute.text')}</Text>
        <FormProblem error={reroute.error} />
        <Select
          label={t('field.workflow')}
          placeholder={t('upload.chooseWorkflow')}
          data={ready.map(({ id, name }) => ({ value: id, label: name }))}
          value={chosen}
          onChange={setChosen}
          searchable
          allowDeselect={false}
          nothingFoundMessage={t('upload.noWorkflow')}
          error={isTried && !workflow ? t('value.required') : undefined}
        />
        {asked.length > 0 && (
          <VariableFields
            variables={asked}
            values={values}
            onChange={setValues}
            problems={
              isTried
                ? Object.fromEntries(problems.map(({ code, params, field }) => [field ?? '', t(code, params ?? {})]))
                : {}
            }
          />
        )}
        <DialogFoot onClose={onClose} act={t('sessions.action.reroute')} isUnderway={reroute.isPending} />
      </Stack>
    </form>
  );
}
