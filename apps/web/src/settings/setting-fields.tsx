import { NumberInput, PasswordInput, Switch, TextInput } from '@mantine/core';
import { type SystemSettings, storedSecretMark } from '@pdf2press/contract';
import { Controller, type Path, useFormContext } from 'react-hook-form';
import { useTranslation } from 'react-i18next';

interface Props {
  name: Path<SystemSettings>;
  label: string;
  help?: string;
}

export function FlagField({ name, label, help }: Props) {
  const { control } = useFormContext<SystemSettings>();
  return (
    <Controller
      control={control}
      name={name}
      render={({ field: { value, ...field } }) => (
        <Switch label={label} description={help} checked={value === true} {...field} />
      )}
    />
  );
}

/** A line of text. What is wrong with it is said when the field is left, or `isToldAtOnce`, while it is typed. */
export function TextField({ name, label, help, isToldAtOnce = false }: Props & { isToldAtOnce?: boolean }) {
  const { register, getFieldState, formState, trigger } = useFormContext<SystemSettings>();
  return (
    <TextInput
      label={label}
      description={help}
      error={getFieldState(name, formState).error?.message}
      {...register(name, isToldAtOnce ? { onChange: () => void trigger(name) } : {})}
    />
  );
}

export function NumberSetting({ name, label, help, suffix = '' }: Props & { suffix?: string }) {
  const { control } = useFormContext<SystemSettings>();
  return (
    <Controller
      control={control}
      name={name}
      render={({ field, fieldState }) => (
        <NumberInput
          label={label}
          description={help}
          suffix={suffix}
          clampBehavior="none"
          error={fieldState.error?.message}
          {...field}
          value={field.value as number}
        />
      )}
    />
  );
}

/** A write-only secret: a stored one is shown as dots and kept unless a new one is entered. */
export function SecretField({ name, label }: Props) {
  const { t } = useTranslation();
  const { control } = useFormContext<SystemSettings>();
  return (
    <Controller
      control={control}
      name={name}
      render={({ field: { value, onChange, ...field } }) => (
        <PasswordInput
          label={label}
          description={t(value === storedSecretMark ? 'settings.secretStored' : 'settings.secretNone')}
          autoComplete="off"
          visibilityToggleButtonProps={{ 'aria-label': t('account.showPassword') }}
          value={value === storedSecretMark ? '' : String(value ?? '')}
          placeholder={value === storedSecretMark ? storedSecretMark : ''}
          onChange={(event) => onChange(event.currentTarget.value === '' ? null : event.currentTarget.value)}
          {...field}
        />
      )}
    />
  );
}
