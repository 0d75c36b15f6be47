import { Checkbox, SimpleGrid, Stack, Switch } from '@mantine/core';
import type { RouteResult, routes } from '@pdf2press/contract';
import { systemRoutes } from '@pdf2press/contract/calls';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../client/call.ts';
import { invalidate, keyOf, queries, useCall } from '../client/queries.ts';
import { SectionCard } from '../frame/section-card.tsx';
import { notify } from '../frame/toasts.tsx';

type NoticeKindChoice = RouteResult<typeof routes.system.noticeKinds>[number];

/** What the reader is told of: each kind can be switched off, or come by e-mail as well. */
export function MutedKinds() {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const { data: kinds } = useCall(systemRoutes.noticeKinds);
  const choose = useMutation({
    mutationFn: (body: { muted: string[]; mailed: string[] }) => call(systemRoutes.muteNotices, { body }),
    onSuccess: async (saved) => {
      queries.setQueryData(keyOf(systemRoutes.noticeKinds), saved);
      await invalidate(systemRoutes.notifications);
    },
    onError: notify.failure,
  });
  if (!kinds) return null;
  /** Chooses anew for one kind; the others stay as they are. */
  const change = (kind: string, next: Partial<Pick<NoticeKindChoice, 'isMuted' | 'isMailed'>>) => {
    const changed = kinds.map((one) => (one.kind === kind ? { ...one, ...next } : one));
    const named = (is: (one: NoticeKindChoice) => boolean) => changed.filter(is).map((one) => one.kind);
    choose.mutate({ muted: named(({ isMuted }) => isMuted), mailed: named(({ isMailed }) => isMailed) });
  };
  return (
    <SectionCard
      title={t('notifications.kinds')}
      text={t('notifications.kindsText')}
      fold={{ isOpen, onToggle: () => setOpen(!isOpen) }}
    >
      {isOpen && (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {kinds.map(({ kind, label, isMuted, isMailed }) => (
            <Stack key={kind} gap={4}>
              <Switch
                label={label}
                checked={!isMuted}
                disabled={choose.isPending}
                onChange={() => change(kind, { isMuted: !isMuted })}
              />
              <Checkbox
                ms={50}
                size="xs"
                label={t('notifications.byMail')}
                aria-label={t('notifications.byMailOf', { kind: label })}
                checked={isMailed && !isMuted}
                disabled={choose.isPending || isMuted}
                onChange={() => change(kind, { isMailed: !isMailed })}
              />
            </Stack>
          ))}
        </SimpleGrid>
      )}
    </SectionCard>
  );
}
