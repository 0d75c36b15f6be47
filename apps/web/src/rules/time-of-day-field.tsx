import { TextInput } from '@mantine/core';
import type { FieldEditorProps } from '@pdf2press/ui';
import { useController } from 'react-hook-form';

/** The editor of a time of day, such as `18:00`. */
export function TimeOfDayField({ name, path, control, words, initial, fault, isReadOnly = false }: FieldEditorProps) {
  const { field } = useController({ control, name });
  return (
    <TextInput
      type="time"
      label={words.label(path)}
      description={words.help(path)}
      data-field={name}
      disabled={isReadOnly}
      error={fault}
      value={String(field.value ?? initial ?? '')}
      onChange={(event) => field.onChange(event.currentTarget.value)}
    />
  );
}
