import { formatBytes } from '@pdf2press/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { editable, MeasureField, type MeasureFieldProps, parseNumber } from './measure-field.tsx';

/** Units of 1024, named as in `formatBytes`. */
const names = ['B', 'KB', 'MB', 'GB'] as const;
const sizeOf = (name: string): number => 1024 ** Math.max(0, names.indexOf(name as (typeof names)[number]));

/** The largest unit that gives a value of at least 1. */
const unitFor = (bytes: number | null): string =>
  names[Math.max(0, Math.min(names.length - 1, Math.floor(Math.log2(Math.max(1, bytes ?? 1)) / 10)))] ?? 'B';

/** A file size: stored in bytes, shown in its largest unit or the chosen one. */
export function BytesField(props: MeasureFieldProps) {
  const { t, i18n } = useTranslation();
  const [chosen, setChosen] = useState<string | null>(null);
  const unit = chosen ?? unitFor(props.value);
  return (
    <MeasureField
      {...props}
      parse={(text) => {
        const read = parseNumber(text);
        return read === null ? null : Math.round(read * sizeOf(unit));
      }}
      show={(bytes) => editable(bytes / sizeOf(unit), 3, i18n.language)}
      say={formatBytes}
      hint={t('ui.noNumber')}
      unit={unit}
      units={names.map((value) => ({ value, label: value }))}
      onUnitChange={setChosen}
    />
  );
}
