import { Select } from '@mantine/core';
import { type Locale, locales } from '@pdf2press/contract';
import type { Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { languageNames } from '../language/language.ts';

interface Props {
  name: string;
  value: Locale | undefined;
  ref: Ref<HTMLInputElement>;
  onBlur: () => void;
  onChange: (value: string | null) => void;
}

/** The language of a person; each is called by its own name. */
export function LocaleSelect({ value, ...field }: Props) {
  const { t } = useTranslation();
  return (
    <Select
      label={t('field.language')}
      allowDeselect={false}
      data={locales.map((locale) => ({ value: locale, label: languageNames[locale] }))}
      value={value ?? null}
      {...field}
    />
  );
}
