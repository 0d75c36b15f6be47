import { Stack, Text } from '@mantine/core';
import { type RouteResult, sftpStages } from '@pdf2press/contract';
import { sftpServerRoutes } from '@pdf2press/contract/calls';
import { useMutation } from '@tanstack/react-query';
import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { call } from '../client/call.ts';
import { ConnectionTest } from '../profiles/connection-test.tsx';
import { TrialStages } from '../profiles/trial-stages.tsx';
import type { ProfileValues } from '../profiles/use-profile-form.ts';

type Trial = RouteResult<typeof sftpServerRoutes.test>;

/** Tries the server with what the form holds now; the key of a server that was not known yet is filled in. */
export function SftpTrial({ form, id }: { form: UseFormReturn<ProfileValues>; id: string | undefined }) {
  const run = useMutation({
    mutationFn: async () => {
      const settings = form.getValues('settings');
      const trial = await call(sftpServerRoutes.test, { body: { settings, ...(id !== undefined && { id }) } });
      const takesKey = trial.failed === null && trial.hostKey !== null && settings.hostKey === '';
      if (takesKey) form.setValue('settings.hostKey', trial.hostKey, { shouldDirty: true, shouldValidate: true });
      return { ...trial, takenKey: takesKey ? trial.hostKey : null };
    },
  });
  return <ConnectionTest run={run}>{run.data && <Outcome {...run.data} />}</ConnectionTest>;
}

function Outcome({ failed, files, takenKey }: Trial & { takenKey: string | null }) {
  const { t } = useTranslation();
  // The sentence of a poll promises that it is tried again.
  const told =
    failed && (failed.code === 'source.unreachable' ? { ...failed, message: t('mailbox.unreachable') } : failed);
  return (
    <Stack gap="xs">
      <TrialStages stages={sftpStages} failed={told} />
      {!failed && files !== null && <Text>{t('sftp.works', { count: files })}</Text>}
      {takenKey && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {t('delivery.keyTaken', { key: takenKey })}
        </Text>
      )}
    </Stack>
  );
}
