import { Anchor, Badge, Button, Group, Stack, Text } from '@mantine/core';
import type { Webhook, WebhookCall } from '@pdf2press/contract';
import { webhookRoutes } from '@pdf2press/contract/calls';
import { IconRefresh } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { call } from '../client/call.ts';
import { invalidate, useCall } from '../client/queries.ts';
import { Ago } from '../frame/ago.tsx';
import { ExportButton } from '../frame/export-button.tsx';
import { ListRows } from '../frame/list-rows.tsx';
import { notify } from '../frame/toasts.tsx';
import { formatTime } from '../language/formats.ts';

const colors: Record<WebhookCall['state'], string> = { waiting: 'info', taken: 'success', failed: 'error' };
const refreshMs = 5_000;

/** The newest calls of a webhook: what of, how they stand, and trying again what was given up. */
export function WebhookCalls({ webhook: { id } }: { webhook: Webhook }) {
  const { t } = useTranslation();
  const { data } = useCall(webhookRoutes.calls, { params: { id } }, { refetchInterval: refreshMs });
  const again = () => invalidate(webhookRoutes.calls);
  const retry = useMutation({
    mutationFn: (callId: string) => call(webhookRoutes.retry, { params: { id, callId } }),
    onSuccess: again,
    onError: notify.failure,
  });
  const retryAll = useMutation({
    mutationFn: () => call(webhookRoutes.retryAll, { params: { id } }),
    onSuccess: again,
    onError: notify.failure,
  });
  if (!data) return null;
  if (data.length === 0) return <Text c="dimmed">{t('webhooks.noCalls')}</Text>;
  return (
    <Stack>
      <Group>
        <ExportButton list={webhookRoutes.calls} params={{ id }} query={{}} />
        {data.some(({ state }) => state === 'failed') && (
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} aria-hidden />}
            loading={retryAll.isPending}
            onClick={() => retryAll.mutate()}
          >
            {t('webhooks.retryAll')}
          </Button>
        )}
      </Group>
      <ListRows>
        {data.map((one) => (
          <Group key={one.id} align="start" wrap="nowrap">
            <Stack gap={2} style={{ flex: 1, minInlineSize: 0, overflowWrap: 'anywhere' }}>
              <Group gap="xs">
                <Text fw={550}>{t(`messageEvent.${one.event}`)}</Text>
                <Badge variant="light" color={colors[one.state]} tt="none" fw={550}>
                  {t(`webhooks.call.${one.state}`)}
                </Badge>
              </Group>
              {one.sessionId === null ? (
                <Text size="sm">{one.subject}</Text>
              ) : (
                <Anchor component={Link} to={`/workflows/session/${one.sessionId}`} size="sm">
                  {one.subject}
                </Anchor>
              )}
              <Text size="sm" c="dimmed">
                <Ago at={one.takenAt ?? one.createdAt} /> · {t('webhooks.tries', { count: one.tries })}
                {one.status !== null && ` · ${one.status}`}
                {one.nextTryAt !== null && ` · ${t('webhooks.nextTry', { time: formatTime(one.nextTryAt) })}`}
              </Text>
              {one.state !== 'taken' && one.lastError !== null && (
                <Text size="sm" c="var(--p2p-error)">
                  {one.lastError}
                </Text>
              )}
            </Stack>
            {one.state === 'failed' && (
              <Button
                variant="default"
                size="xs"
                loading={retry.isPending && retry.variables === one.id}
                onClick={() => retry.mutate(one.id)}
              >
                {t('webhooks.retry')}
              </Button>
            )}
          </Group>
        ))}
      </ListRows>
    </Stack>
  );
}
