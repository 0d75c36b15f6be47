import { SimpleGrid } from '@mantine/core';
import type { SystemSettings } from '@pdf2press/contract';
import { Controller, useFormContext } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { SectionCard } from '../frame/section-card.tsx';
import { PrimaryInput } from '../preferences/primary-input.tsx';
import { appearanceChoices, appearanceOptions } from './appearance-choices.ts';
import { ChoiceField } from './setting-fields.tsx';
import { SettingOrigin } from './setting-origin.tsx';

const colours = ['primaryLight', 'primaryDark'] as const;

/** How the app looks to people who choose nothing else in their browser. */
export function AppearanceSettings() {
  const { t } = useTranslation();
  const { control } = useFormContext<SystemSettings>();
  return (
    <SectionCard title={t('settings.appearance')} text={t('settings.appearanceText')}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {appearanceChoices.map((key) => (
          <ChoiceField
            key={key}
            name={`appearanceSettings.${key}`}
            data={appearanceOptions(key).map((value) => ({ value, label: t(`customizer.${key}.${value}`) }))}
          />
        ))}
        {colours.map((key) => (
          <div key={key}>
            <Controller
              control={control}
              name={`appearanceSettings.${key}`}
              render={({ field: { value, onChange }, fieldState: { error } }) => (
                <PrimaryInput name={key} value={value} onChange={onChange} error={error?.message} />
              )}
            />
            <SettingOrigin name={`appearanceSettings.${key}`} />
          </div>
        ))}
      </SimpleGrid>
    </SectionCard>
  );
}
