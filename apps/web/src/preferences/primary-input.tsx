import { ColorInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { contrast, isHex, primaryShades } from '../theme/colours.ts';
import { paletteOf } from '../theme/palette.ts';

const swatches = ['#0d9494', '#1d63ad', '#5b5bd6', '#a8327d', '#c2410c', '#a16207', '#3f7d20', '#475569'];

interface Props {
  name: 'primaryLight' | 'primaryDark';
  value: string;
  error?: string | undefined;
  onChange: (colour: string) => void;
}

/** The primary colour of a theme, its contrast, and the shade used for text if that is too low. */
export function PrimaryInput({ name, value, error, onChange }: Props) {
  const { t } = useTranslation();
  const isDark = name === 'primaryDark';
  return (
    <ColorInput
      label={t(`customizer.${name}`)}
      description={isHex(value) && sayContrast(value)}
      value={value}
      format="hex"
      swatches={swatches}
      withEyeDropper={false}
      error={error}
      onChange={onChange}
    />
  );

  function sayContrast(colour: `#${string}`): string {
    const { surface, canvas } = paletteOf(isDark);
    const { strong } = primaryShades(colour, { isDark, surface, canvas });
    const ratio = contrast(colour, surface).toFixed(2);
    return strong === colour ? t('customizer.ratio', { ratio }) : t('customizer.corrected', { ratio, shade: strong });
  }
}
