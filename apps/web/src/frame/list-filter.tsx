import { MultiSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ListAddress } from './list-address.ts';

/** Narrows a list to rows that have one of some values; what is chosen stands in the address. */
export function ListFilter({
  address,
  name,
  label,
  options,
}: {
  address: ListAddress;
  /** Its name in the address, and in the question to the API. */
  name: string;
  label: string;
  options: readonly { value: string; label: string }[];
}) {
  const { t } = useTranslation();
  const known = new Set(options.map(({ value }) => value));
  const chosen = address.all(name).filter((value) => known.has(value));
  return (
    <MultiSelect
      aria-label={label}
      placeholder={chosen.length === 0 ? label : ''}
      data={[...options]}
      value={chosen}
      onChange={(values) => address.change({ [name]: values })}
      clearable
      clearButtonProps={{ 'aria-label': t('common.clear') }}
      style={{ flex: '0 1 260px' }}
    />
  );
}
