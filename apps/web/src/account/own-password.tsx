import { PasswordInput, Text } from '@mantine/core';
import { secondFactorRoutes } from '@pdf2press/contract';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useCall } from '../client/queries.ts';

/** The own password, as what changes the second factor asks for it; people who have none are told what takes its place. */
export function OwnPassword({ error, ...input }: UseFormRegisterReturn & { error: string | undefined }) {
  const { t } = useTranslation();
  const { data: own } = useCall(secondFactorRoutes.read);
  if (own?.hasPassword === false) return <Text>{t('secondFactor.noPassword')}</Text>;
  return (
    <PasswordInput
      label={t('field.currentPassword')}
      autoComplete="current-password"
      autoFocus
      visibilityToggleButtonProps={{ 'aria-label': t('account.showPassword') }}
      error={error}
      {...input}
    />
  );
}
