import { MultiSelect, Text } from '@mantine/core';
import { type MadeFor, wholeHouse } from '@pdf2press/contract';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { DataColumn } from '../frame/data-table.tsx';
import type { ListAddress } from '../frame/list-address.ts';
import { useOwnOrganizations } from './use-own-organizations.ts';

/** The organizations of the address, as the server takes them. */
export const madeForQuery = (address: ListAddress): { organizationId?: string[] } => {
  const organizationId = address.all('organizationId');
  return organizationId.length > 0 ? { organizationId } : {};
};

/** Narrows a list to what is made for some organizations; not shown in a house that has none. */
export function MadeForFilter({ address }: { address: ListAddress }) {
  const { t } = useTranslation();
  const own = useOwnOrganizations();
  if (!own || own.items.length === 0) return null;
  const chosen = address.all('organizationId');
  return (
    <MultiSelect
      aria-label={t('madeFor.label')}
      placeholder={chosen.length === 0 ? t('madeFor.label') : ''}
      data={[
        { value: wholeHouse, label: t('madeFor.house') },
        ...own.items.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      value={chosen}
      onChange={(organizationId) => address.change({ organizationId })}
      clearable
      clearButtonProps={{ 'aria-label': t('common.clear') }}
      searchable={own.items.length > 8}
      style={{ flex: '0 1 260px' }}
    />
  );
}

/** The column of lists; none in a house without organizations. */
export function useMadeForColumn(): (t: TFunction) => readonly DataColumn<{ organization: MadeFor }, 'organization'>[] {
  const own = useOwnOrganizations();
  return (t) =>
    own && own.items.length > 0
      ? [
          {
            key: 'organization',
            label: t('madeFor.label'),
            sort: 'organization',
            isExtra: true,
            cell: ({ organization }) => (
              <Text size="sm" c={organization ? '' : 'dimmed'}>
                {organization?.name ?? t('madeFor.house')}
              </Text>
            ),
          },
        ]
      : [];
}
