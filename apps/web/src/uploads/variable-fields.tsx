import { NumberInput, Select, SimpleGrid, Switch, TextInput } from '@mantine/core';
import type { VariableValues, WorkflowVariable } from '@pdf2press/contract';
import { type Control, type FieldError, get, useController } from 'react-hook-form';

interface WithVariables {
  variables: VariableValues;
}

interface Props {
  variables: readonly WorkflowVariable[];
  // Of a form that asks for more than `variables`; react-hook-form's types cannot say so.
  control: unknown;
}

/** Asks for a workflow's variables, each by its type: the part `variables` of a form. */
export function VariableFields({ variables, control }: Props) {
  const { field, fieldState } = useController({ control: control as Control<WithVariables>, name: 'variables' });
  const set = (name: string, value: VariableValues[string]) => field.onChange({ ...field.value, [name]: value });
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      {variables.map((variable) => {
        const value = field.value[variable.name] ?? variable.default;
        const fault = get(fieldState.error, variable.name) as FieldError | undefined;
        const shared = { label: variable.name, error: fault?.message, withAsterisk: variable.isRequired };
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
