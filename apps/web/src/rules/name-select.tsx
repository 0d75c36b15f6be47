import { type ComboboxItem, type ComboboxParsedItem, Select, type SelectProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { NameGroup } from './use-fact-words.ts';

interface Props extends Omit<SelectProps, 'data' | 'value' | 'onChange' | 'filter' | 'renderOption'> {
  groups: readonly NameGroup[];
  value: string;
  onChange: (name: string) => void;
}

const fits = ({ label, value }: ComboboxItem, needle: string) =>
  `${label} ${value}`.toLocaleLowerCase().includes(needle);

/** Chooses a variable or a fact by what it means or by its name. */
export function NameSelect({ groups, value, onChange, ...rest }: Props) {
  const { t } = useTranslation();
  // A name that is not in the list, of a variable that was removed for instance, stays readable.
  const isListed = groups.some(({ items }) => items.some((item) => item.value === value));
  const data = value === '' || isListed ? [...groups] : [{ group: '', items: [{ value, label: value }] }, ...groups];
  return (
    <Select
      {...rest}
      data={data}
      value={value === '' ? null : value}
      searchable
      allowDeselect={false}
      // The list itself scrolls: its keys move the choice, and what is chosen comes into sight.
      withScrollArea={false}
      styles={{ options: { maxBlockSize: 320, overflowY: 'auto' } }}
      nothingFoundMessage={t('state.noMatch')}
      filter={({ options, search }) => {
        const needle = search.trim().toLocaleLowerCase();
        return options.flatMap((option): ComboboxParsedItem[] => {
          if (!('group' in option)) return fits(option, needle) ? [option] : [];
          const items = option.items.filter((item) => fits(item as ComboboxItem, needle));
          return items.length > 0 ? [{ ...option, items }] : [];
        });
      }}
      renderOption={({ option }) => (
        <span>
          {option.label}
          {option.label !== option.value && (
            <small style={{ display: 'block', color: 'var(--mantine-color-dimmed)' }}>{option.value}</small>
          )}
        </span>
      )}
      onChange={(name) => name !== null && onChange(name)}
    />
  );
}
