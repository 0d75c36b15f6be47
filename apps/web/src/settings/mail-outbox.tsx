import { Accordion, Button, Group, Text } from '@mantine/core';
import { systemRoutes } from '@pdf2press/contract/calls';
import { IconRefresh } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../client/call.ts';
import { invalidate, useCall } from '../client/queries.ts';
import { Ago } from '../frame/ago.tsx';
import { ListRows } from '../frame/list-rows.tsx';
import { SectionCard } from '../frame/section-card.tsx';
import { notify } from '../frame/toasts.tsx';

/** Undelivered messages; those given up can be retried. */
function OpenMail() {
  const { t } = useTranslation();
  const { data = [] } = useCall(systemRoutes.openMail);
  const retry = useMutation({
    mutationFn: (id: string) => call(systemRoutes.retryMail, { params: { id } }),
    onSuccess: () => invalidate(systemRoutes.openMail),
    onError: notify.failure,
  });
  if (data.length === 0) return null;
  return (
    <SectionCard title={t('settings.openMail')} text={t('settings.openMailText')}>
      <ListRows>
        {data.map((one) => (
          <Group key={one.id} wrap="nowrap" justify="space-between">
            <div>
              <Text>
                {one.to} · {t(one.isDead ? 'settings.mailDead' : 'settings.mailWaits', { count: one.attempts })}
              </Text>
              <Text size="sm" c="dimmed">
                <Ago at={one.createdAt} /> {one.lastError}
              </Text>
            </div>
            {one.isDead && (
              <Button
                variant="subtle"
                size="xs"
                leftSection={<IconRefresh size={15} />}
                loading={retry.isPending}
                onClick={() => retry.mutate(one.id)}
              >
                {t('settings.mailRetry')}
              </Button>
            )}
          </Group>
        ))}
      </ListRows>
    </SectionCard>
  );
}

/** Messages that were stored because no mail server is configured. */
function KeptMail() {
  const { t } = useTranslation();
  const { data = [] } = useCall(systemRoutes.keptMail);
  if (data.length === 0) return null;
  return (
    <SectionCard title={t('settings.keptMail')} text={t('settings.keptMailText')}>
      <Accordion variant="contained">
        {data.map((one) => (
          <Accordion.Item key={one.id} value={one.id}>
            <Accordion.Control>
              <Text>{one.subject}</Text>
              <Text size="sm" c="dimmed">
                {one.to} · <Ago at={one.at} />
              </Text>
            </Accordion.Control>
            <Accordion.Panel>
              <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{one.text}</Text>
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </SectionCard>
  );
}

/** Undelivered and stored messages, below the settings of the mail server. */
export const MailOutbox = () => (
  <>
    <OpenMail />
    <KeptMail />
  </>
);
