import { SimpleGrid, Stack } from '@mantine/core';
import type { SystemSettings } from '@pdf2press/contract';
import { systemRoutes } from '@pdf2press/contract/calls';
import { useFormContext } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { call } from '../client/call.ts';
import { SectionCard } from '../frame/section-card.tsx';
import { ArchiveTest } from './archive-trial.tsx';
import { FlagField, SecretField, TextField } from './setting-fields.tsx';

export function ArchivingSettings() {
  const { t } = useTranslation();
  const { getValues } = useFormContext<SystemSettings>();
  return (
    <SectionCard title={t('settings.archive')} text={t('settings.archiveText')}>
      <Stack>
        <FlagField name="archivingSettings.enabled" />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextField name="archivingSettings.config.bucketName" isToldAtOnce />
          <TextField name="archivingSettings.config.region" isToldAtOnce />
          <TextField name="archivingSettings.config.accessKey" />
          <SecretField name="archivingSettings.config.secretKey" />
        </SimpleGrid>
        <ArchiveTest test={() => call(systemRoutes.testArchiving, { body: getValues('archivingSettings.config') })} />
        <FlagField name="archivingSettings.enableNotification" />
        <TextField name="archivingSettings.emailRecipient" />
      </Stack>
    </SectionCard>
  );
}
