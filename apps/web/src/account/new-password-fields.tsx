import { PasswordInput } from '@mantine/core';
import { passwordFaults } from '@pdf2press/contract';
import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { PasswordRules, usePasswordPolicy } from './password-rules.tsx';

export interface NewPassword {
  password: string;
  passwordConfirmation: string;
}

/** A new password and its repetition, with the policy beside. */
export function NewPasswordFields({ form, size = 'sm' }: { form: UseFormReturn<NewPassword>; size?: 'sm' | 'md' }) {
  const { t } = useTranslation();
  const policy = usePasswordPolicy();
  const { register, watch } = form;
  const { errors } = form.formState;
  const toggle = { 'aria-label': t('account.showPassword') };
  return (
    <>
      <PasswordInput
        label={t('field.newPassword')}
        autoComplete="new-password"
        size={size}
        visibilityToggleButtonProps={toggle}
        error={errors.password?.message}
        {...register('password', {
          required: t('value.required'),
          validate: (text) => {
            const fault = passwordFaults(text, policy)[0];
            return fault ? t(fault.code, fault.params ?? {}) : true;
          },
        })}
      />
      <PasswordRules password={watch('password')} policy={policy} />
      <PasswordInput
        label={t('field.repeatPassword')}
        autoComplete="new-password"
        size={size}
        visibilityToggleButtonProps={toggle}
        error={errors.passwordConfirmation?.message}
        {...register('passwordConfirmation', {
          required: t('value.required'),
          validate: (text, all) => text === all.password || t('password.confirmation'),
        })}
      />
    </>
  );
}
