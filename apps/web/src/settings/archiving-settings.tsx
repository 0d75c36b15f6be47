import { SimpleGrid, Stack, Text } from '@mantine/core';
import type { ArchivingStage, SystemSettings } from '@pdf2press/contract';
import { systemRoutes } from '@pdf2press/contract/calls';
import { useFormContext } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { call } from '../client/call.ts';
import { CallError } from '../client/call-error.ts';
import { SectionCard } from '../frame/section-card.tsx';
import { TrialStages } from '../profiles/trial-stages.tsx';
import { ConnectionTest } from './connection-test.tsx';
import { FlagField, SecretField, TextField } from './setting-fields.tsx';

export function ArchivingSettings() {
  const { t } = useTranslation();
  const { getValues } = useFormContext<SystemSettings>();
  return (
    <SectionCard title={t('settings.archive')} text={t('settings.archiveText')}>
      <Stack>
        <FlagField name="archivingSettings.enabled" label={t('settings.archiveOn')} />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextField name="archivingSettings.config.bucketName" label={t('settings.bucket')} />
          <TextField name="archivingSettings.config.region" label={t('settings.s3Region')} />
          <TextField name="archivingSettings.config.accessKey" label={t('settings.accessKey')} />
          <SecretField name="archivingSettings.config.secretKey" label={t('settings.secretKey')} />
        </SimpleGrid>
        <ConnectionTest
          label={t('settings.testArchive')}
          test={() => call(systemRoutes.testArchiving, { body: getValues('archivingSettings.config') })}
          told={(error) => <ArchiveTrial error={error} />}
        />
        <FlagField name="archivingSettings.enableNotification" label={t('settings.archiveNotify')} />
        <TextField name="archivingSettings.emailRecipient" label={t('settings.archiveRecipient')} />
      </Stack>
    </SectionCard>
  );
}

const stages = ['setUp', 'write', 'readBack', 'remove'] as const satisfies readonly ArchivingStage[];

/** How far the test of the archive came, and what it is called when it failed. */
function ArchiveTrial({ error }: { error: Error | null }) {
  const { t } = useTranslation();
  const failure =
    error instanceof CallError ? error.errors.find(({ code }) => code === 'archiving.connectionFailed') : undefined;
  const stage = stages.find((one) => one === failure?.params?.stage);
  if (error && !stage) return null;
  return (
    <Stack gap="xs" mt="sm">
      {stage && <Text fw={600}>{t('settings.archiveFailed')}</Text>}
      <TrialStages stages={stages} failed={stage ? { stage, message: t(`settings.archiveAt.${stage}`) } : null} />
    </Stack>
  );
}
