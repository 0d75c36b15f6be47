import { Stack, Text } from '@mantine/core';
import { type MailboxStage, mailboxStages, type RouteResult } from '@pdf2press/contract';
import { mailboxRoutes } from '@pdf2press/contract/calls';
import { useMutation } from '@tanstack/react-query';
import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { call } from '../client/call.ts';
import { ConnectionTest } from '../profiles/connection-test.tsx';
import { TrialStages } from '../profiles/trial-stages.tsx';
import type { ProfileValues } from '../profiles/use-profile-form.ts';

type Trial = RouteResult<typeof mailboxRoutes.test>;

/** Without encryption there is nothing to encrypt, and with a password no service to ask for access. */
const stagesFor = ({ security, signInWith }: Readonly<Record<string, unknown>>): readonly MailboxStage[] =>
  mailboxStages.filter((stage) =>
    stage === 'tls' ? security !== 'none' : stage !== 'access' || signInWith !== 'password',
  );

/** Tries the connection with what the form holds now, and shows how far it came. */
export function ConnectionTrial({ form, id }: { form: UseFormReturn<ProfileValues>; id: string | undefined }) {
  const run = useMutation({
    mutationFn: async () => {
      const settings = form.getValues('settings');
      const trial = await call(mailboxRoutes.test, { body: { settings, ...(id !== undefined && { id }) } });
      return { trial, stages: stagesFor(settings) };
    },
  });
  return <ConnectionTest run={run}>{run.data && <Outcome {...run.data} />}</ConnectionTest>;
}

function Outcome({ trial, stages }: { trial: Trial; stages: readonly MailboxStage[] }) {
  const { t } = useTranslation();
  const { failed, mails, folders } = trial;
  // The sentence of a poll promises that it is tried again.
  const told =
    failed && (failed.code === 'source.unreachable' ? { ...failed, message: t('mailbox.unreachable') } : failed);
  return (
    <Stack gap="xs">
      <TrialStages stages={stages} failed={told} />
      {mails !== null && <Text>{t('mailbox.testWorks', { count: mails })}</Text>}
      {folders.length > 0 && (
        <Text size="sm" c="dimmed">
          {t('mailbox.folders')}: {folders.join(', ')}
        </Text>
      )}
    </Stack>
  );
}
