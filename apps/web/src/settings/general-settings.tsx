import { SimpleGrid } from '@mantine/core';
import { approvalPolicies, type SystemSettings, units } from '@pdf2press/contract';
import { systemRoutes } from '@pdf2press/contract/calls';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useMe } from '../account/use-me.ts';
import { useCall } from '../client/queries.ts';
import { SectionCard } from '../frame/section-card.tsx';
import { HouseSettings } from './house-settings.tsx';
import { ChoiceField, FlagField, TextField } from './setting-fields.tsx';

/** The names that the browser knows, and the one that is stored. */
const timeZones = (stored: string): string[] => [
  ...new Set([...(stored === '' ? [] : [stored]), ...Intl.supportedValuesOf('timeZone'), 'UTC']),
];

export function GeneralSettings() {
  const { t } = useTranslation();
  const me = useMe();
  // Another company may be the one whose settings hold for all.
  const isInstallations = useWatch<SystemSettings, 'installation'>({ name: 'installation' }) === null;
  const timeZone = useWatch<SystemSettings, 'timeZone'>({ name: 'timeZone' });
  const cultures = useCall(systemRoutes.cultures, undefined, { staleTime: Number.POSITIVE_INFINITY });
  const version = useCall(systemRoutes.appInfo, undefined, { staleTime: Number.POSITIVE_INFINITY }).data?.version;
  return (
    <>
      <SectionCard title={t('settings.region')}>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <ChoiceField
            name="culture"
            isSearched
            data={(cultures.data ?? []).map(({ code, name }) => ({ value: code, label: name }))}
          />
          <ChoiceField
            name="timeZone"
            help={t('settings.timeZoneText')}
            isSearched
            data={[{ value: '', label: t('settings.timeZoneOfServer') }, ...timeZones(timeZone)]}
          />
          <ChoiceField
            name="measurementSettings.defaultUnit"
            data={units.map((value) => ({ value, label: t(`unit.${value}`) }))}
          />
        </SimpleGrid>
      </SectionCard>
      <SectionCard title={t('settings.proofs')}>
        <ChoiceField
          name="proofApprovalSettings.defaultApprovalMode"
          data={approvalPolicies.map((value) => ({ value, label: t(`approval.${value}`) }))}
        />
      </SectionCard>
      <HouseSettings />
      <SectionCard title={t('settings.feedback')} text={t('settings.feedbackText')}>
        <TextField name="feedbackSettings.email" />
      </SectionCard>
      {isInstallations && me?.hostPermissions.includes('host.subscribers.manage') && (
        <SectionCard title={t('settings.companies')}>
          <FlagField name="isGlobal" help={t('settings.isGlobalText')} />
        </SectionCard>
      )}
      <SectionCard title={t('settings.display')}>
        <FlagField name="showVersionNumber" {...(version && { help: t('settings.showVersionText', { version }) })} />
      </SectionCard>
    </>
  );
}
