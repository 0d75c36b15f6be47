import { ActionIcon, Fieldset, Group, NumberInput, Select, Text } from '@mantine/core';
import type { VariableValues, WorkflowVariable } from '@pdf2press/contract';
import { type FieldEditorProps, FieldSurroundings, TextSetting } from '@pdf2press/ui';
import { IconTrash } from '@tabler/icons-react';
import { type ReactNode, useContext } from 'react';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useRuleSurroundings } from './rule-surroundings.ts';
import classes from './rules.module.css';

/** The editor of values by variable; texts may hold placeholders. */
export function VariableValuesField({ name, path, control, words, fault, isReadOnly = false }: FieldEditorProps) {
  const { t } = useTranslation();
  const { variables } = useRuleSurroundings();
  const { faultOf } = useContext(FieldSurroundings);
  const { field } = useController({ control, name });
  const values = (field.value ?? {}) as VariableValues;
  const entries = Object.entries(values);
  const free = variables.filter((variable) => !Object.hasOwn(values, variable.name));
  const change = (key: string, value: VariableValues[string]) => field.onChange({ ...values, [key]: value });
  return (
    <Fieldset legend={words.label(path)} radius="sm" p="sm" data-field={name}>
      <div className={classes.values}>
        {entries.map(([key, value]) => (
          <Group key={key} align="end" wrap="nowrap" gap="xs">
            <div className={classes.value}>
              <VariableValue
                variable={variables.find((one) => one.name === key) ?? { name: key, type: 'String', options: [] }}
                value={value}
                disabled={isReadOnly}
                error={faultOf(`${name}.${key}`)}
                onChange={(next) => change(key, next)}
              />
            </div>
            <ActionIcon
              variant="subtle"
              color="error"
              size="lg"
              disabled={isReadOnly}
              aria-label={t('rules.removeValue', { name: key })}
              onClick={() => field.onChange(Object.fromEntries(entries.filter(([other]) => other !== key)))}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
        {!isReadOnly && (
          <Select
            label={t('rules.addValue')}
            placeholder={t(free.length > 0 ? 'rules.choose' : 'rules.noneToChoose')}
            data={free.map((variable) => variable.name)}
            value={null}
            error={fault}
            disabled={free.length === 0}
            onChange={(key) => key !== null && change(key, '')}
          />
        )}
      </div>
      {isReadOnly && fault && (
        <Text size="xs" c="error">
          {fault}
        </Text>
      )}
    </Fieldset>
  );
}

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
          isLong={false}
          placeholders="session"
          value={text}
          onChange={onChange}
        />
      );
  }
}
