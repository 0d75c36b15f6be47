import { SimpleGrid, Stack } from '@mantine/core';
import type { SystemSettings } from '@pdf2press/contract';
import { systemRoutes } from '@pdf2press/contract/calls';
import { useFormContext, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useMay } from '../account/use-me.ts';
import { call } from '../client/call.ts';
import { SectionCard } from '../frame/section-card.tsx';
import { ConnectionTest } from './connection-test.tsx';
import { MailOutbox } from './mail-outbox.tsx';
import { ChoiceField, FlagField, NumberSetting, SecretField, TextField } from './setting-fields.tsx';
import { useAccountProfiles } from './setting-value.ts';

export function MailSettings() {
  const { t } = useTranslation();
  const may = useMay();
  const { getValues } = useFormContext<SystemSettings>();
  return (
    <Stack>
      <SectionCard title={t('settings.smtp')} text={t('settings.smtpText')}>
        <Stack>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextField name="smtpSettings.host" />
            <NumberSetting name="smtpSettings.port" help={t('settings.portHelp')} />
            <TextField name="smtpSettings.username" />
            <SecretField name="smtpSettings.password" />
            <TextField name="smtpSettings.senderEmail" />
          </SimpleGrid>
          <FlagField name="smtpSettings.enableSsl" />
          <ConnectionTest
            label={t('settings.testMail')}
            test={() => call(systemRoutes.testMail, { body: getValues('smtpSettings') })}
          />
        </Stack>
      </SectionCard>
      <SectionCard title={t('settings.accountMails')} text={t('settings.accountMailsText')}>
        <AccountProfile />
      </SectionCard>
      {may('settings.smtp.manage') && <MailOutbox />}
    </Stack>
  );
}

/** Whose words mails about accounts have; a profile that the reader does not see stays chosen by its id. */
function AccountProfile() {
  const { t } = useTranslation();
  const chosen = useWatch<SystemSettings, 'mailSettings.accountProfileId'>({ name: 'mailSettings.accountProfileId' });
  const seen = useAccountProfiles();
  const unseen = chosen === '' || seen.some(({ id }) => id === chosen) ? [] : [{ id: chosen, name: chosen }];
  return (
    <ChoiceField
      name="mailSettings.accountProfileId"
      isSearched
      data={[
        { value: '', label: t('settings.accountProfileNone') },
        ...[...seen, ...unseen].map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  );
}
