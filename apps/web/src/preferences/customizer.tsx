import { Button, ColorInput, Drawer, Input, SegmentedControl, Stack, Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { contrast, isHex, primaryShades } from '../theme/colours.ts';
import { paletteOf } from '../theme/palette.ts';
import { defaultPreferences, type Preferences, setPreferences, usePreferences } from './preferences.ts';

type Choice<K extends keyof Preferences> = { key: K; options: readonly (Preferences[K] & string)[] };
const choices: readonly (
  | Choice<'theme'>
  | Choice<'layout'>
  | Choice<'contentWidth'>
  | Choice<'skin'>
  | Choice<'density'>
)[] = [
  { key: 'theme', options: ['light', 'dark', 'system'] },
  { key: 'layout', options: ['vertical', 'horizontal'] },
  { key: 'contentWidth', options: ['boxed', 'fluid'] },
  { key: 'skin', options: ['default', 'bordered'] },
  { key: 'density', options: ['comfortable', 'compact'] },
];
const switches = ['semiDarkNavigation', 'navbarBlur', 'navigationCollapsed', 'letterKeys'] as const;
const swatches = ['#0d9494', '#1d63ad', '#5b5bd6', '#a8327d', '#c2410c', '#a16207', '#3f7d20', '#475569'];

/** How the app looks to this visitor, on this machine. */
export function Customizer({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const preferences = usePreferences();
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      position="right"
      size={360}
      title={t('customizer.title')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Stack gap="lg">
        {choices.map(({ key, options }) => (
          <Input.Wrapper key={key} label={t(`customizer.${key}`)} labelElement="div">
            <SegmentedControl
              aria-label={t(`customizer.${key}`)}
              fullWidth
              value={preferences[key]}
              onChange={(value) => setPreferences({ [key]: value })}
              data={options.map((value) => ({ value, label: t(`customizer.${key}.${value}`) }))}
            />
          </Input.Wrapper>
        ))}
        <PrimaryInput name="primaryLight" isDark={false} />
        <PrimaryInput name="primaryDark" isDark />
        {switches.map((key) => (
          <Switch
            key={key}
            label={t(`customizer.${key}`)}
            checked={preferences[key]}
            onChange={(event) => setPreferences({ [key]: event.currentTarget.checked })}
          />
        ))}
        <Button variant="default" onClick={() => setPreferences(defaultPreferences)}>
          {t('customizer.reset')}
        </Button>
      </Stack>
    </Drawer>
  );
}

/** The chosen colour, its contrast, and the shade used for text if that is too low. */
function PrimaryInput({ name, isDark }: { name: 'primaryLight' | 'primaryDark'; isDark: boolean }) {
  const { t } = useTranslation();
  const value = usePreferences((preferences) => preferences[name]);
  const { surface, canvas } = paletteOf(isDark);
  const { strong } = primaryShades(value, { isDark, surface, canvas });
  const ratio = contrast(value, surface).toFixed(2);
  return (
    <ColorInput
      label={t(`customizer.${name}`)}
      description={
        strong === value ? t('customizer.ratio', { ratio }) : t('customizer.corrected', { ratio, shade: strong })
      }
      value={value}
      format="hex"
      swatches={swatches}
      withEyeDropper={false}
      onChange={(colour) => {
        if (isHex(colour)) setPreferences({ [name]: colour });
      }}
    />
  );
}
