import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import type { PersonReport } from '@pdf2press/contract';
import { personRoutes } from '@pdf2press/contract/calls';
import { IconCircleCheck, IconDownload, IconSearch, IconUserX } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../account/use-me.ts';
import { call, saveBlob } from '../client/call.ts';
import { failureText } from '../client/call-error.ts';
import { confirm } from '../frame/confirm.ts';
import { Screen } from '../frame/screen.tsx';
import { SectionCard } from '../frame/section-card.tsx';
import { notify } from '../frame/toasts.tsx';
import { formatNumber } from '../language/formats.ts';
import classes from './persons.module.css';

/** What is kept about somebody, found by their e-mail address: looked at, exported, erased. */
export function PersonsScreen() {
  const { t } = useTranslation();
  const may = useMay();
  const [email, setEmail] = useState('');
  const [erased, setErased] = useState<PersonReport | null>(null);
  const found = useMutation({ mutationFn: (address: string) => call(personRoutes.find, { body: { email: address } }) });
  const exporting = useMutation({
    mutationFn: (address: string) => call(personRoutes.export, { body: { email: address } }),
    onSuccess: (file) =>
      saveBlob(new Blob([JSON.stringify(file, null, 1)], { type: 'application/json' }), `${file.email}.json`),
    onError: notify.failure,
  });
  const erasing = useMutation({
    mutationFn: (address: string) => call(personRoutes.erase, { body: { email: address } }),
    onSuccess: setErased,
    onError: notify.failure,
  });
  const report = erased ?? found.data;
  const erase = async ({ email: address }: PersonReport) => {
    const isSure = await confirm({
      title: t('persons.eraseTitle', { email: address }),
      text: t('persons.eraseText'),
      act: t('persons.erase'),
      isDangerous: true,
      typed: address,
    });
    if (isSure) erasing.mutate(address);
  };
  return (
    <Screen title={t('nav.persons')} state={{ kind: 'ready' }}>
      <Stack>
        <SectionCard title={t('persons.whose')} text={t('persons.text')}>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              setErased(null);
              found.mutate(email.trim());
            }}
          >
            <Group align="end">
              <TextInput
                className={classes.address}
                type="email"
                required
                label={t('field.email')}
                value={email}
                error={found.error && failureText(found.error, t)}
                onChange={(event) => setEmail(event.currentTarget.value)}
              />
              <Button type="submit" leftSection={<IconSearch size={16} />} loading={found.isPending}>
                {t('persons.find')}
              </Button>
            </Group>
          </form>
        </SectionCard>
        {report && (
          <SectionCard title={report.email} text={t(erased ? 'persons.was' : 'persons.would')}>
            <Stack>
              {erased && (
                <Alert color="success" icon={<IconCircleCheck />} role="status">
                  {t('persons.erased', { placeholder: erased.placeholder })}
                </Alert>
              )}
              {report.kinds.length === 0 ? <Text>{t('persons.nothing')}</Text> : <Kinds report={report} />}
              {!erased && report.kinds.length > 0 && (
                <Group>
                  {may('data.export') && (
                    <Button
                      variant="default"
                      leftSection={<IconDownload size={16} />}
                      loading={exporting.isPending}
                      onClick={() => exporting.mutate(report.email)}
                    >
                      {t('persons.export')}
                    </Button>
                  )}
                  {may('data.erase') && (
                    <Button
                      variant="default"
                      c="var(--p2p-error)"
                      leftSection={<IconUserX size={16} />}
                      loading={erasing.isPending}
                      onClick={() => void erase(report)}
                    >
                      {t('persons.erase')}
                    </Button>
                  )}
                </Group>
              )}
            </Stack>
          </SectionCard>
        )}
      </Stack>
    </Screen>
  );
}

/** A row for each kind: how many were found, and what becomes of them. */
function Kinds({ report }: { report: PersonReport }) {
  const { t } = useTranslation();
  return (
    <table className={classes.kinds} aria-label={t('persons.kinds')}>
      <thead>
        <tr>
          <th>{t('persons.what')}</th>
          <th>{t('persons.found')}</th>
          <th>{t('persons.fate')}</th>
        </tr>
      </thead>
      <tbody>
        {report.kinds.map(({ kind, found, removed, anonymised, kept }) => (
          <tr key={kind}>
            <td>{t(`persons.kind.${kind}`)}</td>
            <td className="tabular">{formatNumber(found)}</td>
            <td>
              {removed > 0 && <div>{t('persons.removed', { shown: formatNumber(removed) })}</div>}
              {anonymised > 0 && <div>{t('persons.anonymised', { shown: formatNumber(anonymised) })}</div>}
              {kept.map(({ reason, count }) => (
                <div key={reason} className={classes.kept}>
                  {t(`persons.kept.${reason}`, { shown: formatNumber(count) })}
                </div>
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
