import {
  Fieldset,
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
import { decidingSettings, settingApplies } from '@pdf2press/settings';
import { useRef } from 'react';
import { useController, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { AttachmentField } from './attachment-field.tsx';
import { faultOf } from './field-fault.ts';
import { LengthsField } from './lengths-field.tsx';
import { NumberLeaf } from './number-leaf.tsx';
import { RowsField } from './rows-field.tsx';
import type { FieldShape } from './settings-shape.ts';
import type { SettingsCommon, SharedProps } from './settings-words.ts';
import { TupleField } from './tuple-field.tsx';

interface Props extends SettingsCommon {
  shape: FieldShape;
  /** Path of the value in the form. */
  name: string;
  /** Path of the messages; empty at the root. */
  path?: string;
}

type Group = Extract<FieldShape, { kind: 'group' }>;

/** Fields generated from the shape of a settings schema, with the texts of its owner. */
export function SettingsFields({ shape, name, path = '', ...common }: Props) {
  if (shape.kind !== 'group') return <SettingsField shape={shape} name={name} path={path} {...common} />;
  const Fields = shape.fields.some(([, { appliesWhen }]) => appliesWhen) ? FieldsThatApply : GroupFields;
  return <Fields shape={shape} name={name} path={path} {...common} />;
}

type GroupProps = SettingsCommon & { shape: Group; name: string; path: string };

const join = (base: string, key: string) => (base ? `${base}.${key}` : key);

/** The fields of a group that apply to the current values. A hidden field keeps its value. */
function FieldsThatApply({ shape, ...rest }: GroupProps) {
  const deciding = [...new Set(shape.fields.flatMap(([, { appliesWhen }]) => decidingSettings(appliesWhen ?? {})))];
  const values = useWatch({ control: rest.control, name: deciding.map((key) => join(rest.name, key)) });
  const initials = new Map(shape.fields.map(([key, inner]) => [key, 'initial' in inner ? inner.initial : undefined]));
  const siblings = Object.fromEntries(deciding.map((key, at) => [key, values[at] ?? initials.get(key)]));
  const fields = shape.fields.filter(([, { appliesWhen }]) => !appliesWhen || settingApplies(appliesWhen, siblings));
  return <GroupFields shape={{ ...shape, fields }} {...rest} />;
}

function GroupFields({ shape, name, path, ...common }: GroupProps) {
  const plain = shape.fields.filter(([, inner]) => !isWide(inner));
  const wide = shape.fields.filter(([, inner]) => isWide(inner));
  return (
    <Stack gap="md">
      {plain.length > 0 && (
        <SimpleGrid type="container" cols={{ base: 1, '400px': 2 }} verticalSpacing="md">
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

const isWide = (shape: FieldShape): boolean =>
  ['group', 'rows', 'names', 'several', 'numbers', 'tuple'].includes(shape.kind);

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
      return (
        <RowsField label={label} row={shape.row} name={name} control={common.control} isReadOnly={common.isReadOnly}>
          {(rowName) => <SettingsFields shape={shape.row} name={rowName} path={path} {...common} />}
        </RowsField>
      );
    case 'tuple':
      return (
        <TupleField shape={shape} name={name} label={label} help={description} {...common}>
          {(part, at) => (
            <SettingsFields key={at} shape={part} name={`${name}.${at}`} path={`${path}.${at}`} {...common} />
          )}
        </TupleField>
      );
    case 'unknown':
      return null;
    default:
      return <Leaf shape={shape} name={name} path={path} label={label} description={description} {...common} />;
  }
}

interface LeafProps extends SettingsCommon {
  shape: Exclude<FieldShape, { kind: 'group' | 'rows' | 'tuple' | 'unknown' }>;
  name: string;
  path: string;
  label: string;
  description: string | undefined;
}

function Leaf({ shape, name, path, label, description, control, words, unit, onUnitChange, isReadOnly }: LeafProps) {
  const { t } = useTranslation();
  // The fault of invalid text, which has no value in the form.
  const typed = useRef<string | null>(null);
  const validate = (value: unknown) => typed.current ?? faultOf(shape, value, t) ?? true;
  const { field, fieldState } = useController({ control, name, rules: { validate } });
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
          onFault={(fault) => {
            typed.current = fault;
          }}
          offWord={shape.offValue === null ? null : words.option(path, shape.offValue)}
        />
      );
    case 'attachment':
      return (
        <AttachmentField
          shape={shape}
          shared={shared}
          value={value}
          onChange={field.onChange}
          onFault={(fault) => {
            typed.current = fault;
          }}
        />
      );
    case 'numbers':
      return (
        <Names
          shared={shared}
          value={((value as number[] | undefined) ?? []).map(String)}
          onChange={(next) => field.onChange(next.map(Number).filter(Number.isInteger))}
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

function Names({
  shared,
  value,
  onChange,
}: {
  shared: SharedProps;
  value: string[];
  onChange: (value: string[]) => void;
}) {
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
