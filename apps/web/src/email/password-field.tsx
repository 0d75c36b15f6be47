import { PasswordInput } from '@mantine/core';
import { storedSecretMark } from '@pdf2press/contract';
import type { FieldEditorProps } from '@pdf2press/ui';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';

/** A write-only password: a stored one is shown as dots and kept unless a new one is entered. */
export function PasswordField({ name, path, control, words, fault, isReadOnly = false }: FieldEditorProps) {
  const { t } = useTranslation();
  const { field } = useController({ control, name });
  const isStored = field.value === storedSecretMark;
  return (
    <PasswordInput
      label={words.label(path)}
      description={t(isStored ? 'mailbox.passwordStored' : 'mailbox.passwordText')}
      placeholder={isStored ? storedSecretMark : ''}
      autoComplete="new-password"
      data-field={name}
      disabled={isReadOnly}
      error={fault}
      visibilityToggleButtonProps={{ 'aria-label': t('account.showPassword') }}
      ref={field.ref}
      name={field.name}
      onBlur={field.onBlur}
      value={isStored ? '' : String(field.value ?? '')}
      onChange={(event) => field.onChange(event.currentTarget.value)}
    />
  );
}
