import { PasswordInput } from '@mantine/core';
import { type PasswordSettings, passwordFaults } from '@pdf2press/contract';
import { type Control, type UseFormRegister, useFormState, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { PasswordRules } from './password-rules.tsx';

/** Validates a password by the policy and reports its first fault. */
export const passwordOf = (policy: PasswordSettings) =>
  z
    .string()
    .min(1)
    .superRefine((text, context) => {
      const [fault] = passwordFaults(text, policy);
      if (text && fault) context.addIssue({ code: 'custom', params: fault });
    });

/** Adds a new password and its repetition to what a form asks for. */
export const withNewPassword = <S extends z.ZodRawShape>(schema: z.ZodObject<S>, policy: PasswordSettings) =>
  schema.extend({ password: passwordOf(policy), passwordConfirmation: z.string().min(1) }).refine(
    (given) => (given as NewPassword).password === (given as NewPassword).passwordConfirmation,
    // Reported together with the other faults of the form.
    { path: ['passwordConfirmation'], params: { code: 'password.confirmation' }, when: () => true },
  );

interface NewPassword {
  password: string;
  passwordConfirmation: string;
}

interface Props {
  // A form that has more fields than these two serves as well; react-hook-form's types cannot say so.
  form: { register: unknown; control: unknown };
  policy: PasswordSettings;
  size?: 'sm' | 'md';
}

/** A new password and its repetition, with the policy beside. */
export function NewPasswordFields({ form, policy, size = 'sm' }: Props) {
  const { t } = useTranslation();
  const register = form.register as UseFormRegister<NewPassword>;
  const control = form.control as Control<NewPassword>;
  const { errors } = useFormState({ control });
  const password = useWatch({ control, name: 'password' });
  const toggle = { 'aria-label': t('account.showPassword') };
  return (
    <>
      <PasswordInput
        label={t('field.newPassword')}
        autoComplete="new-password"
        size={size}
        visibilityToggleButtonProps={toggle}
        error={errors.password?.message}
        {...register('password')}
      />
      <PasswordRules password={password} policy={policy} />
      <PasswordInput
        label={t('field.repeatPassword')}
        autoComplete="new-password"
        size={size}
        visibilityToggleButtonProps={toggle}
        error={errors.passwordConfirmation?.message}
        {...register('passwordConfirmation')}
      />
    </>
  );
}
