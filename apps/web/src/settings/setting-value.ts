import { approvalPolicies, units } from '@pdf2press/contract';
import { communicationProfileRoutes, systemRoutes } from '@pdf2press/contract/calls';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { useMay } from '../account/use-me.ts';
import { useCall } from '../client/queries.ts';
import { formatNumber } from '../language/formats.ts';
import { useRoles } from '../roles/use-roles.ts';
import { appearanceChoices, appearanceOptions } from './appearance-choices.ts';
import { type SettingPath, settingTable } from './setting-table.ts';

/** A value as a person reads it; `names` are those of codes and ids. */
export function sayValue(t: TFunction, names: ReadonlyMap<string, string>, path: SettingPath, value: unknown): string {
  const { ofInstallation, suffix = '' } = settingTable[path];
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0))
    return ofInstallation ? t(ofInstallation) : '–';
  if (typeof value === 'boolean') return t(value ? 'common.yes' : 'common.no');
  if (typeof value === 'number') return `${formatNumber(value)}${suffix}`;
  const nameOf = (one: unknown) => names.get(String(one)) ?? String(one);
  return Array.isArray(value) ? value.map(nameOf).join(', ') : nameOf(value);
}

/** The communication profiles of the whole house, as far as they may be seen: one of them may word mails about accounts. */
export function useAccountProfiles(): readonly { id: string; name: string }[] {
  const may = useMay();
  const query = { query: { pageSize: 100 } };
  const { data } = useCall(communicationProfileRoutes.list, query, { enabled: may('communication.view') });
  return data?.items.filter(({ organization }) => organization === null) ?? [];
}

/** `sayValue` with the names of cultures, units, policies, roles, profiles and kinds of notices. */
export function useSayValue(): (path: SettingPath, value: unknown) => string {
  const { t } = useTranslation();
  const cultures = useCall(systemRoutes.cultures, undefined, { staleTime: Number.POSITIVE_INFINITY }).data ?? [];
  const kinds = useCall(systemRoutes.noticeKinds).data ?? [];
  const roles = useRoles() ?? [];
  const profiles = useAccountProfiles();
  const names = new Map([
    ...cultures.map(({ code, name }) => [code, name] as const),
    ...kinds.map(({ kind, label }) => [kind, label] as const),
    ...roles.map(({ id, name }) => [id, name] as const),
    ...profiles.map(({ id, name }) => [id, name] as const),
    ...units.map((unit) => [unit, t(`unit.${unit}`)] as const),
    ...appearanceChoices.flatMap((key) =>
      appearanceOptions(key).map((value) => [value, t(`customizer.${key}.${value}`)] as const),
    ),
    ...approvalPolicies.map((policy) => [policy, t(`approval.${policy}`)] as const),
  ]);
  return (path, value) => sayValue(t, names, path, value);
}
