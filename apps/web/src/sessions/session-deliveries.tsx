import { ActionIcon, Group, Text, Title, Tooltip } from '@mantine/core';
import type { Session, SessionDelivery } from '@pdf2press/contract';
import { deliveryRoutes } from '@pdf2press/contract/calls';
import { IconCircleCheck, IconClock, IconSend, IconX } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useMay } from '../account/use-me.ts';
import { call } from '../client/call.ts';
import { invalidate, useCall } from '../client/queries.ts';
import { Ago } from '../frame/ago.tsx';
import { confirm } from '../frame/confirm.ts';
import { ListRows } from '../frame/list-rows.tsx';
import { notify } from '../frame/toasts.tsx';
import { formatDue } from '../language/formats.ts';
import { type Look, StatusIcon } from './status.tsx';

const looks: Record<SessionDelivery['state'], Look> = {
  Waiting: { tone: 'info', icon: IconClock },
  Delivered: { tone: 'success', icon: IconCircleCheck },
  GivenUp: { tone: 'error', icon: IconX },
};

/** What is under way is read again: a try that fails is no event of the session. Milliseconds. */
const readAgainMilliseconds = 5_000;

/** Where the session's files went, and what did not arrive. Nothing for a session that delivers nothing. */
export function SessionDeliveries({ session }: { session: Session }) {
  const { t } = useTranslation();
  const { data = [] } = useCall(
    deliveryRoutes.ofSession,
    { params: { id: session.id } },
    {
      enabled: !session.isDeleted,
      refetchInterval: ({ state }) =>
        state.data?.some((delivery) => delivery.state === 'Waiting') ? readAgainMilliseconds : false,
    },
  );
  if (data.length === 0) return null;
  return (
    <section aria-labelledby="session-deliveries">
      <Title order={3} size="h5" mt="md" mb="xs" id="session-deliveries">
        {t('session.deliveries')}
      </Title>
      <ListRows>
        {data.map((delivery) => (
          <OneDelivery key={delivery.id} session={session} delivery={delivery} />
        ))}
      </ListRows>
    </section>
  );
}

function OneDelivery({ session, delivery }: { session: Session; delivery: SessionDelivery }) {
  const { t } = useTranslation();
  const may = useMay();
  const { id, fileName, target, state, address, problem, nextTryAt, createdAt, deliveredAt } = delivery;
  const resend = useMutation({
    mutationFn: () => call(deliveryRoutes.resend, { params: { id: session.id, deliveryId: id } }),
    onSuccess: () => notify.success(t('session.delivery.asked', { name: fileName })),
    onError: (error) => notify.failure(error),
    onSettled: () => invalidate(deliveryRoutes.ofSession),
  });
  const ask = async () => {
    const isSure =
      state === 'GivenUp' ||
      (await confirm({
        title: t('session.delivery.againTitle', { name: fileName }),
        text: t('session.delivery.againText'),
        act: t('session.delivery.againAct'),
      }));
    if (isSure) resend.mutate();
  };
  const mayResend = may('sessions.restart') && state !== 'Waiting';
  return (
    <Group wrap="nowrap" gap="sm" align="flex-start">
      <StatusIcon look={looks[state]} size={20} />
      <div style={{ flex: 1, minInlineSize: 0 }}>
        <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
          {address ?? fileName}
        </Text>
        <Text size="xs" c="dimmed">
          {t(`session.delivery.${state}`)} · {target?.name ?? t('session.delivery.gone')} ·{' '}
          <Ago at={deliveredAt ?? createdAt} />
        </Text>
        {problem && (
          <Text size="sm" c={state === 'GivenUp' ? 'var(--p2p-error)' : 'dimmed'}>
            {problem.message}
          </Text>
        )}
        {nextTryAt && (
          <Text size="xs" c="dimmed">
            {t('session.delivery.nextTry', { when: formatDue(nextTryAt) })}
          </Text>
        )}
      </div>
      {mayResend && (
        <Tooltip label={t('session.delivery.againAct')}>
          <ActionIcon
            variant="subtle"
            loading={resend.isPending}
            aria-label={t('session.delivery.again', { name: fileName })}
            onClick={() => void ask()}
          >
            <IconSend size={18} />
          </ActionIcon>
        </Tooltip>
      )}
    </Group>
  );
}
