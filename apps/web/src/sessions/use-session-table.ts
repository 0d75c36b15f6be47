import type { SessionListItem } from '@pdf2press/contract';
import { type ReactTable, useTable } from '@tanstack/react-table';
import type { ListAddress } from '../frame/list-address.ts';
import { useSeesSeveral } from '../organizations/use-own-organizations.ts';
import { setPreferences, usePreferences } from '../preferences/preferences.ts';
import { columnsOf, features, isSessionSort, type SessionFeatures } from './columns.tsx';

export type SessionTableModel = ReactTable<SessionFeatures, SessionListItem>;

/**
 * The list as a table. Sorting is kept in the address, hidden columns in the preferences, ticked rows in `ticks`.
 */
export function useSessionTable(sessions: readonly SessionListItem[], address: ListAddress): SessionTableModel {
  const hidden = usePreferences((preferences) => preferences.hiddenColumns);
  const asked = address.one('sort');
  const sorting = [
    { id: isSessionSort(asked) ? asked : 'createdAt', desc: address.one('direction') !== 'asc' },
  ] as const;
  return useTable({
    features,
    columns: columnsOf(useSeesSeveral()),
    data: sessions as SessionListItem[],
    getRowId: (session) => session.id,
    state: {
      sorting: [...sorting],
      columnVisibility: Object.fromEntries(hidden.map((id) => [id, false])),
    },
    manualSorting: true,
    enableSortingRemoval: false,
    enableMultiSort: false,
    sortDescFirst: true,
    onSortingChange: (change) => {
      const [next] = typeof change === 'function' ? change([...sorting]) : change;
      if (next) address.change({ sort: next.id, direction: next.desc ? 'desc' : 'asc' });
    },
    onColumnVisibilityChange: (change) => {
      const before = Object.fromEntries(hidden.map((id) => [id, false]));
      const next = typeof change === 'function' ? change(before) : change;
      setPreferences({ hiddenColumns: Object.keys(next).filter((id) => !next[id]) });
    },
  });
}
