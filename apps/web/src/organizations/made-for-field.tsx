import { Select } from '@mantine/core';
import { wholeHouse } from '@pdf2press/contract';
import { useTranslation } from 'react-i18next';
import { useOwnOrganizations } from './use-own-organizations.ts';

interface Props {
  /** Null = the whole house; undefined = nothing is chosen yet. */
  value: string | null | undefined;
  /** What is stored now; undefined where something new is made. */
  before: string | null | undefined;
  /** What the choice means, where that is not who sees and uses it. */
  text?: string;
  error?: string | undefined;
  isReadOnly?: boolean;
  onChange: (organizationId: string | null) => void;
}

/**
 * Whom something is made for. Who sees the whole house chooses it or an organization; who belongs to one organization sees
 * that, and who belongs to several must choose. A house without organizations is asked nothing.
 */
export function MadeForField({ value, before, text, error, isReadOnly = false, onChange }: Props) {
  const { t } = useTranslation();
  const own = useOwnOrganizations();
  if (!own || (own.isWhole && own.items.length === 0)) return null;
  const isSeveral = own.items.length > 1;
  const chosen = value === undefined ? presetOf(own) : value;
  const isHouseShown = own.isWhole || before === null;
  const house = { value: wholeHouse, label: t('madeFor.house') };
  return (
    <Select
      label={t('madeFor.label')}
      description={text ?? t('madeFor.text')}
      withAsterisk={!own.isWhole && before === undefined && isSeveral}
      placeholder={t('madeFor.choose')}
      searchable={own.items.length > 8}
      allowDeselect={false}
      data={[...(isHouseShown ? [house] : []), ...own.items.map(({ id, name }) => ({ value: id, label: name }))]}
      value={chosen === undefined ? null : (chosen ?? wholeHouse)}
      // What is the house's is given away by who sees the whole house.
      disabled={isReadOnly || (!own.isWhole && (before === null || !isSeveral))}
      error={error}
      onChange={(next) => next !== null && onChange(next === wholeHouse ? null : next)}
      nothingFoundMessage={t('state.noMatch')}
      comboboxProps={{ withinPortal: true }}
    />
  );
}

type Own = NonNullable<ReturnType<typeof useOwnOrganizations>>;

/** Whom something new is made for without a choice: the house, or the only organization; undefined where one must be chosen. */
const presetOf = ({ isWhole, items }: Own): string | null | undefined =>
  isWhole ? null : items.length > 1 ? undefined : items[0]?.id;

/** The organization that something is made for as the form stands; null = the whole house, or not chosen yet. */
export function useMadeForOf(value: string | null | undefined): string | null {
  const own = useOwnOrganizations();
  return (value === undefined && own ? presetOf(own) : value) ?? null;
}

/** Whether somebody of several organizations has not chosen yet. */
export function useLacksMadeFor(): (value: string | null | undefined) => boolean {
  const own = useOwnOrganizations();
  return (value) => value === undefined && own !== undefined && !own.isWhole && own.items.length > 1;
}
