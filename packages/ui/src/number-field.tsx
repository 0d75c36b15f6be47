import { NumberInput, type NumberInputProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';

type Props = Omit<NumberInputProps, 'value' | 'onChange'> & {
  value: number | null;
  onChange: (value: number | null) => void;
};

/** The decimal separator of a language. */
const decimalSign = (language: string): string =>
  new Intl.NumberFormat(language).formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.';

/** A number with a unit suffix and the decimal separator of the language; point and comma are both accepted. Empty is null. */
export function NumberField({ value, onChange, ...rest }: Props) {
  const { i18n } = useTranslation();
  return (
    <NumberInput
      {...rest}
      value={value ?? ''}
      clampBehavior="none"
      decimalSeparator={decimalSign(i18n.language)}
      allowedDecimalSeparators={['.', ',']}
      onChange={(given) => onChange(given === '' || !Number.isFinite(Number(given)) ? null : Number(given))}
    />
  );
}
