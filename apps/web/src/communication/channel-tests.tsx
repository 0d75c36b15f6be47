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

/** The hooks of a form that may be half filled in. */
function readyHooks(settings: Props['settings']): (ChatHook & { name: string })[] {
  const rows = Array.isArray(settings.hooks) ? (settings.hooks as { name?: string }[]) : [];
  return rows.flatMap((row) => {
    const hook = chatHookSchema.safeParse(row).data;
    return hook ? [{ ...hook, name: row.name ?? '' }] : [];
  });
}

/** A button for each channel whose address is kept: the message of the open event is written there at once. */
export function ChannelTests({ settings, event, locale }: Props) {
  const { t } = useTranslation();
  const test = useMutation({
    mutationFn: ({ format, secretId }: ChatHook & { name: string }) =>
      call(communicationProfileRoutes.testHook, {
        body: { settings, event, locale, hook: { format, secretId } },
      }),
    onSuccess: (_, { name }) => notify.success(t('communication.channelTested', { name })),
    onError: notify.failure,
  });
  const hooks = readyHooks(settings);
  if (hooks.length === 0) return null;
  const isComplete = communicationProfileSchema.safeParse(settings).success;
  return (
    <Group gap="xs" mt="sm">
      {hooks.map((hook) => (
        <Button
          key={hook.secretId}
          size="xs"
          variant="default"
          leftSection={<IconSend size={15} aria-hidden />}
          disabled={!isComplete}
          loading={test.isPending && test.variables.secretId === hook.secretId}
          onClick={() => test.mutate(hook)}
        >
          {t('communication.channelTest', { name: hook.name })}
        </Button>
      ))}
    </Group>
  );
}
