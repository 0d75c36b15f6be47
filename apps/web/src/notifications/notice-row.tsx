import { Anchor, Badge, Button, Group, Text } from '@mantine/core';
import type { RouteResult, routes } from '@pdf2press/contract';
import { IconAlertTriangle, IconCheck, IconInfoCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Ago } from '../frame/ago.tsx';

export type Notice = RouteResult<typeof routes.system.notifications>[number];

const looks = {
  Error: { icon: IconAlertTriangle, color: 'var(--p2p-error)' },
  Warning: { icon: IconAlertTriangle, color: 'var(--p2p-warning)' },
  Info: { icon: IconInfoCircle, color: 'var(--p2p-dimmed)' },
} as const;

/** One notification: what is wrong, what to do about it, since when, and whether it is over. */
export function NoticeRow({ notice, onRead }: { notice: Notice; onRead: (id: string) => void }) {
  const { t } = useTranslation();
  const { message, whatToDo, link, isRead, endedAt } = notice;
  const { icon: Icon, color } = looks[notice.severity];
  return (
    <Group justify="space-between" gap="xs" data-notice={notice.code}>
      <Group gap="sm" align="start" wrap="nowrap" style={{ flex: '1 1 240px' }}>
        <Icon size={19} color={endedAt ? looks.Info.color : color} aria-hidden style={{ flex: 'none' }} />
        <div style={{ minWidth: 0 }}>
          <Text fw={isRead ? 400 : 600} style={{ overflowWrap: 'anywhere' }}>
            {link ? (
              <Anchor component={Link} to={link} inherit>
                {message}
              </Anchor>
            ) : (
              message
            )}
          </Text>
          {whatToDo && !endedAt && <Text size="sm">{whatToDo}</Text>}
          <Text size="sm" c="dimmed" component="div">
            <Ago at={notice.at} />
            {endedAt && (
              <Badge variant="light" color="neutral" size="sm" ms="xs">
                {t('notifications.ended')}
              </Badge>
            )}
          </Text>
        </div>
      </Group>
      {!isRead && (
        <Button
          style={{ flex: 'none' }}
          variant="subtle"
          size="xs"
          leftSection={<IconCheck size={15} />}
          onClick={() => onRead(notice.id)}
        >
          {t('notifications.markRead')}
        </Button>
      )}
    </Group>
  );
}
