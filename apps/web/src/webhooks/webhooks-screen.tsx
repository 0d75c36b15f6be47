import { Badge, Button, Modal, Text } from '@mantine/core';
import type { Webhook } from '@pdf2press/contract';
import { webhookRoutes } from '@pdf2press/contract/calls';
import { IconEdit, IconKey, IconList, IconPlus, IconSend, IconTrash, IconWebhook } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../client/call.ts';
import { invalidate, useCall } from '../client/queries.ts';
import { confirm } from '../frame/confirm.ts';
import { type DataColumn, DataTable } from '../frame/data-table.tsx';
import type { MenuAct } from '../frame/menu-entry.ts';
import { RowMenu } from '../frame/row-menu.tsx';
import { Screen, type ScreenState, stateOf } from '../frame/screen.tsx';
import { notify } from '../frame/toasts.tsx';
import { formatTime } from '../language/formats.ts';
import { RotateSecret } from './rotate-secret.tsx';
import { WebhookCalls } from './webhook-calls.tsx';
import { WebhookForm } from './webhook-form.tsx';

/** What a dialog is open for; `webhook` is null of a new one. */
type Opened = { kind: 'edit'; webhook: Webhook | null } | { kind: 'rotate' | 'calls'; webhook: Webhook };

/** The addresses that are called about events of every session. */
export function WebhooksScreen() {
  const { t } = useTranslation();
  const query = useCall(webhookRoutes.list);
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = () => setOpened(null);
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setOpened({ kind: 'edit', webhook: null })}>
      {t('webhooks.new')}
    </Button>
  );
  const isEmpty = query.data?.length === 0;
  const empty: ScreenState = {
    kind: 'empty',
    icon: IconWebhook,
    title: t('webhooks.empty'),
    text: t('webhooks.text'),
    action: add,
  };
  const actsOf = (webhook: Webhook): MenuAct[] => [
    { label: t('common.edit'), icon: IconEdit, act: () => setOpened({ kind: 'edit', webhook }) },
    { label: t('webhooks.calls'), icon: IconList, act: () => setOpened({ kind: 'calls', webhook }) },
    { label: t('webhooks.test'), icon: IconSend, act: () => void test(webhook, t) },
    { label: t('webhooks.rotate'), icon: IconKey, act: () => setOpened({ kind: 'rotate', webhook }) },
    { label: t('common.delete'), icon: IconTrash, isDangerous: true, act: () => void remove(webhook, t) },
  ];
  return (
    <>
      <Screen title={t('nav.webhooks')} actions={!isEmpty && add} state={isEmpty ? empty : stateOf(query)}>
        <Text c="dimmed" mb="md">
          {t('webhooks.text')}
        </Text>
        <DataTable<Webhook>
          label={t('nav.webhooks')}
          rows={query.data ?? []}
          idOf={({ id }) => id}
          name={{ label: t('field.name'), of: ({ name }) => name, below: ({ url }) => url }}
          columns={columnsOf(t)}
          actions={{
            label: t('list.actions'),
            of: (webhook) => <RowMenu name={webhook.name} acts={actsOf(webhook)} />,
          }}
        />
      </Screen>
      <Modal
        opened={opened !== null}
        onClose={close}
        title={opened && titleOf(opened, t)}
        size="lg"
        closeButtonProps={{ 'aria-label': t('common.close') }}
      >
        {opened?.kind === 'edit' && <WebhookForm webhook={opened.webhook} onClose={close} />}
        {opened?.kind === 'rotate' && <RotateSecret webhook={opened.webhook} onClose={close} />}
        {opened?.kind === 'calls' && <WebhookCalls webhook={opened.webhook} />}
      </Modal>
    </>
  );
}

const titleOf = ({ kind, webhook }: Opened, t: TFunction): string => {
  if (!webhook) return t('webhooks.new');
  const { name } = webhook;
  if (kind === 'edit') return name;
  return t(kind === 'rotate' ? 'webhooks.rotateOf' : 'webhooks.callsOf', { name });
};

/** Calls the address once and says how it went. */
async function test({ id, name }: Webhook, t: TFunction): Promise<void> {
  try {
    await call(webhookRoutes.test, { params: { id } });
    notify.success(t('webhooks.tested', { name }));
  } catch (error) {
    notify.failure(error);
  }
}

/** Removes a webhook after a question. */
async function remove({ id, name }: Webhook, t: TFunction): Promise<void> {
  const isSure = await confirm({
    title: t('webhooks.removeTitle', { name }),
    text: t('webhooks.removeText'),
    act: t('common.delete'),
    isDangerous: true,
  });
  if (!isSure) return;
  try {
    await call(webhookRoutes.remove, { params: { id } });
    notify.success(t('common.deleted', { name }));
  } catch (error) {
    notify.failure(error);
  }
  await invalidate(webhookRoutes.list);
}

const standings = { off: 'neutral', disabled: 'error', failing: 'warning', on: 'success' } as const;

function standingOf({ isOn, disabledAt, failures }: Webhook): keyof typeof standings {
  if (!isOn) return disabledAt === null ? 'off' : 'disabled';
  return failures > 0 ? 'failing' : 'on';
}

const columnsOf = (t: TFunction): readonly DataColumn<Webhook>[] => [
  {
    key: 'state',
    label: t('webhooks.state'),
    cell: (webhook) => {
      const standing = standingOf(webhook);
      return (
        <Badge variant="light" color={standings[standing]} tt="none" fw={550}>
          {t(`webhooks.state.${standing}`)}
        </Badge>
      );
    },
  },
  {
    key: 'events',
    label: t('webhooks.events'),
    isExtra: true,
    cell: ({ events }) => t('webhooks.eventCount', { count: events.length }),
  },
  {
    key: 'secret',
    label: t('webhooks.secret'),
    isExtra: true,
    cell: ({ oldSecretUntil }) =>
      oldSecretUntil && (
        <Text size="sm" c="dimmed">
          {t('webhooks.oldUntil', { time: formatTime(oldSecretUntil) })}
        </Text>
      ),
  },
];
