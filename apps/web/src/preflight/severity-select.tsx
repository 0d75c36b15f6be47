import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Control, Controller, type FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';

/** Selects a severity. No selection means `initial`, or if that is null, that each rule decides. */
export function SeveritySelect({
  control,
  name,
  label,
  description,
  options,
  initial,
  placeholder,
  isReadOnly,
}: {
  control: Control<FieldValues>;
  name: string;
  label: ReactNode;
  description?: string;
  options: readonly string[];
  initial: string | null;
  placeholder?: string;
  isReadOnly: boolean;
}) {
  const { t } = useTranslation();
  return (
    <Controller
      control={control}
      name={name}
      render={({ field }) => (
        <Select
          label={label}
          description={description ?? null}
          placeholder={placeholder ?? ''}
          disabled={isReadOnly}
          allowDeselect={initial === null}
          clearable={initial === null}
          data={options.map((value) => ({ value, label: t(`severity.${value}`) }))}
          value={(field.value as string | null | undefined) ?? initial}
          onChange={field.onChange}
        />
      )}
    />
  );
}
