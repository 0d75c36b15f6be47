import { CloseButton, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigation } from 'react-router';
import type { ListAddress } from './list-address.ts';
import { useShortcuts } from './shortcuts.ts';

const settleMilliseconds = 250;

/** The search field of a list; `/` focuses it. The text goes into the address after a pause in typing. */
export function ListSearch({ address, label }: { address: ListAddress; label: string }) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(address.search);
  const { search } = address;
  // Filters may have changed during the pause: the search is added to the address as it is then.
  const latest = useRef(address);
  latest.current = address;
  // Who has opened a row meanwhile is not brought back to the list.
  const { pathname } = useLocation();
  const target = useNavigation().location?.pathname;
  const isLeaving = useRef(false);
  isLeaving.current = target !== undefined && target !== pathname;
  // The address follows a moment after it was changed from here: what was typed meanwhile stays in the field.
  const asked = useRef(search);
  useEffect(() => {
    if (search !== asked.current) setText(search);
    asked.current = search;
  }, [search]);
  useEffect(() => {
    if (text === search) return;
    const timer = setTimeout(() => {
      if (isLeaving.current) return;
      asked.current = text;
      latest.current.change({ search: text });
    }, settleMilliseconds);
    return () => clearTimeout(timer);
  }, [text]);
  useShortcuts('keys.list', [{ keys: '/', label: 'keys.search', run: () => input.current?.focus() }]);
  return (
    <TextInput
      ref={input}
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={text && <CloseButton size={24} aria-label={t('common.clear')} onClick={() => setText('')} />}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      style={{ flex: '1 1 150px', minInlineSize: 150, maxInlineSize: 340 }}
    />
  );
}
