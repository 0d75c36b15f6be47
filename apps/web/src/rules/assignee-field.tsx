import { Select } from '@mantine/core';
import type { FieldEditorProps } from '@pdf2press/ui';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useAssignees } from './assignees.ts';

/** The editor of a setting that names a person or a role; nobody in particular when it is cleared. */
export function AssigneeField({ name, path, control, words, fault, isReadOnly = false }: FieldEditorProps) {
  const { t } = useTranslation();
  const { field } = useController({ control, name });
  const groups = useAssignees();
  const chosen = typeof field.value === 'string' && field.value !== '' ? field.value : null;
  const isKnown = chosen === null || groups.some(({ items }) => items.some(({ value }) => value === chosen));
  return (
    <Select
      label={words.label(path)}
      description={words.help(path)}
      placeholder={t('rules.nobody')}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('common.clear') }}
      nothingFoundMessage={t('state.noMatch')}
      data-field={name}
      disabled={isReadOnly}
      error={fault}
      data={isKnown ? groups : [...groups, { group: '', items: [{ value: chosen, label: chosen }] }]}
      value={chosen}
      onChange={field.onChange}
    />
  );
}
