import { Button, Group, List, Stack, Text, ThemeIcon } from '@mantine/core';
import { type MailboxStage, mailboxStages, type RouteResult } from '@pdf2press/contract';
import { mailboxRoutes } from '@pdf2press/contract/calls';
import { IconCheck, IconMinus, IconPlugConnected, IconX } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { call } from '../client/call.ts';
import { failureText } from '../client/call-error.ts';
import type { ProfileValues } from '../profiles/use-profile-form.ts';

type Trial = RouteResult<typeof mailboxRoutes.test>;
type Outcome = 'Done' | 'Failed' | 'Open';

/** Without encryption there is nothing to encrypt. */
const stagesFor = (security: unknown): readonly MailboxStage[] =>
  mailboxStages.filter((stage) => stage !== 'tls' || security !== 'none');

function outcomeOf(stage: MailboxStage, { failed }: Trial): Outcome {
  if (!failed || mailboxStages.indexOf(stage) < mailboxStages.indexOf(failed.stage)) return 'Done';
  return stage === failed.stage ? 'Failed' : 'Open';
}

const looks = {
  Done: { icon: IconCheck, color: 'success' },
  Failed: { icon: IconX, color: 'error' },
  Open: { icon: IconMinus, color: 'neutral' },
} as const;

/** Tries the connection with what the form holds now, and shows how far it came. */
export function ConnectionTrial({ form, id }: { form: UseFormReturn<ProfileValues>; id: string | undefined }) {
  const { t } = useTranslation();
  const run = useMutation({
    mutationFn: async () => {
      const settings = form.getValues('settings');
      const trial = await call(mailboxRoutes.test, { body: { settings, ...(id !== undefined && { id }) } });
      return { trial, stages: stagesFor(settings.security) };
    },
  });
  return (
    <Stack gap="sm">
      <Group>
        <Button
          variant="default"
          leftSection={<IconPlugConnected size={16} />}
          loading={run.isPending}
          onClick={() => run.mutate()}
        >
          {t('mailbox.test')}
        </Button>
      </Group>
      <div aria-live="polite">
        {run.error && <Text c="var(--p2p-error)">{failureText(run.error, t)}</Text>}
        {run.data && <Stages {...run.data} />}
      </div>
    </Stack>
  );
}

function Stages({ trial, stages }: { trial: Trial; stages: readonly MailboxStage[] }) {
  const { t } = useTranslation();
  return (
    <Stack gap="xs">
      <List spacing={4} center aria-label={t('mailbox.stages')} listStyleType="none">
        {stages.map((stage) => {
          const outcome = outcomeOf(stage, trial);
          const { icon: Icon, color } = looks[outcome];
          return (
            <List.Item
              key={stage}
              icon={
                <ThemeIcon color={color} size={20} radius="xl" variant="light">
                  <Icon size={14} aria-hidden />
                </ThemeIcon>
              }
            >
              {t(`mailbox.stage.${stage}`)}: {t(`mailbox.stage${outcome}`)}
              {trial.failed?.stage === stage && (
                <Text size="sm" c="var(--p2p-error)">
                  {/* The sentence of a poll promises that it is tried again. */}
                  {trial.failed.code === 'source.unreachable' ? t('mailbox.unreachable') : trial.failed.message}
                </Text>
              )}
            </List.Item>
          );
        })}
      </List>
      {trial.mails !== null && <Text>{t('mailbox.testWorks', { count: trial.mails })}</Text>}
      {trial.folders.length > 0 && (
        <Text size="sm" c="dimmed">
          {t('mailbox.folders')}: {trial.folders.join(', ')}
        </Text>
      )}
    </Stack>
  );
}
