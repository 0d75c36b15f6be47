import { NativeSelect, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';

export interface MeasureFieldProps {
  label: ReactNode;
  description?: ReactNode;
  /** As stored: points, square points or bytes. */
  value: number | null;
  onChange: (value: number | null) => void;
  /** Told what is wrong with the text that stands in the field, and null once it is right again. */
  onFault?: ((fault: string | null) => void) | undefined;
  /** As stored. */
  min?: number | undefined;
  max?: number | undefined;
  disabled?: boolean | undefined;
  error?: ReactNode;
  placeholder?: string | undefined;
  /** The label, where it stands outside of the field. */
  labelledBy?: string | undefined;
}

interface Props extends MeasureFieldProps {
  /** What a text means, as stored; null where it means nothing. */
  parse: (text: string) => number | null;
  /** A value without its unit. */
  show: (value: number) => string;
  /** A limit, with its unit. */
  say: (value: number) => string;
  /** What to write, for a text that means nothing. */
  hint: string;
  unit: string;
  units: readonly { value: string; label: string }[];
  onUnitChange: (unit: string) => void;
}

/**
 * A measured value with the switch of its unit in the field. What is stored is exactly what was typed, never the rounded
 * display; a text that means nothing, or too much, stays in the field and is told.
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

/** A number as the reader's language writes it, without groups: it is to be edited. */
export const editable = (value: number, digits: number, language: string): string =>
  new Intl.NumberFormat(language, { useGrouping: false, maximumFractionDigits: digits }).format(value);

/** A number as people of any language type it; null when it is none. */
export function parseNumber(text: string): number | null {
  const plain = text.trim().replace(',', '.');
  const value = Number(plain);
  return plain !== '' && Number.isFinite(value) ? value : null;
}
