import { Group, MultiSelect, NumberInput, Select, TagsInput, TextInput } from '@mantine/core';
import type { FactType, Operand, Operator } from '@pdf2press/settings';
import { BytesField, LengthField, NumberField } from '@pdf2press/ui';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useUnit } from '../preferences/use-unit.ts';

type Constant = Exclude<Operand, object>;

export interface ValueProps {
  label: string;
  value: Constant | undefined;
  onChange: (value: Constant | undefined) => void;
  disabled: boolean;
  error: ReactNode;
}

interface Kind {
  asks: Operator['asks'];
  type: FactType;
  /** The words of a choice, with what they are called. */
  options: readonly { value: string; label: string }[] | null;
}

/** 1 for Monday to 7 for Sunday, as weekdays are stored; 2024 began on a Monday. */
const weekdays = (language: string) =>
  Array.from({ length: 7 }, (_, at) => ({
    value: String(at + 1),
    label: new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, 0, at + 1)),
  }));

/** The field for one constant that an operator asks for. */
export function ConstantField({ kind, ...props }: ValueProps & { kind: Kind }) {
  const { t } = useTranslation();
  const { label, value, onChange, disabled, error } = props;
  const shared = { label, disabled, error };
  const text = value === undefined ? '' : String(value);
  switch (kind.asks) {
    case 'same':
      return <MeasuredField {...props} type={kind.type} />;
    case 'count':
      return (
        <NumberInput
          {...shared}
          min={0}
          allowDecimal={false}
          value={value === undefined ? '' : Number(value)}
          onChange={(next) => onChange(typeof next === 'number' ? next : undefined)}
        />
      );
    case 'yesNo':
      return (
        <Select
          {...shared}
          allowDeselect={false}
          data={[
            { value: 'true', label: t('common.yes') },
            { value: 'false', label: t('common.no') },
          ]}
          value={value === undefined ? null : text}
          onChange={(next) => onChange(next === 'true')}
        />
      );
    case 'duration':
      return <DurationField {...props} />;
    case 'date':
    case 'clock':
      return (
        <TextInput
          {...shared}
          type={kind.asks === 'date' ? 'date' : 'time'}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value || undefined)}
        />
      );
    default:
      return kind.options ? (
        <Select
          {...shared}
          searchable
          allowDeselect={false}
          data={[...kind.options]}
          value={text === '' ? null : text}
          onChange={(next) => onChange(next ?? undefined)}
        />
      ) : (
        <TextInput
          {...shared}
          value={text}
          maxLength={2000}
          spellCheck={false}
          {...(kind.asks === 'pattern' && { ff: 'var(--p2p-mono)' })}
          onChange={(event) => onChange(event.currentTarget.value || undefined)}
        />
      );
  }
}

/** A number in the unit of what it is compared with. */
function MeasuredField({ type, value, onChange, ...shared }: ValueProps & { type: FactType }) {
  const [unit, setUnit] = useUnit();
  const number = typeof value === 'number' ? value : null;
  const change = (next: number | null) => onChange(next ?? undefined);
  if (type === 'Length')
    return <LengthField {...shared} value={number} unit={unit} onUnitChange={setUnit} onChange={change} />;
  const Field = type === 'Bytes' ? BytesField : NumberField;
  return <Field {...shared} value={number} onChange={change} />;
}

const spans = ['m', 'h', 'd', 'w'] as const;

/** A span of time, stored as `3d`. */
function DurationField({ value, onChange, label, ...shared }: ValueProps) {
  const { t } = useTranslation();
  const [, number = '', unit = 'd'] = /^(\d*)\s*([mhdw])$/.exec(String(value ?? '')) ?? [];
  return (
    <Group wrap="nowrap" align="start" gap="xs">
      <NumberInput
        {...shared}
        label={label}
        min={1}
        allowDecimal={false}
        value={number === '' ? '' : Number(number)}
        onChange={(next) => onChange(next === '' ? undefined : `${next}${unit}`)}
      />
      <Select
        label={t('rules.timeUnit')}
        disabled={shared.disabled}
        allowDeselect={false}
        data={spans.map((span) => ({ value: span, label: t(`rules.span.${span}`) }))}
        value={unit}
        onChange={(next) => onChange(`${number || 1}${next}`)}
      />
    </Group>
  );
}

const asVariable = /^\{\{\s*([^{}|]+?)\s*\}\}$/;
/** An entry of a list as it is typed: a variable stands in double braces. */
const typed = (operand: Operand): string => (typeof operand === 'object' ? `{{${operand.variable}}}` : String(operand));
const readTyped = (text: string): Operand => {
  const name = asVariable.exec(text)?.[1];
  return name === undefined ? text : { variable: name };
};

/** The field for a list of values. */
export function ListField({
  label,
  value,
  onChange,
  kind,
  disabled,
  error,
}: Omit<ValueProps, 'value' | 'onChange'> & {
  value: readonly Operand[];
  onChange: (value: Operand[]) => void;
  kind: Kind;
}) {
  const { t, i18n } = useTranslation();
  const shared = { label, disabled, error };
  const data = kind.asks === 'weekday' ? weekdays(i18n.language) : kind.options;
  if (!data)
    return (
      <TagsInput
        {...shared}
        value={value.map(typed)}
        placeholder={t('ui.typeAndEnter')}
        acceptValueOnBlur
        onChange={(next) => onChange(next.map(readTyped))}
      />
    );
  return (
    <MultiSelect
      {...shared}
      data={[...data]}
      value={value.map(typed)}
      onChange={(next) => onChange(kind.asks === 'weekday' ? next.map(Number) : next)}
    />
  );
}
