import { Accordion, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { isFinal, type Session, type SessionMessage } from '@pdf2press/contract';
import { sessionMessageRoutes } from '@pdf2press/contract/calls';
import { IconRefresh } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useMay } from '../account/use-me.ts';
import { call } from '../client/call.ts';
import { invalidate, useCall } from '../client/queries.ts';
import { Ago } from '../frame/ago.tsx';
import { notify } from '../frame/toasts.tsx';
import { formatTime } from '../language/formats.ts';

const colors: Record<SessionMessage['state'], string> = {
  waiting: 'info',
  sent: 'success',
  kept: 'neutral',
  unwanted: 'neutral',
  failed: 'error',
};
/** Messages are written a moment after their cause, and sent after that; later on only people cause more. */
const refreshMs = { soon: 3_000, later: 20_000 };

/** What was written to whom about the session, as it was sent, and what became of it. */
export function MessagesPanel({ session }: { session: Session }) {
  const { t } = useTranslation();
  const { data } = useCall(
    sessionMessageRoutes.list,
    { params: { id: session.id } },
    {
      refetchInterval: ({ state }) =>
        !isFinal(session.status) || state.data?.some((message) => message.state === 'waiting')
          ? refreshMs.soon
          : refreshMs.later,
    },
  );
  if (!data) return null;
  if (data.length === 0)
    return (
      <Text c="dimmed" p="md">
        {t('session.messages.none')}
      </Text>
    );
  return (
    <Accordion variant="default" order={3}>
      {data.map((message) => (
        <Accordion.Item key={message.id} value={message.id}>
          <Accordion.Control>
            <Stack gap={4}>
              <Text fw={550} style={{ overflowWrap: 'anywhere' }}>
                {message.subject}
              </Text>
              <Text size="sm" c="dimmed" truncate>
                {message.channel === 'mail'
                  ? message.to
                  : t(`session.messages.channel.${message.channel}`, { name: message.to })}
              </Text>
              <Group gap="xs">
                <Badge variant="light" color={colors[message.state]} tt="none" fw={550}>
                  {t(`session.messages.state.${message.state}`)}
                </Badge>
                <Text size="sm" c="dimmed">
                  {message.waitsUntil ? (
                    t('session.messages.waitsUntil', { time: formatTime(message.waitsUntil) })
                  ) : (
                    <Ago at={message.sentAt ?? message.createdAt} />
                  )}
                </Text>
              </Group>
            </Stack>
          </Accordion.Control>
          <Accordion.Panel>
            <MessageBody sessionId={session.id} message={message} />
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}

function MessageBody({ sessionId, message }: { sessionId: string; message: SessionMessage }) {
  const { t } = useTranslation();
  const may = useMay();
  const retry = useMutation({
    mutationFn: () => call(sessionMessageRoutes.retry, { params: { id: sessionId, messageId: message.id } }),
    onSuccess: async () => {
      notify.success(t('session.messages.retried'));
      await invalidate(sessionMessageRoutes.list);
    },
    onError: notify.failure,
  });
  const { event, state, tries, lastError } = message;
  return (
    <Stack gap="sm">
      {event && (
        <Text size="sm" c="dimmed">
          {t(`messageEvent.${event}`)}
        </Text>
      )}
      {lastError && state !== 'sent' && (
        <Text size="sm" c="var(--p2p-error)">
          {lastError} · {t('session.messages.tries', { count: tries })}
        </Text>
      )}
      <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{message.text}</Text>
      {state === 'failed' && may('sessions.restart') && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconRefresh size={15} aria-hidden />}
          loading={retry.isPending}
          style={{ justifySelf: 'start', alignSelf: 'start' }}
          onClick={() => retry.mutate()}
        >
          {t('session.messages.retry')}
        </Button>
      )}
    </Stack>
  );
}
