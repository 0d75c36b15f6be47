import { Button, Group, Input, SegmentedControl, Select, SimpleGrid, Stack, Switch } from '@mantine/core';
import { units } from '@pdf2press/contract';
import { IconPalette } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { openDialog } from '../frame/open-dialog.ts';
import { SectionCard } from '../frame/section-card.tsx';
import { setPreferences, usePreferences } from '../preferences/preferences.ts';
import { useUnit } from '../preferences/use-unit.ts';

/** Preferences stored in this browser; those of the appearance have their own dialog. */
export function ThisBrowserCard() {
  const { t } = useTranslation();
  const { theme, letterKeys } = usePreferences();
  const [unit, setUnit] = useUnit();
  return (
    <SectionCard
      title={t('account.preferences')}
      text={t('account.preferencesText')}
      action={
        <Button
          variant="default"
          leftSection={<IconPalette size={16} aria-hidden />}
          onClick={() => openDialog('customizer')}
        >
          {t('customizer.title')}
        </Button>
      }
    >
      <Stack>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Input.Wrapper label={t('customizer.theme')} labelElement="div">
            <SegmentedControl
              aria-label={t('customizer.theme')}
              fullWidth
              value={theme}
              onChange={(value) => setPreferences({ theme: value })}
              data={(['light', 'dark', 'system'] as const).map((value) => ({
                value,
                label: t(`customizer.theme.${value}`),
              }))}
            />
          </Input.Wrapper>
          <Select
            label={t('settings.unit')}
            allowDeselect={false}
            data={units.map((value) => ({ value, label: t(`unit.${value}`) }))}
            value={unit}
            onChange={(value) => value && setUnit(value)}
          />
        </SimpleGrid>
        <Group>
          <Switch
            label={t('customizer.letterKeys')}
            description={t('account.letterKeysText')}
            checked={letterKeys}
            onChange={(event) => setPreferences({ letterKeys: event.currentTarget.checked })}
          />
        </Group>
      </Stack>
    </SectionCard>
  );
}
