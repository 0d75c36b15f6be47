import { PasswordInput, Textarea } from '@mantine/core';
import { storedSecretMark } from '@pdf2press/contract';
import type { FieldEditorProps } from '@pdf2press/ui';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';

/** A write-only text: a stored one is shown as dots and kept unless another one is entered. */
export function TargetSecretField({ name, path, of, control, words, fault, isReadOnly = false }: FieldEditorProps) {
  const { t } = useTranslation();
  const { field } = useController({ control, name });
  const isStored = field.value === storedSecretMark;
  const help = words.help(path);
  const props = {
    label: words.label(path),
    description: [help, t(isStored ? 'delivery.secretStored' : 'delivery.secretText')].filter(Boolean).join(' '),
    placeholder: isStored ? storedSecretMark : '',
    autoComplete: 'new-password',
    'data-field': name,
    disabled: isReadOnly,
    error: fault,
    name: field.name,
    onBlur: field.onBlur,
    value: isStored ? '' : String(field.value ?? ''),
  };
  // A key has several lines, which a field of one line would lose.
  if (of === 'lines')
    return (
      <Textarea
        {...props}
        ref={field.ref}
        autosize
        minRows={2}
        maxRows={8}
        spellCheck={false}
        onChange={(event) => field.onChange(event.currentTarget.value)}
      />
    );
  return (
    <PasswordInput
      {...props}
      ref={field.ref}
      visibilityToggleButtonProps={{ 'aria-label': t('account.showPassword') }}
      onChange={(event) => field.onChange(event.currentTarget.value)}
    />
  );
}
