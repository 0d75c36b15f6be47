import { Button, Group } from '@mantine/core';
import { type ChatHook, chatHookSchema, type Locale, type MessageEvent } from '@pdf2press/contract';
import { communicationProfileRoutes } from '@pdf2press/contract/calls';
import { communicationProfileSchema } from '@pdf2press/steps/communication-profile';
import { IconSend } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../client/call.ts';
import { notify } from '../frame/toasts.tsx';

interface Props {
  settings: Record<string, unknown>;
  event: MessageEvent;
  locale: Locale;
}

/** A channel whose address is kept: what its test is sent with, and its name. */
interface Channel {
  id: string;
  name: string;
  hook?: ChatHook;
}

/** The channels of a form that may be half filled in. */
function readyChannels({ hooks = [], webhooks = [] }: Props['settings']): Channel[] {
  const rows = (list: unknown) => (Array.isArray(list) ? (list as { name?: string; secretId?: string }[]) : []);
  return [
    ...rows(hooks).flatMap((row) => {
      const hook = chatHookSchema.safeParse(row).data;
      return hook ? [{ id: hook.secretId, name: row.name ?? '', hook }] : [];
    }),
    ...rows(webhooks).flatMap(({ name = '', secretId = '' }) =>
      name !== '' && secretId !== '' ? [{ id: secretId, name }] : [],
    ),
  ];
}

/** A button for each channel whose address is kept: the message of the open event is written there at once. */
export function ChannelTests({ settings, event, locale }: Props) {
  const { t } = useTranslation();
  const drawn = { settings, event, locale };
  const test = useMutation({
    mutationFn: ({ name, hook }: Channel) =>
      hook
        ? call(communicationProfileRoutes.testHook, { body: { ...drawn, hook } })
        : call(communicationProfileRoutes.testWebhook, { body: { ...drawn, name } }),
    onSuccess: (_, { name }) => notify.success(t('communication.channelTested', { name })),
    onError: notify.failure,
  });
  const channels = readyChannels(settings);
  if (channels.length === 0) return null;
  const isComplete = communicationProfileSchema.safeParse(settings).success;
  return (
    <Group gap="xs" mt="sm">
      {channels.map((channel) => (
        <Button
          key={channel.id}
          size="xs"
          variant="default"
          leftSection={<IconSend size={15} aria-hidden />}
          disabled={!isComplete}
          loading={test.isPending && test.variables.id === channel.id}
          onClick={() => test.mutate(channel)}
        >
          {t('communication.channelTest', { name: channel.name })}
        </Button>
      ))}
    </Group>
  );
}
