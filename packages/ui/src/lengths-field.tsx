import { Checkbox, TextInput } from '@mantine/core';
import { fromPoints, parseLength, type Unit, unitSymbols } from '@pdf2press/contract';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';

interface Props {
  label: ReactNode;
  description?: ReactNode;
  /** Points; null if the word for "no list" is chosen. */
  value: readonly number[] | null;
  onChange: (points: number[] | null) => void;
  unit: Unit;
  /** The word for no list: `twice the bleed`. Null where there is always a list. */
  offWord: string | null;
  disabled?: boolean;
  error?: ReactNode;
}

/** Several lengths in one field, separated by semicolons: `6 mm; 0 mm; 6 mm`. Stored in points. */
export function LengthsField({ label, description, value, onChange, unit, offWord, disabled = false, error }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const [draft, setDraft] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const written = (value ?? []).map(
    (points) => `${Number(fromPoints(points, unit).toPrecision(6))} ${unitSymbols[unit]}`,
  );
  const take = () => {
    if (draft === null) return;
    const lengths = draft.split(';').map((part) => parseLength(part, unit));
    const points = lengths.filter((length): length is number => length !== null && length >= 0);
    if (points.length < lengths.length) return setFault(t('ui.noLength'));
    setFault(null);
    setDraft(null);
    onChange(points);
  };
  const isOff = offWord !== null && value === null;
  return (
    <div>
      {offWord !== null && (
        <Checkbox
          mb={4}
          label={<span id={id}>{label}</span>}
          description={description}
          checked={!isOff}
          disabled={disabled}
          onChange={(event) => onChange(event.currentTarget.checked ? [0] : null)}
        />
      )}
      <TextInput
        label={offWord === null ? label : null}
        aria-labelledby={offWord === null ? undefined : id}
        disabled={disabled || isOff}
        placeholder={offWord ?? ''}
        value={draft ?? written.join('; ')}
        error={fault ?? error}
        onChange={(event) => setDraft(event.currentTarget.value)}
        onBlur={take}
        onKeyDown={(event) => {
          if (event.key === 'Enter') take();
        }}
      />
    </div>
  );
}
