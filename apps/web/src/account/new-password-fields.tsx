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

interface NewPassword {
  password: string;
  passwordConfirmation: string;
}

const isTypedTwice = (given: unknown): boolean =>
  (given as NewPassword).password === (given as NewPassword).passwordConfirmation;
// Reported together with the other faults of the form.
const differs = { path: ['passwordConfirmation'], params: { code: 'password.confirmation' }, when: () => true };

/** Adds a new password and its repetition to what a form asks for. */
export const withNewPassword = <S extends z.ZodRawShape>(schema: z.ZodObject<S>, policy: PasswordSettings) =>
  schema
    .extend({ password: passwordOf(policy), passwordConfirmation: z.string().min(1) })
    .refine(isTypedTwice, differs);

/** As `withNewPassword`, of a form in which both may stay empty; then neither is submitted. */
export const withOptionalPassword = <S extends z.ZodRawShape>(schema: z.ZodObject<S>, policy: PasswordSettings) =>
  schema
    .extend({
      password: z.union([z.literal(''), passwordOf(policy)]).transform((text) => text || undefined),
      passwordConfirmation: z.string().transform((text) => text || undefined),
    })
    .refine(isTypedTwice, differs);

interface Props {
  // A form that has more fields than these two serves as well; react-hook-form's types cannot say so.
  form: { register: unknown; control: unknown };
  policy: PasswordSettings;
  size?: 'sm' | 'md';
  /** Where both may stay empty: what that means. The policy is then shown from the first letter on. */
  emptyText?: string;
}

/** A new password and its repetition, with the policy beside. */
export function NewPasswordFields({ form, policy, size = 'sm', emptyText }: Props) {
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
        description={emptyText}
        autoComplete="new-password"
        size={size}
        visibilityToggleButtonProps={toggle}
        error={errors.password?.message}
        {...register('password')}
      />
      {(emptyText === undefined || password) && <PasswordRules password={password} policy={policy} />}
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
