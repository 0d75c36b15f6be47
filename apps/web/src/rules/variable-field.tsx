import { Select } from '@mantine/core';
import type { FieldEditorProps } from '@pdf2press/ui';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useRuleSurroundings } from './rule-surroundings.ts';

/** The editor of a setting that names a variable of the workflow. */
export function VariableField({ name, path, control, words, fault, isReadOnly = false }: FieldEditorProps) {
  const { t } = useTranslation();
  const { variables } = useRuleSurroundings();
  const { field } = useController({ control, name });
  const chosen = typeof field.value === 'string' && field.value !== '' ? field.value : null;
  const names = variables.map((variable) => variable.name);
  return (
    <Select
      label={words.label(path)}
      description={words.help(path)}
      placeholder={t(names.length > 0 ? 'rules.choose' : 'rules.noneToChoose')}
      searchable
      allowDeselect={false}
      nothingFoundMessage={t('state.noMatch')}
      data-field={name}
      disabled={isReadOnly}
      error={fault}
      data={[...new Set(chosen === null ? names : [...names, chosen])]}
      value={chosen}
      onChange={field.onChange}
    />
  );
}
