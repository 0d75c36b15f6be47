import { SimpleGrid, Switch } from '@mantine/core';
import { systemRoutes } from '@pdf2press/contract/calls';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../client/call.ts';
import { invalidate, keyOf, queries, useCall } from '../client/queries.ts';
import { SectionCard } from '../frame/section-card.tsx';
import { notify } from '../frame/toasts.tsx';

/** What the reader is told of: each kind can be switched off. */
export function MutedKinds() {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const { data: kinds } = useCall(systemRoutes.noticeKinds);
  const mute = useMutation({
    mutationFn: (muted: string[]) => call(systemRoutes.muteNotices, { body: { muted } }),
    onSuccess: async (saved) => {
      queries.setQueryData(keyOf(systemRoutes.noticeKinds), saved);
      await invalidate(systemRoutes.notifications);
    },
    onError: notify.failure,
  });
  if (!kinds) return null;
  const muted = kinds.filter(({ isMuted }) => isMuted).map(({ kind }) => kind);
  return (
    <SectionCard
      title={t('notifications.kinds')}
      text={t('notifications.kindsText')}
      fold={{ isOpen, onToggle: () => setOpen(!isOpen) }}
    >
      {isOpen && (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {kinds.map(({ kind, label, isMuted }) => (
            <Switch
              key={kind}
              label={label}
              checked={!isMuted}
              disabled={mute.isPending}
              onChange={() => mute.mutate(isMuted ? muted.filter((one) => one !== kind) : [...muted, kind])}
            />
          ))}
        </SimpleGrid>
      )}
    </SectionCard>
  );
}
