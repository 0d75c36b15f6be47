import { Stack, Text } from '@mantine/core';
import { deliveryTargetRoutes } from '@pdf2press/contract/calls';
import { useMutation } from '@tanstack/react-query';
import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { call } from '../client/call.ts';
import { ConnectionTest } from '../profiles/connection-test.tsx';
import { TrialStages } from '../profiles/trial-stages.tsx';
import type { ProfileValues } from '../profiles/use-profile-form.ts';

/** Tries the target with what the form holds now; the key of a server that was not known yet is filled in. */
export function TargetTrial({
  form,
  id,
  works,
}: {
  form: UseFormReturn<ProfileValues>;
  id: string | undefined;
  /** What a trial that went well says of this kind, where that is more than usual. */
  works: string | undefined;
}) {
  const { t } = useTranslation();
  const run = useMutation({
    mutationFn: async () => {
      const settings = form.getValues('settings');
      const trial = await call(deliveryTargetRoutes.test, { body: { settings, ...(id !== undefined && { id }) } });
      const takesKey = trial.failed === null && trial.hostKey !== null && settings.hostKey === '';
      if (takesKey) form.setValue('settings.hostKey', trial.hostKey, { shouldDirty: true, shouldValidate: true });
      return { ...trial, takenKey: takesKey ? trial.hostKey : null };
    },
  });
  return (
    <ConnectionTest run={run}>
      {run.data && (
        <Stack gap="xs">
          <TrialStages stages={run.data.stages} failed={run.data.failed} />
          {!run.data.failed && <Text>{works ?? t('delivery.works')}</Text>}
          {run.data.takenKey && (
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {t('delivery.keyTaken', { key: run.data.takenKey })}
            </Text>
          )}
        </Stack>
      )}
    </ConnectionTest>
  );
}
