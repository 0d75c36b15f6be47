import { Button, Group, Text } from '@mantine/core';
import type { SessionListItem } from '@pdf2press/contract';
import { useTranslation } from 'react-i18next';
import { ActionButton } from './action-button.tsx';
import { actOnRows, type RowAction, rowActions, useSessionActions } from './session-actions.ts';
import classes from './sessions.module.css';

/** Bulk actions, shown in place of the filters while rows are ticked. */
export function BulkBar({ sessions, onClear }: { sessions: readonly SessionListItem[]; onClear: () => void }) {
  const { t } = useTranslation();
  const actionsOf = useSessionActions(rowActions);
  return (
    <Group className={classes.bulk} gap="xs" role="toolbar" aria-label={t('list.bulk')}>
      <Text fw={600} me="xs" className={classes.bulkCount}>
        {t('list.selected', { count: sessions.length })}
      </Text>
      {actionsOf(sessions).map((offer) => (
        <ActionButton
          key={offer.action}
          offer={offer}
          size="xs"
          onAct={async (action) => {
            if (await actOnRows(t, action as RowAction, sessions)) onClear();
          }}
        />
      ))}
      <Button variant="subtle" size="xs" ms="auto" onClick={onClear}>
        {t('list.unselect')}
      </Button>
    </Group>
  );
}
