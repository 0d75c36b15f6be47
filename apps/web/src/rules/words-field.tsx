import { Group, Select, Textarea } from '@mantine/core';
import { type Locale, locales, nearestLocale } from '@pdf2press/contract';
import type { FieldEditorProps } from '@pdf2press/ui';
import { useId, useState } from 'react';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { languageNames } from '../language/language.ts';

/** The editor of a text in several languages, one at a time; languages that have a text are marked. */
export function WordsField({ name, path, of, control, words, fault, isReadOnly = false }: FieldEditorProps) {
  const { t, i18n } = useTranslation();
  const id = useId();
  const { field, fieldState } = useController({ control, name });
  const [locale, setLocale] = useState<Locale>(nearestLocale(i18n.language));
  const texts = (field.value ?? {}) as Partial<Record<Locale, string>>;
  const change = (text: string) => {
    const { [locale]: _, ...others } = texts;
    field.onChange(text === '' ? others : { ...others, [locale]: text });
  };
  return (
    <div data-field={name}>
      <Group justify="space-between" align="end" gap="xs" mb={4}>
        <label htmlFor={id} style={{ fontWeight: 500 }}>
          {words.label(path)}
        </label>
        <Select
          size="xs"
          w={150}
          aria-label={t('rules.textLanguage')}
          data={locales.map((one) => ({ value: one, label: `${languageNames[one]}${texts[one] ? ' ✓' : ''}` }))}
          value={locale}
          allowDeselect={false}
          onChange={(chosen) => chosen && setLocale(chosen as Locale)}
        />
      </Group>
      <Textarea
        id={id}
        lang={locale}
        description={words.help(path)}
        autosize
        minRows={1}
        maxRows={12}
        {...(of !== null && { maxLength: Number(of) })}
        disabled={isReadOnly}
        error={fieldState.error?.message ?? fault}
        value={texts[locale] ?? ''}
        onChange={(event) => change(event.currentTarget.value)}
      />
    </div>
  );
}
