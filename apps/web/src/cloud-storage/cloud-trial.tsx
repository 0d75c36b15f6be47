import { Stack, Text } from '@mantine/core';
import { cloudStages } from '@pdf2press/contract';
import { cloudStorageRoutes } from '@pdf2press/contract/calls';
import { useMutation } from '@tanstack/react-query';
import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { call } from '../client/call.ts';
import { ConnectionTest } from '../profiles/connection-test.tsx';
import { TrialStages } from '../profiles/trial-stages.tsx';
import type { ProfileValues } from '../profiles/use-profile-form.ts';

/** Tries the connection with the folders that the form holds now, and shows how far it came. */
export function CloudTrial({ form, id }: { form: UseFormReturn<ProfileValues>; id: string | undefined }) {
  const { t } = useTranslation();
  const run = useMutation({
    mutationFn: () => {
      const settings = form.getValues('settings');
      return call(cloudStorageRoutes.test, { body: { settings, ...(id !== undefined && { id }) } });
    },
  });
  return (
    <ConnectionTest run={run}>
      {run.data && (
        <Stack gap="xs">
          <TrialStages stages={cloudStages} failed={run.data.failed} />
          {!run.data.failed && <Text>{t('cloud.testWorks')}</Text>}
        </Stack>
      )}
    </ConnectionTest>
  );
}
