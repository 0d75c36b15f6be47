import { NumberInput, Select, SimpleGrid, Switch, TextInput } from '@mantine/core';
import type { VariableValues, WorkflowVariable } from '@pdf2press/contract';

interface Props {
  variables: readonly WorkflowVariable[];
  values: VariableValues;
  onChange: (values: VariableValues) => void;
  problems: Readonly<Record<string, string>>;
}

/** Asks for a workflow's variables, each by its type. */
export function VariableFields({ variables, values, onChange, problems }: Props) {
  const set = (name: string, value: VariableValues[string]) => onChange({ ...values, [name]: value });
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      {variables.map((variable) => {
        const value = values[variable.name] ?? variable.default;
        const shared = { label: variable.name, error: problems[variable.name], withAsterisk: variable.isRequired };
        switch (variable.type) {
          case 'Number':
            return (
              <NumberInput
                key={variable.name}
                {...shared}
                value={(value as number | null) ?? ''}
                onChange={(next) => set(variable.name, next === '' ? null : Number(next))}
              />
            );
          case 'YesNo':
            return (
              <Switch
                key={variable.name}
                label={variable.name}
                checked={value === true}
                onChange={(event) => set(variable.name, event.currentTarget.checked)}
                mt="lg"
              />
            );
          case 'Select':
            return (
              <Select
                key={variable.name}
                {...shared}
                data={variable.options}
                value={(value as string | null) ?? null}
                clearable={!variable.isRequired}
                onChange={(next) => set(variable.name, next)}
              />
            );
          default:
            return (
              <TextInput
                key={variable.name}
                {...shared}
                value={String(value ?? '')}
                onChange={(event) => set(variable.name, event.currentTarget.value || null)}
              />
            );
        }
      })}
    </SimpleGrid>
  );
}
