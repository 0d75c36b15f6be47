import { NumberInput, type NumberInputProps } from '@mantine/core';

type Props = Omit<NumberInputProps, 'value' | 'onChange'> & {
  value: number | null;
  onChange: (value: number | null) => void;
};

/** A number with its unit behind it. Nothing typed is null. */
export function NumberField({ value, onChange, ...rest }: Props) {
  return (
    <NumberInput
      {...rest}
      value={value ?? ''}
      clampBehavior="none"
      onChange={(given) => onChange(given === '' || !Number.isFinite(Number(given)) ? null : Number(given))}
    />
  );
}
