import { ActionIcon, Button, Fieldset, Group, Stack, Text } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { type Control, type FieldValues, useFieldArray } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { FieldShape } from './settings-shape.ts';

interface Props {
  label: string;
  row: FieldShape;
  name: string;
  control: Control<FieldValues>;
  isReadOnly?: boolean | undefined;
  /** The fields of the row that lies at a place in the form. */
  children: (name: string) => ReactNode;
}

/** Entries of a list, each with the fields of its row; they can be added and removed. */
export function RowsField({ label, row, name, control, isReadOnly, children }: Props) {
  const { t } = useTranslation();
  const { fields, append, remove } = useFieldArray({ control, name });
  return (
    <Fieldset legend={label} radius="sm" p="sm">
      <Stack gap="sm">
        {fields.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('ui.noEntries')}
          </Text>
        )}
        {fields.map((field, at) => (
          <Group key={field.id} align="end" wrap="nowrap" role="group" aria-label={t('ui.entry', { number: at + 1 })}>
            <div style={{ flex: 1, minInlineSize: 0 }}>{children(`${name}.${at}`)}</div>
            <ActionIcon
              variant="subtle"
              color="error"
              size="lg"
              disabled={isReadOnly ?? false}
              aria-label={t('ui.remove')}
              onClick={() => remove(at)}
            >
              <IconTrash size={18} />
            </ActionIcon>
          </Group>
        ))}
        <Group>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} />}
            disabled={isReadOnly ?? false}
            onClick={() => append(emptyRow(row))}
          >
            {t('ui.add')}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}

const emptyRow = (shape: FieldShape): Record<string, unknown> =>
  shape.kind === 'group'
    ? Object.fromEntries(
        shape.fields.map(([key, inner]) => [
          key,
          'initial' in inner
            ? (inner.initial ?? (inner.kind === 'number' ? (inner.min ?? 0) : inner.kind === 'text' ? '' : null))
            : null,
        ]),
      )
    : {};
