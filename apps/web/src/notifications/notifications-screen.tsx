import { Anchor, Button, Group, Text } from '@mantine/core';
import { systemRoutes } from '@pdf2press/contract/calls';
import { IconBell, IconCheck, IconChecks } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { call } from '../client/call.ts';
import { invalidate, useCall } from '../client/queries.ts';
import { Ago } from '../frame/ago.tsx';
import { ListRows } from '../frame/list-rows.tsx';
import { Screen, stateOf } from '../frame/screen.tsx';
import { notify } from '../frame/toasts.tsx';

/** What people said about a session stands in a tab of its own. */
const placeOf = (code: string, sessionId: string): string =>
  `/workflows/session/${sessionId}${code === 'session.mentioned' || code === 'session.assigned' ? '#comments' : ''}`;

export function NotificationsScreen() {
  const { t } = useTranslation();
  const list = useCall(systemRoutes.notifications);
  const read = useMutation({
    mutationFn: (id: string) => call(systemRoutes.markNotificationRead, { params: { id } }),
    onSuccess: () => invalidate(systemRoutes.notifications),
    onError: notify.failure,
  });
  const readAll = useMutation({
    mutationFn: () => call(systemRoutes.markNotificationsRead, {}),
    onSuccess: () => invalidate(systemRoutes.notifications),
    onError: notify.failure,
  });
  const isAnyUnread = list.data?.some(({ isRead }) => !isRead) ?? false;
  return (
    <Screen
      title={t('nav.notifications')}
      actions={
        isAnyUnread && (
          <Button
            variant="default"
            leftSection={<IconChecks size={17} />}
            loading={readAll.isPending}
            onClick={() => readAll.mutate()}
          >
            {t('notifications.markAllRead')}
          </Button>
        )
      }
      state={
        list.data?.length === 0
          ? { kind: 'empty', icon: IconBell, title: t('notifications.empty'), text: t('notifications.emptyText') }
          : stateOf(list)
      }
    >
      <div className="card" style={{ padding: 20 }}>
        <ListRows>
          {list.data?.map((one) => (
            <Group key={one.id} justify="space-between" gap="xs">
              <div style={{ flex: '1 1 220px' }}>
                <Text fw={one.isRead ? 400 : 600}>
                  {typeof one.params.sessionId === 'string' ? (
                    <Anchor component={Link} to={placeOf(one.code, one.params.sessionId)} inherit>
                      {one.message}
                    </Anchor>
                  ) : (
                    one.message
                  )}
                </Text>
                <Text size="sm" c="dimmed">
                  <Ago at={one.at} />
                </Text>
              </div>
              {!one.isRead && (
                <Button
                  style={{ flex: 'none' }}
                  variant="subtle"
                  size="xs"
                  leftSection={<IconCheck size={15} />}
                  onClick={() => read.mutate(one.id)}
                >
                  {t('notifications.markRead')}
                </Button>
              )}
            </Group>
          ))}
        </ListRows>
      </div>
    </Screen>
  );
}
