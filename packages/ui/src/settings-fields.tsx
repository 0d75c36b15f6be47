import {
  ActionIcon,
  Button,
  Checkbox,
  Fieldset,
  Group,
  MultiSelect,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { Unit } from '@pdf2press/contract';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { type Control, type FieldValues, useController, useFieldArray } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { LengthField } from './length-field.tsx';
import { LengthsField } from './lengths-field.tsx';
import { NumberField } from './number-field.tsx';
import type { FieldShape } from './settings-shape.ts';

/** Words for the settings, by their path below the form's root: `colourGray.failBelow`; an option's path ends in its value. */
export interface SettingsWords {
  label: (path: string) => string;
  help: (path: string) => string | undefined;
  option: (path: string, value: string) => string;
  /** What stands behind a label: that the value differs from the preset, say. */
  note?: (path: string) => ReactNode;
}

interface Common {
  control: Control<FieldValues>;
  words: SettingsWords;
  unit: Unit;
  onUnitChange: (unit: Unit) => void;
  isReadOnly?: boolean | undefined;
}

interface Props extends Common {
  shape: FieldShape;
  /** Where the value lies in the form. */
  name: string;
  /** Where the words lie; the root is empty. */
  path?: string;
}

/** Units that are numbers with a suffix; a suffix is written the same in every language. */
const suffixes: Record<string, string> = {
  ppi: ' ppi',
  dpi: ' dpi',
  percent: ' %',
  points: ' pt',
  area: ' mm²',
  bytes: ' B',
};

/** Fields generated from the shape of a settings schema: groups, switches, units and lists, each with the owner's words. */
export function SettingsFields({ shape, name, path = '', ...common }: Props) {
  if (shape.kind !== 'group') return <SettingsField shape={shape} name={name} path={path} {...common} />;
  const join = (base: string, key: string) => (base ? `${base}.${key}` : key);
  const plain = shape.fields.filter(([, inner]) => !isWide(inner));
  const wide = shape.fields.filter(([, inner]) => isWide(inner));
  return (
    <Stack gap="md">
      {plain.length > 0 && (
        <SimpleGrid cols={{ base: 1, sm: 2 }} verticalSpacing="md">
          {plain.map(([key, inner]) => (
            <SettingsField key={key} shape={inner} name={join(name, key)} path={join(path, key)} {...common} />
          ))}
        </SimpleGrid>
      )}
      {wide.map(([key, inner]) => (
        <SettingsField key={key} shape={inner} name={join(name, key)} path={join(path, key)} {...common} />
      ))}
    </Stack>
  );
}

const isWide = (shape: FieldShape): boolean => ['group', 'rows', 'names', 'several'].includes(shape.kind);

function SettingsField({ shape, name, path, ...common }: Required<Pick<Props, 'path'>> & Props) {
  const { words } = common;
  const label = words.label(path);
  const description = words.help(path);
  switch (shape.kind) {
    case 'group':
      return (
        <Fieldset legend={label} radius="sm" p="sm">
          {description && (
            <Text size="sm" c="dimmed" mb="sm">
              {description}
            </Text>
          )}
          <SettingsFields shape={shape} name={name} path={path} {...common} />
        </Fieldset>
      );
    case 'rows':
      return <Rows shape={shape} name={name} path={path} {...common} />;
    case 'unknown':
      return null;
    default:
      return <Leaf shape={shape} name={name} path={path} label={label} description={description} {...common} />;
  }
}

interface LeafProps extends Common {
  shape: Exclude<FieldShape, { kind: 'group' | 'rows' | 'unknown' }>;
  name: string;
  path: string;
  label: string;
  description: string | undefined;
}

function Leaf({ shape, name, path, label, description, control, words, unit, onUnitChange, isReadOnly }: LeafProps) {
  const { field, fieldState } = useController({ control, name });
  const initial = 'initial' in shape ? shape.initial : undefined;
  const value = field.value === undefined ? initial : field.value;
  const note = words.note?.(path);
  const shared = {
    label: note ? (
      <>
        {label} {note}
      </>
    ) : (
      label
    ),
    description,
    disabled: isReadOnly ?? false,
    error: fieldState.error?.message,
  };
  const options = (list: readonly string[]) =>
    list.map((option) => ({ value: option, label: words.option(path, option) }));
  switch (shape.kind) {
    case 'flag':
      return (
        <Switch
          {...shared}
          checked={value === true}
          onChange={(event) => field.onChange(event.currentTarget.checked)}
        />
      );
    case 'choice':
      return (
        <Select
          {...shared}
          data={options(shape.options)}
          value={value === null || value === undefined ? null : String(value)}
          allowDeselect={shape.isOptional}
          clearable={shape.isOptional}
          onChange={field.onChange}
        />
      );
    case 'several':
      return (
        <MultiSelect
          {...shared}
          data={options(shape.options)}
          value={(value as string[] | undefined) ?? []}
          onChange={field.onChange}
        />
      );
    case 'names':
      return <Names shared={shared} value={(value as string[] | undefined) ?? []} onChange={field.onChange} />;
    case 'text': {
      const change = (text: string) => field.onChange(text === '' && shape.isOptional ? null : text);
      const Input = shape.isLong ? Textarea : TextInput;
      return (
        <Input
          {...shared}
          value={(value as string | null) ?? ''}
          onChange={(event: { currentTarget: { value: string } }) => change(event.currentTarget.value)}
        />
      );
    }
    case 'number':
      return (
        <NumberLeaf
          shape={shape}
          shared={shared}
          value={typeof value === 'number' ? value : null}
          onChange={(next) => field.onChange(next ?? shape.offValue)}
          unit={unit}
          onUnitChange={onUnitChange}
          offWord={shape.offValue === null ? null : words.option(path, shape.offValue)}
        />
      );
    case 'lengths':
      return (
        <LengthsField
          {...shared}
          value={Array.isArray(value) ? (value as number[]) : null}
          onChange={(next) => field.onChange(next ?? shape.offValue ?? [])}
          unit={unit}
          offWord={shape.offValue === null ? null : words.option(path, shape.offValue)}
        />
      );
  }
}

interface Shared {
  label: ReactNode;
  description: ReactNode;
  disabled: boolean;
  error: ReactNode;
}

function Names({ shared, value, onChange }: { shared: Shared; value: string[]; onChange: (value: string[]) => void }) {
  const { t } = useTranslation();
  return (
    <TagsInput
      {...shared}
      value={value}
      onChange={onChange}
      placeholder={t('ui.typeAndEnter')}
      splitChars={[';']}
      acceptValueOnBlur
    />
  );
}

interface NumberLeafProps {
  shape: Extract<FieldShape, { kind: 'number' }>;
  shared: Shared;
  value: number | null;
  onChange: (value: number | null) => void;
  unit: Unit;
  onUnitChange: (unit: Unit) => void;
  /** What is said where no number is given. */
  offWord: string | null;
}

/** A number or a length; one that may be off carries a box in its label that switches it on. */
function NumberLeaf({ shape, shared, value, onChange, unit, onUnitChange, offWord }: NumberLeafProps) {
  const { t } = useTranslation();
  const id = useId();
  const isOff = shape.isOptional && value === null;
  const fallback = typeof shape.initial === 'number' ? shape.initial : (shape.min ?? 0);
  const field =
    shape.unit === 'length' ? (
      <LengthField
        {...shared}
        label={shape.isOptional ? null : shared.label}
        description={shape.isOptional ? null : shared.description}
        value={value}
        onChange={onChange}
        unit={unit}
        onUnitChange={onUnitChange}
        min={shape.min}
        max={shape.max}
        disabled={shared.disabled || isOff}
        placeholder={isOff ? (offWord ?? t('ui.off')) : ''}
        labelledBy={shape.isOptional ? id : undefined}
      />
    ) : (
      <NumberField
        {...shared}
        label={shape.isOptional ? null : shared.label}
        description={shape.isOptional ? null : shared.description}
        aria-labelledby={shape.isOptional ? id : undefined}
        value={value}
        onChange={onChange}
        allowDecimal={!shape.isInteger}
        {...(shape.min !== undefined ? { min: shape.min } : {})}
        {...(shape.max !== undefined ? { max: shape.max } : {})}
        suffix={suffixes[shape.unit ?? ''] ?? ''}
        placeholder={isOff ? (offWord ?? t('ui.off')) : ''}
        disabled={shared.disabled || isOff}
      />
    );
  if (!shape.isOptional) return field;
  return (
    <div>
      <Checkbox
        mb={4}
        label={<span id={id}>{shared.label}</span>}
        description={shared.description}
        checked={!isOff}
        disabled={shared.disabled}
        onChange={(event) => onChange(event.currentTarget.checked ? fallback : null)}
      />
      {field}
    </div>
  );
}

function Rows({
  shape,
  name,
  path,
  control,
  words,
  isReadOnly,
  ...units
}: Common & { shape: Extract<FieldShape, { kind: 'rows' }>; name: string; path: string }) {
  const { t } = useTranslation();
  const { fields, append, remove } = useFieldArray({ control, name });
  return (
    <Fieldset legend={words.label(path)} radius="sm" p="sm">
      <Stack gap="sm">
        {fields.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('ui.noEntries')}
          </Text>
        )}
        {fields.map((field, at) => (
          <Group key={field.id} align="end" wrap="nowrap" role="group" aria-label={t('ui.entry', { number: at + 1 })}>
            <div style={{ flex: 1 }}>
              <SettingsFields
                shape={shape.row}
                name={`${name}.${at}`}
                path={path}
                control={control}
                words={words}
                isReadOnly={isReadOnly}
                {...units}
              />
            </div>
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
            onClick={() => append(emptyRow(shape.row))}
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
