import { Fieldset, MultiSelect, Select, SimpleGrid, Stack, Switch, TagsInput, Text } from '@mantine/core';
import { decidingSettings, settingApplies } from '@pdf2press/settings';
import { useContext, useRef } from 'react';
import { useController, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { AttachmentField } from './attachment-field.tsx';
import { FieldSurroundings } from './field-editors.ts';
import { faultOf } from './field-fault.ts';
import { LengthsField } from './lengths-field.tsx';
import { NumberLeaf } from './number-leaf.tsx';
import { RowsField } from './rows-field.tsx';
import type { FieldShape } from './settings-shape.ts';
import type { SettingsCommon, SharedProps } from './settings-words.ts';
import { TextSetting } from './text-setting.tsx';
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
  return (
    <Stack gap="md">
      {partsOf(shape).map((part) => {
        const fields = part.fields.map(([key, inner]) => (
          <SettingsField key={key} shape={inner} name={join(name, key)} path={join(path, key)} {...common} />
        ));
        return part.isWide ? (
          fields
        ) : (
          <SimpleGrid key={part.fields[0]?.[0]} type="container" cols={{ base: 1, '400px': 2 }} verticalSpacing="md">
            {fields}
          </SimpleGrid>
        );
      })}
    </Stack>
  );
}

interface Part {
  isWide: boolean;
  fields: Group['fields'];
}

/**
 * The fields of a group as they stand: small ones beside each other, then the wide ones, each on a line of its own; fields
 * with an editor of their own stay where they are. Where one field decides about the others, and where the schema asks for
 * it, the order tells what belongs together and is kept.
 */
function partsOf({ fields, decidedBy, isInOrder }: Group): Part[] {
  const parts: Part[] = [];
  const isLast = (shape: FieldShape) => isWide(shape) && shape.kind !== 'custom';
  const inOrder =
    decidedBy || isInOrder
      ? fields
      : [...fields.filter(([, one]) => !isLast(one)), ...fields.filter(([, one]) => isLast(one))];
  for (const field of inOrder) {
    const last = parts.at(-1);
    if (last && last.isWide === isWide(field[1]))
      parts[parts.length - 1] = { ...last, fields: [...last.fields, field] };
    else parts.push({ isWide: isWide(field[1]), fields: [field] });
  }
  return parts;
}

const isWide = (shape: FieldShape): boolean =>
  ['group', 'rows', 'names', 'several', 'numbers', 'tuple', 'custom'].includes(shape.kind);

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
        <RowsField
          label={label}
          help={description}
          row={shape.row}
          isOrdered={shape.isOrdered ?? false}
          name={name}
          control={common.control}
          isReadOnly={common.isReadOnly}
        >
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
    case 'custom':
      return <Custom shape={shape} name={name} path={path} {...common} />;
    case 'unknown':
      return null;
    default:
      return (
        <div data-field={name}>
          <Leaf shape={shape} name={name} path={path} label={label} description={description} {...common} />
        </div>
      );
  }
}

/** A value with an editor of its own, where there is one. */
function Custom({
  shape,
  ...rest
}: SettingsCommon & { shape: Extract<FieldShape, { kind: 'custom' }>; name: string; path: string }) {
  const { editors, faultOf: fault } = useContext(FieldSurroundings);
  const Editor = Object.hasOwn(editors, shape.editor) ? editors[shape.editor] : undefined;
  if (!Editor) return null;
  return <Editor {...rest} of={shape.of} initial={shape.initial} fault={fault(rest.name)} />;
}

/** What is wrong with a value; of a list that one field holds, also with one of its entries. */
const faultIn = ({ faultOf: fault }: FieldSurroundings, name: string, value: unknown): string | undefined =>
  fault(name) ?? (Array.isArray(value) ? value.map((_, at) => fault(`${name}.${at}`)).find(Boolean) : undefined);

interface LeafProps extends SettingsCommon {
  shape: Exclude<FieldShape, { kind: 'group' | 'rows' | 'tuple' | 'custom' | 'unknown' }>;
  name: string;
  path: string;
  label: string;
  description: string | undefined;
}

/** The field of a single value. Long because it has one case per kind of value, each a few lines. */
function Leaf({ shape, name, path, label, description, control, words, unit, onUnitChange, isReadOnly }: LeafProps) {
  const { t } = useTranslation();
  const around = useContext(FieldSurroundings);
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
    error: fieldState.error?.message ?? faultIn(around, name, value),
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
    case 'text':
      return (
        <TextSetting
          {...shared}
          lines={shape.lines}
          placeholders={shape.placeholders}
          value={(value as string | null) ?? ''}
          onChange={(text) => field.onChange(text === '' && shape.isOptional ? null : text)}
        />
      );
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
