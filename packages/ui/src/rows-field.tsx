import { ActionIcon, Button, Fieldset, Group, Stack, Text } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconGripVertical, IconPlus, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useContext, useRef, useState } from 'react';
import { type Control, type FieldValues, useFieldArray } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { FieldSurroundings } from './field-editors.ts';
import type { FieldShape } from './settings-shape.ts';

interface Props {
  label: string;
  help?: string | undefined;
  row: FieldShape;
  /** Whether entries can be put into another order. */
  isOrdered: boolean;
  name: string;
  control: Control<FieldValues>;
  isReadOnly?: boolean | undefined;
  /** The fields of the row that lies at a place in the form. */
  children: (name: string) => ReactNode;
}

/** Entries of a list, each with the fields of its row; they can be added, removed and, where it matters, reordered. */
export function RowsField({ label, help, row, isOrdered, name, control, isReadOnly = false, children }: Props) {
  const { t } = useTranslation();
  const fault = useContext(FieldSurroundings).faultOf(name);
  const { fields, append, remove, move } = useFieldArray({ control, name });
  const list = useRef<HTMLDivElement>(null);
  const [dragged, setDragged] = useState<number | null>(null);
  const moveTo = (from: number, to: number) => {
    if (to < 0 || to >= fields.length || to === from) return;
    move(from, to);
    // The entry that was moved keeps the focus, so that it can be moved on.
    setTimeout(() => list.current?.querySelectorAll<HTMLElement>('[data-grip]')[to]?.focus());
  };
  const Row = isOrdered ? OrderedRow : PlainRow;
  return (
    <Fieldset legend={label} radius="sm" p="sm" data-field={name}>
      <Stack gap="sm" ref={list}>
        {help && (
          <Text size="sm" c="dimmed">
            {help}
          </Text>
        )}
        {fields.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('ui.noEntries')}
          </Text>
        )}
        {fields.map((field, at) => (
          <Row
            key={field.id}
            at={at}
            count={fields.length}
            isReadOnly={isReadOnly}
            onRemove={() => remove(at)}
            onMove={(to) => moveTo(at, to)}
            onDrag={() => setDragged(at)}
            onDrop={() => {
              if (dragged !== null) moveTo(dragged, at);
              setDragged(null);
            }}
          >
            {children(`${name}.${at}`)}
          </Row>
        ))}
        {fault && (
          <Text size="xs" c="error">
            {fault}
          </Text>
        )}
        {!isReadOnly && (
          <Group>
            <Button
              variant="default"
              size="xs"
              leftSection={<IconPlus size={14} />}
              onClick={() => append(emptyRow(row))}
            >
              {t('ui.add')}
            </Button>
          </Group>
        )}
      </Stack>
    </Fieldset>
  );
}

interface RowProps {
  at: number;
  count: number;
  isReadOnly: boolean;
  onRemove: () => void;
  onMove: (to: number) => void;
  onDrag: () => void;
  onDrop: () => void;
  children: ReactNode;
}

const Remove = ({ isReadOnly, onRemove }: Pick<RowProps, 'isReadOnly' | 'onRemove'>) => {
  const { t } = useTranslation();
  return (
    <ActionIcon
      variant="subtle"
      color="error"
      size="lg"
      disabled={isReadOnly}
      aria-label={t('ui.remove')}
      onClick={onRemove}
    >
      <IconTrash size={18} />
    </ActionIcon>
  );
};

function PlainRow({ at, isReadOnly, onRemove, children }: RowProps) {
  const { t } = useTranslation();
  return (
    <Group align="end" wrap="nowrap" role="group" aria-label={t('ui.entry', { number: at + 1 })}>
      <div style={{ flex: 1, minInlineSize: 0 }}>{children}</div>
      <Remove isReadOnly={isReadOnly} onRemove={onRemove} />
    </Group>
  );
}

/** An entry whose place counts: moved by its grip, with the mouse or the arrow keys, or by the arrows beside it. */
function OrderedRow({ at, count, isReadOnly, onRemove, onMove, onDrag, onDrop, children }: RowProps) {
  const { t } = useTranslation();
  const number = at + 1;
  return (
    <Stack
      gap="xs"
      role="group"
      aria-label={t('ui.entry', { number })}
      p="xs"
      style={{ border: '1px solid var(--mantine-color-default-border)', borderRadius: 8 }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={onDrop}
    >
      <Group gap={2} wrap="nowrap">
        <ActionIcon
          data-grip
          variant="subtle"
          color="gray"
          draggable={!isReadOnly}
          disabled={isReadOnly}
          style={{ cursor: 'grab' }}
          aria-label={t('ui.moveEntry', { number })}
          aria-keyshortcuts="ArrowUp ArrowDown"
          onDragStart={onDrag}
          onKeyDown={(event) => {
            const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
            if (step === undefined) return;
            event.preventDefault();
            onMove(at + step);
          }}
        >
          <IconGripVertical size={18} aria-hidden />
        </ActionIcon>
        <Text fw={600} size="sm" style={{ flex: 1 }}>
          {t('ui.entry', { number })}
        </Text>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('ui.entryUp', { number })}
          disabled={isReadOnly || at === 0}
          onClick={() => onMove(at - 1)}
        >
          <IconArrowUp size={18} aria-hidden />
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('ui.entryDown', { number })}
          disabled={isReadOnly || at === count - 1}
          onClick={() => onMove(at + 1)}
        >
          <IconArrowDown size={18} aria-hidden />
        </ActionIcon>
        <Remove isReadOnly={isReadOnly} onRemove={onRemove} />
      </Group>
      {children}
    </Stack>
  );
}

/** Tells entries of a form apart; not random enough for anything else. */
const newKey = (): string => Math.random().toString(36).slice(2, 10);

function initialOf(shape: FieldShape): unknown {
  if (shape.kind === 'custom') return shape.editor === 'key' ? newKey() : shape.initial;
  if (!('initial' in shape)) return null;
  return shape.initial ?? (shape.kind === 'number' ? (shape.min ?? 0) : shape.kind === 'text' ? '' : null);
}

const emptyRow = (shape: FieldShape): Record<string, unknown> =>
  shape.kind === 'group'
    ? Object.fromEntries(
        shape.fields.flatMap(([key, inner]) => {
          const value = initialOf(inner);
          return value === undefined ? [] : [[key, value]];
        }),
      )
    : {};
