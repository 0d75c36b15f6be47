import { Checkbox } from '@mantine/core';
import type { Unit } from '@pdf2press/contract';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { BytesField } from './bytes-field.tsx';
import { AreaField, LengthField } from './length-field.tsx';
import type { MeasureFieldProps } from './measure-field.tsx';
import { NumberField } from './number-field.tsx';
import type { FieldShape } from './settings-shape.ts';
import type { SharedProps } from './settings-words.ts';

/** Units that are numbers with a suffix; a suffix is written the same in every language. */
const suffixes: Record<string, string> = { ppi: ' ppi', dpi: ' dpi', percent: ' %', points: ' pt' };

interface NumberLeafProps {
  shape: Extract<FieldShape, { kind: 'number' }>;
  shared: SharedProps;
  value: number | null;
  onChange: (value: number | null) => void;
  unit: Unit;
  onUnitChange: (unit: Unit) => void;
  onFault: (fault: string | null) => void;
  /** Placeholder for a missing number. */
  offWord: string | null;
}

/** A number or a length; an optional one has a checkbox in its label. */
export function NumberLeaf({ shape, shared, value, onChange, unit, onUnitChange, onFault, offWord }: NumberLeafProps) {
  const { t } = useTranslation();
  const id = useId();
  const isOff = shape.isOptional && value === null;
  const fallback = typeof shape.initial === 'number' ? shape.initial : (shape.min ?? 0);
  const measure = {
    ...shared,
    label: shape.isOptional ? null : shared.label,
    description: shape.isOptional ? null : shared.description,
    value,
    onChange,
    onFault,
    min: shape.min,
    max: shape.max,
    disabled: shared.disabled || isOff,
    placeholder: isOff ? (offWord ?? t('ui.off')) : '',
    labelledBy: shape.isOptional ? id : undefined,
  };
  const field = isMeasured(shape.unit) ? (
    <Measured kind={shape.unit} field={measure} unit={unit} onUnitChange={onUnitChange} />
  ) : (
    <NumberField
      {...shared}
      label={measure.label}
      description={measure.description}
      aria-labelledby={measure.labelledBy}
      value={value}
      onChange={onChange}
      allowDecimal={!shape.isInteger}
      {...(shape.min !== undefined ? { min: shape.min } : {})}
      {...(shape.max !== undefined ? { max: shape.max } : {})}
      suffix={suffixes[shape.unit ?? ''] ?? ''}
      placeholder={measure.placeholder}
      disabled={measure.disabled}
    />
  );
  if (!shape.isOptional) return field;
  return (
    <div>
      <Checkbox
        mb={4}
        styles={{ label: { fontWeight: 600 } }}
        label={<span id={id}>{shared.label}</span>}
        description={shared.description}
        checked={!isOff}
        disabled={shared.disabled}
        onChange={(event) => {
          onFault(null);
          onChange(event.currentTarget.checked ? fallback : null);
        }}
      />
      {field}
    </div>
  );
}

const measures = ['length', 'area', 'bytes'] as const;
type MeasureKind = (typeof measures)[number];
const isMeasured = (unit: string | null): unit is MeasureKind => measures.some((kind) => kind === unit);

/** The field of a value with a unit of the reader's choice. */
function Measured({
  kind,
  field,
  unit,
  onUnitChange,
}: {
  kind: MeasureKind;
  field: MeasureFieldProps;
  unit: Unit;
  onUnitChange: (unit: Unit) => void;
}) {
  if (kind === 'bytes') return <BytesField {...field} />;
  const Field = kind === 'area' ? AreaField : LengthField;
  return <Field {...field} unit={unit} onUnitChange={onUnitChange} />;
}
