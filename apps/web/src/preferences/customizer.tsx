import { Button, Drawer, Input, SegmentedControl, Stack, Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { isHex } from '../theme/colours.ts';
import { basePreferences } from './house-look.ts';
import { type Preferences, setPreferences, usePreferences } from './preferences.ts';
import { PrimaryInput } from './primary-input.tsx';

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
        {(['primaryLight', 'primaryDark'] as const).map((name) => (
          <PrimaryInput
            key={name}
            name={name}
            value={preferences[name]}
            onChange={(colour) => {
              if (isHex(colour)) setPreferences({ [name]: colour });
            }}
          />
        ))}
        {switches.map((key) => (
          <Switch
            key={key}
            label={t(`customizer.${key}`)}
            checked={preferences[key]}
            onChange={(event) => setPreferences({ [key]: event.currentTarget.checked })}
          />
        ))}
        <Button variant="default" onClick={() => setPreferences(basePreferences())}>
          {t('customizer.reset')}
        </Button>
      </Stack>
    </Drawer>
  );
}
