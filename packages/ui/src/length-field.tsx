import { NativeSelect, TextInput } from '@mantine/core';
import { formatLength, fromPoints, parseLength, type Unit, unitSymbols, units } from '@pdf2press/contract';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';

export interface LengthFieldProps {
  label: ReactNode;
  description?: ReactNode;
  /** Points. */
  value: number | null;
  onChange: (points: number | null) => void;
  unit: Unit;
  onUnitChange: (unit: Unit) => void;
  /** Points. */
  min?: number | undefined;
  max?: number | undefined;
  disabled?: boolean | undefined;
  error?: ReactNode;
  placeholder?: string | undefined;
  /** The label, where it stands outside of the field. */
  labelledBy?: string | undefined;
}

/** Enough digits for a hundredth of a point, and none that say nothing. */
const shown = (points: number, unit: Unit): string => String(Number(fromPoints(points, unit).toPrecision(7)));

/**
 * A length: kept in points, written in the unit of the reader's choice, with the unit switch in the field. What is typed
 * may name another unit (`3mm`, `0.125in`); what is stored is exactly that length, never the rounded display.
 */
export function LengthField(props: LengthFieldProps) {
  const {
    label,
    description,
    value,
    onChange,
    unit,
    onUnitChange,
    min,
    max,
    disabled,
    error,
    placeholder = '',
  } = props;
  const { t, i18n } = useTranslation();
  const [draft, setDraft] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const text = draft ?? (value === null ? '' : shown(value, unit));
  const take = () => {
    if (draft === null) return;
    const points = draft.trim() === '' ? null : parseLength(draft, unit);
    if (points === null) {
      setFault(t('ui.noLength'));
      return;
    }
    const isBelow = min !== undefined && points < min;
    if (isBelow || (max !== undefined && points > max)) {
      const limit = formatLength((isBelow ? min : max) ?? 0, unit, i18n.language);
      setFault(t(isBelow ? 'value.min' : 'value.max', { min: limit, max: limit }));
      return;
    }
    setFault(null);
    setDraft(null);
    onChange(points);
  };
  return (
    <TextInput
      label={label}
      description={description}
      inputMode="decimal"
      aria-labelledby={props.labelledBy}
      placeholder={placeholder}
      disabled={disabled ?? false}
      value={text}
      error={fault ?? error}
      onChange={(event) => setDraft(event.currentTarget.value)}
      onBlur={take}
      onKeyDown={(event) => {
        if (event.key === 'Enter') take();
      }}
      rightSectionWidth={64}
      rightSectionPointerEvents="auto"
      rightSection={
        <NativeSelect
          size="xs"
          rightSectionWidth={18}
          styles={{
            input: { border: 'none', background: 'transparent', minHeight: 0, height: 28, paddingInline: '4px 18px' },
          }}
          aria-label={t('ui.unit')}
          disabled={disabled ?? false}
          value={unit}
          data={units.map((one) => ({ value: one, label: unitSymbols[one] }))}
          onChange={(event) => {
            take();
            onUnitChange(event.currentTarget.value as Unit);
          }}
        />
      }
    />
  );
}
