import { SimpleGrid } from '@mantine/core';
import { prepressCostOf, type SystemSettings } from '@pdf2press/contract';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { SectionCard } from '../frame/section-card.tsx';
import { formatNumber } from '../language/formats.ts';
import { NumberSetting } from './setting-fields.tsx';

/** What the dashboard calculates savings from, and what of a file it comes to. */
export function SavingsSettings() {
  const { t } = useTranslation();
  const roiSettings = useWatch<SystemSettings, 'roiSettings'>({ name: 'roiSettings' });
  const calculated = prepressCostOf({ roiSettings, estimatedPrepressLaborCost: 0 });
  return (
    <SectionCard title={t('settings.savings')} text={t('settings.savingsText')}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NumberSetting name="roiSettings.averagePrepressTime" />
        <NumberSetting name="roiSettings.laborCostPerHour" />
        <NumberSetting
          name="estimatedPrepressLaborCost"
          help={t('settings.costPerFileText', { cost: formatNumber(calculated, { maximumFractionDigits: 2 }) })}
        />
      </SimpleGrid>
    </SectionCard>
  );
}
