import { Button, Stack, Title } from '@mantine/core';
import { systemRoutes } from '@pdf2press/contract/calls';
import { IconBell, IconChecks } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../client/call.ts';
import { invalidate, useCall } from '../client/queries.ts';
import { ListRows } from '../frame/list-rows.tsx';
import { Screen, stateOf } from '../frame/screen.tsx';
import { notify } from '../frame/toasts.tsx';
import { formatDay } from '../language/formats.ts';
import { groupNotices, type NoticeGroup } from './group-notices.ts';
import { MutedKinds } from './muted-kinds.tsx';
import { NoticeRow } from './notice-row.tsx';

/** Of more of one kind on one day only the newest are shown at first. */
const shownAtFirst = 3;

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
    <>
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
        <Stack>
          {groupNotices(list.data ?? []).map(({ day, groups }) => (
            <section key={day} className="card" style={{ padding: 20 }} aria-label={formatDay(day)}>
              <Title order={2} size="h4" mb="sm">
                {formatDay(day)}
              </Title>
              <Stack gap="lg">
                {groups.map((group) => (
                  <Grouped key={group.code} group={group} onRead={(id) => read.mutate(id)} />
                ))}
              </Stack>
            </section>
          ))}
        </Stack>
      </Screen>
      <MutedKinds />
    </>
  );
}

function Grouped({ group, onRead }: { group: NoticeGroup; onRead: (id: string) => void }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? group.notices : group.notices.slice(0, shownAtFirst);
  const rest = group.notices.length - shown.length;
  return (
    <div>
      <ListRows>
        {shown.map((notice) => (
          <NoticeRow key={notice.id} notice={notice} onRead={onRead} />
        ))}
      </ListRows>
      {rest > 0 && (
        <Button variant="subtle" size="xs" mt="xs" onClick={() => setOpen(true)}>
          {t('notifications.more', { count: rest })}
        </Button>
      )}
    </div>
  );
}
