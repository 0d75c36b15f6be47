import { Checkbox, Fieldset, SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Control, type FieldValues, useController } from 'react-hook-form';
import type { FieldShape } from './settings-shape.ts';

interface Props {
  shape: Extract<FieldShape, { kind: 'tuple' }>;
  name: string;
  label: string;
  help: string | undefined;
  control: Control<FieldValues>;
  isReadOnly?: boolean | undefined;
  /** The field of a part. */
  children: (part: FieldShape, at: number) => ReactNode;
}

/** A fixed number of values, one field each; if optional, a checkbox in the title enables them. */
export function TupleField({ shape, name, label, help, control, isReadOnly, children }: Props) {
  const { field } = useController({ control, name });
  const isOn = Array.isArray(field.value);
  return (
    <Fieldset
      legend={
        shape.isOptional ? (
          <Checkbox
            label={label}
            checked={isOn}
            disabled={isReadOnly ?? false}
            onChange={(event) => field.onChange(event.currentTarget.checked ? shape.parts.map(firstValue) : null)}
          />
        ) : (
          label
        )
      }
      radius="sm"
      p="sm"
    >
      {help && (
        <Text size="sm" c="dimmed" mb={isOn ? 'sm' : 0}>
          {help}
        </Text>
      )}
      {(isOn || !shape.isOptional) && (
        <SimpleGrid type="container" cols={{ base: 2, '400px': Math.min(4, shape.parts.length) }}>
          {shape.parts.map(children)}
        </SimpleGrid>
      )}
    </Fieldset>
  );
}

const firstValue = (shape: FieldShape): unknown =>
  'initial' in shape && shape.initial !== undefined
    ? shape.initial
    : shape.kind === 'number'
      ? Math.max(0, shape.min ?? 0)
      : null;
