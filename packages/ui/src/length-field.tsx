import { formatLength, fromPoints, parseLength, toPoints, type Unit, unitSymbols, units } from '@pdf2press/contract';
import { useTranslation } from 'react-i18next';
import { editable, MeasureField, type MeasureFieldProps, parseNumber } from './measure-field.tsx';

export interface LengthFieldProps extends MeasureFieldProps {
  unit: Unit;
  onUnitChange: (unit: Unit) => void;
}

/** Decimal places of each unit; finer differences do not matter in print. */
const digits: Record<Unit, number> = { Inches: 4, Millimeters: 3, Centimeters: 4, Meters: 6, Feet: 5 };

const isUnit = (text: string): text is Unit => units.some((unit) => unit === text);

/**
 * A length: stored in points, shown in the reader's unit. The text may name another unit (`3mm`, `0.125in`, `12pt`).
 */
export function LengthField({ unit, onUnitChange, ...rest }: LengthFieldProps) {
  const { t, i18n } = useTranslation();
  return (
    <MeasureField
      {...rest}
      parse={(text) => parseLength(text, unit)}
      show={(points) => editable(fromPoints(points, unit), digits[unit], i18n.language)}
      say={(points) => formatLength(points, unit, i18n.language)}
      hint={t('ui.noLength')}
      unit={unit}
      units={units.map((value) => ({ value, label: unitSymbols[value] }))}
      onUnitChange={(chosen) => isUnit(chosen) && onUnitChange(chosen)}
    />
  );
}

/** An area: stored in square points, shown in the square of the reader's unit. */
export function AreaField({ unit, onUnitChange, ...rest }: LengthFieldProps) {
  const { t, i18n } = useTranslation();
  const square = toPoints(1, unit) ** 2;
  const show = (value: number) => editable(value / square, digits[unit], i18n.language);
  const parse = (text: string): number | null => {
    const read = parseNumber(text);
    return read === null ? null : read * square;
  };
  return (
    <MeasureField
      {...rest}
      parse={parse}
      show={show}
      say={(value) => `${show(value)} ${unitSymbols[unit]}²`}
      hint={t('ui.noNumber')}
      unit={unit}
      units={units.map((value) => ({ value, label: `${unitSymbols[value]}²` }))}
      onUnitChange={(chosen) => isUnit(chosen) && onUnitChange(chosen)}
    />
  );
}
