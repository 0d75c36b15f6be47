import { List, Text, ThemeIcon } from '@mantine/core';
import type { ArchivingStage, CloudStage, DeliveryStage, MailboxStage, SftpStage } from '@pdf2press/contract';
import { IconCheck, IconMinus, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

type Stage = MailboxStage | CloudStage | DeliveryStage | ArchivingStage | SftpStage;
type Outcome = 'Done' | 'Failed' | 'Open';

const looks = {
  Done: { icon: IconCheck, color: 'success' },
  Failed: { icon: IconX, color: 'error' },
  Open: { icon: IconMinus, color: 'neutral' },
} as const;

function outcomeOf(stage: Stage, stages: readonly Stage[], failed: Stage | null): Outcome {
  if (failed === null || stages.indexOf(stage) < stages.indexOf(failed)) return 'Done';
  return stage === failed ? 'Failed' : 'Open';
}

/** How far the trial of a connection came: its stages in their order, and why it ended. */
export function TrialStages({
  stages,
  failed,
}: {
  stages: readonly Stage[];
  failed: { stage: Stage; message: string } | null;
}) {
  const { t } = useTranslation();
  return (
    <List spacing={4} center aria-label={t('connection.stages')} listStyleType="none">
      {stages.map((stage) => {
        const outcome = outcomeOf(stage, stages, failed?.stage ?? null);
        const { icon: Icon, color } = looks[outcome];
        return (
          <List.Item
            key={stage}
            icon={
              <ThemeIcon color={color} size={20} radius="xl" variant="light">
                <Icon size={14} aria-hidden />
              </ThemeIcon>
            }
          >
            {t(`connection.stage.${stage}`)}: {t(`connection.${outcome}`)}
            {failed?.stage === stage && (
              // The key of a server has no blank to break at.
              <Text size="sm" c="var(--p2p-error)" style={{ overflowWrap: 'anywhere' }}>
                {failed.message}
              </Text>
            )}
          </List.Item>
        );
      })}
    </List>
  );
}
