import { Button, Group, Stack, Text } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText } from '../client/call-error.ts';

/** The button that tries a connection, and below it how that ended: `children`, or why it could not be tried. */
export function ConnectionTest({
  run,
  children,
}: {
  run: { isPending: boolean; error: Error | null; mutate: () => void };
  children: ReactNode;
}) {
  const { t } = useTranslation();
  return (
    <Stack gap="sm">
      <Group>
        <Button
          variant="default"
          leftSection={<IconPlugConnected size={16} />}
          loading={run.isPending}
          onClick={() => run.mutate()}
        >
          {t('connection.test')}
        </Button>
      </Group>
      <div aria-live="polite">
        {run.error && <Text c="var(--p2p-error)">{failureText(run.error, t)}</Text>}
        {children}
      </div>
    </Stack>
  );
}
