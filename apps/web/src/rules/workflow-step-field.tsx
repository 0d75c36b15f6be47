import { Select } from '@mantine/core';
import type { FieldEditorProps } from '@pdf2press/ui';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useRuleSurroundings } from './rule-surroundings.ts';

/** The editor of a setting that names another step of the workflow. */
export function WorkflowStepField({ name, path, control, words, fault, isReadOnly = false }: FieldEditorProps) {
  const { t } = useTranslation();
  const { steps = [] } = useRuleSurroundings();
  const { field } = useController({ control, name });
  const chosen = typeof field.value === 'string' && field.value !== '' ? field.value : null;
  return (
    <Select
      label={words.label(path)}
      description={words.help(path)}
      placeholder={t(steps.length > 0 ? 'rules.choose' : 'rules.noneToChoose')}
      searchable
      allowDeselect={false}
      nothingFoundMessage={t('state.noMatch')}
      data-field={name}
      disabled={isReadOnly}
      error={fault}
      data={steps.map(({ id, title }) => ({ value: id, label: title }))}
      value={steps.some(({ id }) => id === chosen) ? chosen : null}
      onChange={field.onChange}
    />
  );
}
