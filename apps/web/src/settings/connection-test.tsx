import { Button, Group, Text } from '@mantine/core';
import { IconCircleCheck, IconPlugConnected, IconXboxX } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText } from '../client/call-error.ts';

/** Tries a connection with what the form holds now and says how it went. */
export function ConnectionTest({
  label,
  test,
  told = () => null,
}: {
  label: string;
  test: () => Promise<unknown>;
  /** What is said below it when it has ended, of its error or of none. */
  told?: (error: Error | null) => ReactNode;
}) {
  const { t } = useTranslation();
  const run = useMutation({ mutationFn: test });
  return (
    <div>
      <Group>
        <Button
          variant="default"
          leftSection={<IconPlugConnected size={16} />}
          loading={run.isPending}
          onClick={() => run.mutate()}
        >
          {label}
        </Button>
        {run.isSuccess && (
          <Text c="var(--p2p-success)" role="status">
            <IconCircleCheck size={16} aria-hidden style={{ verticalAlign: -3 }} /> {t('settings.connected')}
          </Text>
        )}
        {run.error && (
          <Text c="var(--p2p-error)" role="alert">
            <IconXboxX size={16} aria-hidden style={{ verticalAlign: -3 }} /> {failureText(run.error, t)}
          </Text>
        )}
      </Group>
      {(run.isSuccess || run.error) && told(run.error)}
    </div>
  );
}
