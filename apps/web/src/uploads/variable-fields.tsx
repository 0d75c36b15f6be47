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
  return (
    <VariableInputs
      variables={variables}
      values={field.value}
      onChange={field.onChange}
      faultOf={(name) => (get(fieldState.error, name) as FieldError | undefined)?.message}
    />
  );
}

interface Inputs {
  variables: readonly WorkflowVariable[];
  values: VariableValues;
  onChange: (values: VariableValues) => void;
  faultOf: (name: string) => string | undefined;
}

/** A field for each variable, by its type. */
export function VariableInputs({ variables, values, onChange, faultOf }: Inputs) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      {variables.map((variable) => (
        <VariableInput
          key={variable.name}
          variable={variable}
          value={values[variable.name] ?? variable.default}
          fault={faultOf(variable.name)}
          onChange={(value) => onChange({ ...values, [variable.name]: value })}
        />
      ))}
    </SimpleGrid>
  );
}

interface Input {
  variable: WorkflowVariable;
  value: VariableValues[string] | undefined;
  fault: string | undefined;
  onChange: (value: string | number | boolean | null) => void;
}

function VariableInput({ variable, value, fault, onChange }: Input) {
  const shared = { label: variable.name, error: fault, withAsterisk: variable.isRequired };
  switch (variable.type) {
    case 'Number':
      return (
        <NumberInput
          {...shared}
          value={(value as number | null) ?? ''}
          onChange={(next) => onChange(next === '' ? null : Number(next))}
        />
      );
    case 'YesNo':
      return (
        <Switch
          label={variable.name}
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
          mt="lg"
        />
      );
    case 'Select':
      return (
        <Select
          {...shared}
          data={variable.options}
          value={(value as string | null) ?? null}
          clearable={!variable.isRequired}
          onChange={onChange}
        />
      );
    default:
      return (
        <TextInput
          {...shared}
          value={String(value ?? '')}
          onChange={(event) => onChange(event.currentTarget.value || null)}
        />
      );
  }
}
