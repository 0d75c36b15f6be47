import { NumberInput, PasswordInput, Select, Switch, TextInput } from '@mantine/core';
import { type SystemSettings, storedSecretMark } from '@pdf2press/contract';
import { Controller, useFormContext } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { SettingOrigin } from './setting-origin.tsx';
import { type SettingPath, settingTable } from './setting-table.ts';

interface Props {
  name: SettingPath;
  help?: string;
}

export function FlagField({ name, help }: Props) {
  const { t } = useTranslation();
  const { control } = useFormContext<SystemSettings>();
  return (
    <div>
      <Controller
        control={control}
        name={name}
        render={({ field: { value, ...field } }) => (
          <Switch label={t(settingTable[name].label)} description={help} checked={value === true} {...field} />
        )}
      />
      <SettingOrigin name={name} />
    </div>
  );
}

/** A line of text. What is wrong with it is said when the field is left, or `isToldAtOnce`, while it is typed. */
export function TextField({ name, help, isToldAtOnce = false }: Props & { isToldAtOnce?: boolean }) {
  const { t } = useTranslation();
  const { register, getFieldState, formState, trigger } = useFormContext<SystemSettings>();
  return (
    <div>
      <TextInput
        label={t(settingTable[name].label)}
        description={help}
        error={getFieldState(name, formState).error?.message}
        {...register(name, isToldAtOnce ? { onChange: () => void trigger(name) } : {})}
      />
      <SettingOrigin name={name} />
    </div>
  );
}

export function NumberSetting({ name, help }: Props) {
  const { t } = useTranslation();
  const { control } = useFormContext<SystemSettings>();
  const { label, suffix = '' } = settingTable[name];
  return (
    <div>
      <Controller
        control={control}
        name={name}
        render={({ field, fieldState }) => (
          <NumberInput
            label={t(label)}
            description={help}
            suffix={suffix}
            clampBehavior="none"
            error={fieldState.error?.message}
            {...field}
            value={field.value as number}
          />
        )}
      />
      <SettingOrigin name={name} />
    </div>
  );
}

/** One of several values. */
export function ChoiceField({
  name,
  help,
  data,
  isSearched = false,
}: Props & { data: readonly (string | { value: string; label: string })[]; isSearched?: boolean }) {
  const { t } = useTranslation();
  const { control } = useFormContext<SystemSettings>();
  return (
    <div>
      <Controller
        control={control}
        name={name}
        render={({ field, fieldState }) => (
          <Select
            label={t(settingTable[name].label)}
            description={help}
            searchable={isSearched}
            allowDeselect={false}
            nothingFoundMessage={t('state.noMatch')}
            data={data}
            error={fieldState.error?.message}
            {...field}
            value={field.value as string}
          />
        )}
      />
      <SettingOrigin name={name} />
    </div>
  );
}

/** A write-only secret: a stored one is shown as dots and kept unless a new one is entered. */
export function SecretField({ name }: Pick<Props, 'name'>) {
  const { t } = useTranslation();
  const { control } = useFormContext<SystemSettings>();
  return (
    <div>
      <Controller
        control={control}
        name={name}
        render={({ field: { value, onChange, ...field } }) => (
          <PasswordInput
            label={t(settingTable[name].label)}
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
      <SettingOrigin name={name} />
    </div>
  );
}
