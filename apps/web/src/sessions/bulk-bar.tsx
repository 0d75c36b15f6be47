import { Button, Group, Text } from '@mantine/core';
import type { SessionListItem } from '@pdf2press/contract';
import { useTranslation } from 'react-i18next';
import { actionIcons, actOnSessions, isDangerous, useSessionActions } from './session-actions.ts';
import classes from './sessions.module.css';

/** Takes the filters' place while rows are ticked. */
export function BulkBar({ sessions, onClear }: { sessions: readonly SessionListItem[]; onClear: () => void }) {
  const { t } = useTranslation();
  const actionsOf = useSessionActions();
  return (
    <Group className={classes.bulk} gap="xs" role="toolbar" aria-label={t('list.bulk')}>
      <Text fw={600} me="xs">
        {t('list.selected', { count: sessions.length })}
      </Text>
      {actionsOf(sessions).map(({ action, refusal }) => {
        const Icon = actionIcons[action];
        return (
          <Button
            key={action}
            variant="default"
            size="xs"
            color={isDangerous(action) ? 'error' : 'brand'}
            leftSection={<Icon size={15} />}
            disabled={refusal !== null}
            title={refusal ?? undefined}
            onClick={async () => {
              if (await actOnSessions(t, action, sessions)) onClear();
            }}
          >
            {t(`sessions.action.${action}`)}
          </Button>
        );
      })}
      <Button variant="subtle" size="xs" ms="auto" onClick={onClear}>
        {t('list.unselect')}
      </Button>
    </Group>
  );
}
