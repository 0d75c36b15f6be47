import { Button, Group, Text } from '@mantine/core';
import { systemRoutes } from '@pdf2press/contract/calls';
import { IconBell, IconCheck } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../client/call.ts';
import { invalidate, useCall } from '../client/queries.ts';
import { Ago } from '../frame/ago.tsx';
import { ListRows } from '../frame/list-rows.tsx';
import { Screen, stateOf } from '../frame/screen.tsx';
import { notify } from '../frame/toasts.tsx';

export function NotificationsScreen() {
  const { t } = useTranslation();
  const list = useCall(systemRoutes.notifications);
  const read = useMutation({
    mutationFn: (id: string) => call(systemRoutes.markNotificationRead, { params: { id } }),
    onSuccess: () => invalidate(systemRoutes.notifications),
    onError: notify.failure,
  });
  return (
    <Screen
      title={t('nav.notifications')}
      state={
        list.data?.length === 0
          ? { kind: 'empty', icon: IconBell, title: t('notifications.empty'), text: t('notifications.emptyText') }
          : stateOf(list)
      }
    >
      <div className="card" style={{ padding: 20 }}>
        <ListRows>
          {list.data?.map((one) => (
            <Group key={one.id} wrap="nowrap" justify="space-between">
              <div>
                <Text fw={one.isRead ? 400 : 600}>{one.message}</Text>
                <Text size="sm" c="dimmed">
                  <Ago at={one.at} />
                </Text>
              </div>
              {!one.isRead && (
                <Button
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
