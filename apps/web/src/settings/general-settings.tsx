import { Select, SimpleGrid, Stack } from '@mantine/core';
import { approvalPolicies, type SystemSettings, units } from '@pdf2press/contract';
import { systemRoutes } from '@pdf2press/contract/calls';
import { Controller, useFormContext } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useCall } from '../client/queries.ts';
import { SectionCard } from '../frame/section-card.tsx';
import { HouseSettings } from './house-settings.tsx';
import { FlagField, NumberSetting, TextField } from './setting-fields.tsx';

/** The names that the browser knows, and the one that is stored. */
const timeZones = (stored: string): string[] => [
  ...new Set([...(stored === '' ? [] : [stored]), ...Intl.supportedValuesOf('timeZone'), 'UTC']),
];

export function GeneralSettings() {
  const { t } = useTranslation();
  const { control } = useFormContext<SystemSettings>();
  const cultures = useCall(systemRoutes.cultures, undefined, { staleTime: Number.POSITIVE_INFINITY });
  return (
    <>
      <SectionCard title={t('settings.region')}>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Controller
            control={control}
            name="culture"
            render={({ field }) => (
              <Select
                label={t('settings.culture')}
                searchable
                allowDeselect={false}
                data={(cultures.data ?? []).map(({ code, name }) => ({ value: code, label: name }))}
                {...field}
              />
            )}
          />
          <Controller
            control={control}
            name="timeZone"
            render={({ field, fieldState }) => (
              <Select
                label={t('settings.timeZone')}
                description={t('settings.timeZoneText')}
                searchable
                allowDeselect={false}
                nothingFoundMessage={t('state.noMatch')}
                data={[{ value: '', label: t('settings.timeZoneOfServer') }, ...timeZones(field.value)]}
                {...field}
                error={fieldState.error?.message}
              />
            )}
          />
          <Controller
            control={control}
            name="measurementSettings.defaultUnit"
            render={({ field }) => (
              <Select
                label={t('settings.unit')}
                allowDeselect={false}
                data={units.map((value) => ({ value, label: t(`unit.${value}`) }))}
                {...field}
              />
            )}
          />
        </SimpleGrid>
      </SectionCard>
      <SectionCard title={t('settings.proofs')}>
        <Controller
          control={control}
          name="proofApprovalSettings.defaultApprovalMode"
          render={({ field }) => (
            <Select
              label={t('settings.approval')}
              allowDeselect={false}
              maw={480}
              data={approvalPolicies.map((value) => ({ value, label: t(`approval.${value}`) }))}
              {...field}
            />
          )}
        />
      </SectionCard>
      <HouseSettings />
      <SectionCard title={t('settings.savings')} text={t('settings.savingsText')}>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <NumberSetting name="roiSettings.averagePrepressTime" label={t('settings.averageTime')} />
          <NumberSetting name="roiSettings.laborCostPerHour" label={t('settings.laborCost')} />
        </SimpleGrid>
      </SectionCard>
      <SectionCard title={t('settings.feedback')} text={t('settings.feedbackText')}>
        <TextField name="feedbackSettings.email" label={t('field.email')} />
      </SectionCard>
      <SectionCard title={t('settings.display')}>
        <Stack>
          <FlagField name="showVersionNumber" label={t('settings.showVersion')} />
        </Stack>
      </SectionCard>
    </>
  );
}
