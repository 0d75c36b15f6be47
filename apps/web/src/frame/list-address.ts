import { type Direction, directions, pageSizes } from '@pdf2press/contract';
import { useSearchParams } from 'react-router';
import { setPreferences, usePreferences } from '../preferences/preferences.ts';

/** Page, sorting and filters of a list, kept in the address so that they can be bookmarked and shared. */
export interface ListAddress {
  page: number;
  pageSize: number;
  search: string;
  /** Values of a filter. */
  all: (name: string) => string[];
  one: (name: string) => string | null;
  /** Changes the address. Any change except of the page returns to the first page; empty values are removed. */
  change: (values: Readonly<Record<string, string | number | readonly string[] | null>>) => void;
  isFiltered: boolean;
  clear: () => void;
  /** Everything but the page: what a saved view stores. */
  question: string;
  /** Applies a saved view. */
  ask: (question: string) => void;
}

/** Where in the list the reader is: a page, or the place behind or before an entry. */
const positions = ['page', 'before', 'after'] as const;
const notFilters = new Set<string>([...positions, 'pageSize', 'sort', 'direction', 'lang']);

/** Parameters that are not part of a saved view. */
const notAsked = new Set<string>([...positions, 'lang']);

const isKept = (name: string): boolean => !(positions as readonly string[]).includes(name);

/** Reads the current address instead of the rendered one, so that two quick changes do not overwrite each other. */
const asAsked = () => new URLSearchParams(window.location.search);

/** The list parameters of an address. */
export function readListAddress(
  params: URLSearchParams,
  preferred: number,
): Pick<ListAddress, 'page' | 'pageSize' | 'all' | 'one'> {
  const asked = Number(params.get('pageSize'));
  return {
    page: Math.max(1, Math.trunc(Number(params.get('page'))) || 1),
    pageSize: (pageSizes as readonly number[]).includes(asked) ? asked : preferred,
    all: (name) => params.getAll(name),
    one: (name) => params.get(name),
  };
}

export function useListAddress(): ListAddress {
  const [params, setParams] = useSearchParams();
  const preferred = usePreferences((preferences) => preferences.pageSize);
  return {
    ...readListAddress(params, preferred),
    search: params.get('search') ?? '',
    change: (values) => {
      if (typeof values.pageSize === 'number') setPreferences({ pageSize: values.pageSize });
      setParams(
        () => {
          const next = asAsked();
          for (const position of positions) next.delete(position);
          for (const [name, value] of Object.entries(values)) {
            next.delete(name);
            for (const item of Array.isArray(value) ? value : [value]) {
              if (item !== null && item !== '') next.append(name, String(item));
            }
          }
          if (next.get('page') === '1') next.delete('page');
          return next;
        },
        { replace: true },
      );
    },
    isFiltered: [...params.keys()].some((name) => !notFilters.has(name)),
    question: new URLSearchParams([...params].filter(([name]) => !notAsked.has(name))).toString(),
    ask: (question) => setParams(new URLSearchParams(question), { replace: true }),
    clear: () =>
      setParams(() => new URLSearchParams([...asAsked()].filter(([name]) => notFilters.has(name) && isKept(name))), {
        replace: true,
      }),
  };
}

/** The query of a list by its address: the page and the search text. */
export const listQuery = ({ page, pageSize, search }: ListAddress) => ({
  page,
  pageSize,
  ...(search ? { search } : {}),
});

/** How a list is sorted while its address says nothing. */
export interface SortStandard {
  sort: string | undefined;
  /** Of this order alone; any other begins with the least. */
  direction?: Direction;
}

/** How a list is sorted by its address. */
export const sortedAs = (address: Pick<ListAddress, 'one'>, { sort, direction = 'asc' }: SortStandard) => {
  const asked = address.one('sort');
  const turned = directions.find((way) => way === address.one('direction'));
  return { sort: asked ?? sort, direction: turned ?? (asked === null ? direction : 'asc') };
};

/** How a list is to be sorted by its address; an order that the list does not know is left out. */
export function sortQuery<S extends string>(
  address: Pick<ListAddress, 'one'>,
  sorts: readonly S[],
): { sort?: S; direction?: 'desc' } {
  const sort = sorts.find((name) => name === address.one('sort'));
  return { ...(sort && { sort }), ...(address.one('direction') === 'desc' && { direction: 'desc' }) };
}
