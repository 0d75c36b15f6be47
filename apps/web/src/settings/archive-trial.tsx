import { Stack, Text } from '@mantine/core';
import type { ArchivingStage } from '@pdf2press/contract';
import { useTranslation } from 'react-i18next';
import { CallError } from '../client/call-error.ts';
import { TrialStages } from '../profiles/trial-stages.tsx';
import { ConnectionTest } from './connection-test.tsx';

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

/** Tries the archive by a call, and tells how far that came. */
export function ArchiveTest({ test }: { test: () => Promise<unknown> }) {
  const { t } = useTranslation();
  return (
    <ConnectionTest label={t('settings.testArchive')} test={test} told={(error) => <ArchiveTrial error={error} />} />
  );
}
