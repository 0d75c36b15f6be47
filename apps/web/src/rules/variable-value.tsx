import { NumberInput, Select } from '@mantine/core';
import type { VariableValues, WorkflowVariable } from '@pdf2press/contract';
import { TextSetting } from '@pdf2press/ui';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface ValueProps {
  variable: Pick<WorkflowVariable, 'name' | 'type' | 'options'>;
  value: VariableValues[string];
  disabled: boolean;
  error: ReactNode;
  onChange: (value: VariableValues[string]) => void;
}

/** The field for the value of one variable, by its type. */
export function VariableValue({ variable, value, disabled, error, onChange }: ValueProps) {
  const { t } = useTranslation();
  const shared = { label: variable.name, disabled, error };
  const text = value === null ? '' : String(value);
  switch (variable.type) {
    case 'Number':
      return (
        <NumberInput
          {...shared}
          value={typeof value === 'number' ? value : ''}
          onChange={(next) => onChange(typeof next === 'number' ? next : null)}
        />
      );
    case 'YesNo':
    case 'Select': {
      const isYesNo = variable.type === 'YesNo';
      const data = isYesNo
        ? [
            { value: 'true', label: t('common.yes') },
            { value: 'false', label: t('common.no') },
          ]
        : [...new Set(variable.options)].map((option) => ({ value: option, label: option }));
      return (
        <Select
          {...shared}
          data={data}
          value={text === '' ? null : text}
          onChange={(next) => onChange(next === null ? null : isYesNo ? next === 'true' : next)}
        />
      );
    }
    case 'String':
      return (
        <TextSetting
          {...shared}
          description={undefined}
          lines={1}
          placeholders="session"
          value={text}
          onChange={onChange}
        />
      );
  }
}
