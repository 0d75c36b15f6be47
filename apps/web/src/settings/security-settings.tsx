import { SimpleGrid, Stack, TextInput } from '@mantine/core';
import type { SystemSettings } from '@pdf2press/contract';
import { useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { PasswordRules } from '../account/password-rules.tsx';
import { SectionCard } from '../frame/section-card.tsx';
import { FlagField, NumberSetting } from './setting-fields.tsx';

const classes = ['requireDigit', 'requireLowercase', 'requireUppercase', 'requireNonAlphanumeric'] as const;

export function SecuritySettings() {
  const { t } = useTranslation();
  const { watch } = useFormContext<SystemSettings>();
  const [sample, setSample] = useState('');
  const policy = watch('passwordSettings');
  return (
    <>
      <SectionCard title={t('settings.passwords')} text={t('settings.passwordsText')}>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl">
          <Stack>
            <FlagField name="passwordSettings.useDefaultSettings" />
            {!policy.useDefaultSettings && (
              <>
                <NumberSetting name="passwordSettings.requiredLength" />
                {classes.map((key) => (
                  <FlagField key={key} name={`passwordSettings.${key}`} />
                ))}
              </>
            )}
          </Stack>
          <Stack>
            <TextInput
              label={t('settings.sample')}
              value={sample}
              onChange={(event) => setSample(event.currentTarget.value)}
              autoComplete="off"
            />
            <PasswordRules password={sample} policy={policy} />
          </Stack>
        </SimpleGrid>
      </SectionCard>
      <SectionCard title={t('settings.lockout')} text={t('settings.lockoutText')}>
        <Stack>
          <FlagField name="userSettings.enableUserLockout" />
          {watch('userSettings.enableUserLockout') && (
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <NumberSetting name="userSettings.maxFailedLoginAttempts" />
              <NumberSetting name="userSettings.accountLockoutDurationInSeconds" />
            </SimpleGrid>
          )}
          <FlagField name="userSettings.sendActivationEmail" />
        </Stack>
      </SectionCard>
    </>
  );
}
