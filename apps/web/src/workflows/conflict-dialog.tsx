import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { Workflow } from '@pdf2press/contract';
import { useTranslation } from 'react-i18next';
import { useBuilt } from './builder-store.ts';
import { DifferencesList } from './differences-list.tsx';
import type { Saving } from './saving.ts';
import { draftDifferences } from './workflow-differences.ts';

/** Somebody else saved in between: whose is to stay, with what differs. Nothing is lost before one has chosen. */
export function ConflictDialog({ saving, theirs }: { saving: Saving; theirs: Workflow }) {
  const { t } = useTranslation();
  const mine = useBuilt((state) => state.history.present);
  return (
    <Modal
      opened
      onClose={saving.closeConflict}
      title={t('builder.conflictTitle')}
      size="lg"
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Stack>
        <Text size="sm">{t('builder.conflictText')}</Text>
        <div>
          <Text fw={600} mb={4}>
            {t('builder.mineAgainstTheirs')}
          </Text>
          <DifferencesList differences={draftDifferences(theirs, mine)} />
        </div>
        <Group justify="end">
          <Button variant="default" onClick={saving.closeConflict}>
            {t('common.cancel')}
          </Button>
          <Button variant="default" onClick={saving.takeTheirs}>
            {t('builder.takeTheirs')}
          </Button>
          <Button onClick={() => void saving.keepMine()}>{t('builder.keepMine')}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
