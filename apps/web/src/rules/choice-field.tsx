import { Select } from '@mantine/core';
import type { FieldEditorProps } from '@pdf2press/ui';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';

interface Choice {
  value: string;
  label: string;
}

/** The editor of a setting that names one of a list. A value that is not in the list is shown as it is. */
export function ChoiceField({
  name,
  path,
  control,
  words,
  fault,
  isReadOnly = false,
  choices,
}: Omit<FieldEditorProps, 'of'> & { choices: readonly Choice[] }) {
  const { t } = useTranslation();
  const { field } = useController({ control, name });
  const chosen = typeof field.value === 'string' && field.value !== '' ? field.value : null;
  const isKnown = chosen === null || choices.some(({ value }) => value === chosen);
  return (
    <Select
      label={words.label(path)}
      description={words.help(path)}
      placeholder={t(choices.length > 0 ? 'rules.choose' : 'rules.noneToChoose')}
      searchable
      allowDeselect={false}
      nothingFoundMessage={t('state.noMatch')}
      ref={field.ref}
      data-field={name}
      disabled={isReadOnly}
      error={fault}
      data={isKnown ? choices : [{ value: chosen, label: chosen }, ...choices]}
      value={chosen}
      clearable={chosen !== null}
      clearButtonProps={{ 'aria-label': t('common.clear') }}
      onChange={(next) => field.onChange(next ?? '')}
    />
  );
}
