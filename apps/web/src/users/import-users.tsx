import { Alert, Badge, Button, Code, Group, Modal, Stack, Switch, Text } from '@mantine/core';
import {
  maxUserFileLength,
  mostImportedUsers,
  nearestLocale,
  type UserImportLine,
  type UserImportResult,
  type UserLineOutcome,
  userLineOutcomes,
} from '@pdf2press/contract';
import { roleRoutes, userRoutes } from '@pdf2press/contract/calls';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormProblem } from '../account/form-problems.tsx';
import { SecretOnce } from '../account/secret-once.tsx';
import { call } from '../client/call.ts';
import { invalidate } from '../client/queries.ts';
import { JsonFileButton } from '../frame/json-file-button.tsx';
import { notify } from '../frame/toasts.tsx';
import { formatNumber } from '../language/formats.ts';
import classes from './import-users.module.css';

const example = 'name,email,roles,organizations\nAna Weber,ana@example.com,Operator,';

/** A character has three bytes at most. */
const maxBytes = maxUserFileLength * 3;

/** Makes users from a CSV: first it tells what would become of each line, then it imports. */
export function ImportUsers({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      size="xl"
      // A click beside it must not lose links that are shown only once.
      closeOnClickOutside={false}
      title={t('users.import')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      {isOpen && <ImportSteps onClose={onClose} />}
    </Modal>
  );
}

function ImportSteps({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useTranslation();
  const [csv, setCsv] = useState('');
  const [sendActivationEmail, setSending] = useState(true);
  const locale = nearestLocale(i18n.language);
  const look = useMutation({
    mutationFn: (text: string) => call(userRoutes.import, { body: { csv: text, isDryRun: true } }),
  });
  const make = useMutation({
    mutationFn: () => call(userRoutes.import, { body: { csv, isDryRun: false, locale, sendActivationEmail } }),
    onSuccess: async ({ counts, activationLinks }) => {
      notify.success(t('users.imported', { count: counts.new, shown: formatNumber(counts.new) }));
      await invalidate(userRoutes.list, roleRoutes.list);
      // Nobody is sent the links: they are shown before the dialog is left.
      if (activationLinks.length === 0) onClose();
    },
  });
  const choose = async (file: File) => {
    make.reset();
    if (file.size > maxBytes) return notify.info(t('users.importTooLarge'));
    const text = await file.text();
    setCsv(text);
    look.mutate(text);
  };
  if (make.data)
    return (
      <SecretOnce
        text={make.data.activationLinks.map(({ email, link }) => `${email}\t${link}`).join('\n')}
        note={t('users.importLinks')}
        onClose={onClose}
      />
    );
  const { data } = look;
  const isReady = data !== undefined && data.counts.new > 0 && data.counts.error === 0;
  return (
    <Stack>
      <Text>{t('users.importText', { max: formatNumber(mostImportedUsers) })}</Text>
      <Code block>{example}</Code>
      <FormProblem error={make.error ?? look.error} />
      {data && <Preview result={data} />}
      {isReady && (
        <Switch
          label={t('users.sendActivation')}
          checked={sendActivationEmail}
          onChange={(event) => setSending(event.currentTarget.checked)}
        />
      )}
      <Group justify="end">
        <JsonFileButton label={t(data ? 'users.importOther' : 'users.importChoose')} onChoose={choose} />
        {isReady && (
          <Button loading={make.isPending} onClick={() => make.mutate()}>
            {t('users.importNow', { count: data.counts.new, shown: formatNumber(data.counts.new) })}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

const colors: Record<UserLineOutcome, string> = { new: 'success', exists: 'neutral', error: 'error' };

function Outcome({ outcome, count }: { outcome: UserLineOutcome; count?: number }) {
  const { t } = useTranslation();
  return (
    <Badge variant="light" tt="none" fw={550} color={colors[outcome]}>
      {t(`users.line.${outcome}`)}
      {count !== undefined && ` · ${formatNumber(count)}`}
    </Badge>
  );
}

/** What would become of each line; those with errors come first. */
function Preview({ result }: { result: UserImportResult }) {
  const { t } = useTranslation();
  const rank = ({ outcome }: UserImportLine) => (outcome === 'error' ? 0 : 1);
  const lines = [...result.lines].sort((one, other) => rank(one) - rank(other) || one.line - other.line);
  return (
    <>
      <Group gap="xs" role="status">
        {userLineOutcomes
          .filter((outcome) => result.counts[outcome] > 0)
          .map((outcome) => (
            <Outcome key={outcome} outcome={outcome} count={result.counts[outcome]} />
          ))}
      </Group>
      {result.counts.error > 0 && (
        <Alert color="error" variant="light">
          {t('users.importMend')}
        </Alert>
      )}
      {result.ignoredColumns.length > 0 && (
        <Text size="sm" c="dimmed">
          {t('users.importIgnored', { names: result.ignoredColumns.join(', ') })}
        </Text>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <section className={classes.lines} tabIndex={0} aria-label={t('users.importLines')}>
        <table aria-label={t('users.importLines')}>
          <thead>
            <tr>
              <th>{t('users.importLine')}</th>
              <th>{t('field.name')}</th>
              <th>{t('nav.roles')}</th>
              <th>{t('users.importOutcome')}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr key={line.line}>
                <td className="tabular">{formatNumber(line.line)}</td>
                <td>
                  {line.name}
                  <div className={classes.below}>{line.email}</div>
                </td>
                <td>
                  {line.roles.join(', ')}
                  <div className={classes.below}>{line.organizations.join(', ')}</div>
                </td>
                <td>
                  <Outcome outcome={line.outcome} />
                  {line.errors.map(({ code, message, field }, at) => (
                    <div key={`${code} ${at}`}>{field ? `${field}: ${message}` : message}</div>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}
