import { ActionIcon, Fieldset, Group, Select, Text } from '@mantine/core';
import type { VariableValues } from '@pdf2press/contract';
import { type FieldEditorProps, FieldSurroundings } from '@pdf2press/ui';
import { IconTrash } from '@tabler/icons-react';
import { useContext } from 'react';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useRuleSurroundings } from './rule-surroundings.ts';
import classes from './rules.module.css';
import { VariableValue } from './variable-value.tsx';

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
        <Text size="xs" c="var(--p2p-error)">
          {fault}
        </Text>
      )}
    </Fieldset>
  );
}
