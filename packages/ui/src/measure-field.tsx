import { NativeSelect, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';

export interface MeasureFieldProps {
  label: ReactNode;
  description?: ReactNode;
  /** As stored: points, square points or bytes. */
  value: number | null;
  onChange: (value: number | null) => void;
  /** Called with the fault of the text in the field, and with null when it is valid again. */
  onFault?: ((fault: string | null) => void) | undefined;
  /** As stored. */
  min?: number | undefined;
  max?: number | undefined;
  disabled?: boolean | undefined;
  error?: ReactNode;
  placeholder?: string | undefined;
  /** The label, if it is outside of the field. */
  labelledBy?: string | undefined;
}

interface Props extends MeasureFieldProps {
  /** Parses a text to the stored value; null if invalid. */
  parse: (text: string) => number | null;
  /** A value without its unit. */
  show: (value: number) => string;
  /** A limit, with its unit. */
  say: (value: number) => string;
  /** The sentence for invalid text. */
  hint: string;
  unit: string;
  units: readonly { value: string; label: string }[];
  onUnitChange: (unit: string) => void;
}

/**
 * A value with a unit selector. Stores exactly what was typed, not the rounded display; invalid text stays in the field
 * with its fault.
 */
export function MeasureField(props: Props) {
  const { label, description, value, onChange, onFault, min, max, error, parse, show, say, hint } = props;
  const { t } = useTranslation();
  const [draft, setDraft] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const isDisabled = props.disabled ?? false;
  const tell = (found: string | null) => {
    setFault(found);
    onFault?.(found);
  };
  const take = () => {
    if (draft === null) return;
    const read = draft.trim() === '' ? null : parse(draft);
    if (read === null) return tell(hint);
    if (min !== undefined && read < min) return tell(t('value.min', { min: say(min) }));
    if (max !== undefined && read > max) return tell(t('value.max', { max: say(max) }));
    tell(null);
    setDraft(null);
    onChange(read);
  };
  return (
    <TextInput
      label={label}
      description={description}
      inputMode="decimal"
      aria-labelledby={props.labelledBy}
      placeholder={props.placeholder ?? ''}
      disabled={isDisabled}
      value={draft ?? (value === null ? '' : show(value))}
      error={fault ?? error}
      onChange={(event) => setDraft(event.currentTarget.value)}
      onBlur={take}
      onKeyDown={(event) => {
        if (event.key === 'Enter') take();
      }}
      rightSectionWidth={68}
      rightSectionPointerEvents="auto"
      rightSection={
        <NativeSelect
          size="xs"
          rightSectionWidth={18}
          styles={{
            input: { border: 'none', background: 'transparent', minHeight: 0, height: 28, paddingInline: '4px 18px' },
          }}
          aria-label={t('ui.unit')}
          disabled={isDisabled}
          value={props.unit}
          data={props.units}
          onChange={(event) => {
            take();
            props.onUnitChange(event.currentTarget.value);
          }}
        />
      }
    />
  );
}

/** A number in the reader's language without digit grouping, for editing. */
export const editable = (value: number, digits: number, language: string): string =>
  new Intl.NumberFormat(language, { useGrouping: false, maximumFractionDigits: digits }).format(value);

/** Parses a number with point or comma; null if invalid. */
export function parseNumber(text: string): number | null {
  const plain = text.trim().replace(',', '.');
  const value = Number(plain);
  return plain !== '' && Number.isFinite(value) ? value : null;
}
