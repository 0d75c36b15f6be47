import type { NotesPage, ProofNote } from '@pdf2press/contract';
import { useQueries } from '@tanstack/react-query';
import { useRef, useState } from 'react';

/** So many notes are asked for at once. */
const pageSize = 50;

/** The notes of a proof, of which only those in sight are asked for. */
export interface NoteRows {
  total: number;
  /** By the place in the list, from 0; undefined until it is here. */
  note: (place: number) => ProofNote | undefined;
  onSight: (first: number, last: number) => void;
}

interface PageQuery {
  queryKey: readonly unknown[];
  queryFn: (at: { signal: AbortSignal }) => Promise<NotesPage>;
}

/**
 * @param queryOf asks for a page of the list
 * @param interval at which the notes in sight are asked for again, milliseconds; false = not
 */
export function useNoteRows(
  queryOf: (query: { page: number; pageSize: number }) => PageQuery,
  { isAsked, interval }: { isAsked: boolean; interval: number | false },
): NoteRows {
  const [pages, setPages] = useState<readonly number[]>([1]);
  const answers = useQueries({
    queries: pages.map((page) => ({ ...queryOf({ page, pageSize }), enabled: isAsked, refetchInterval: interval })),
  });
  // While a part that was jumped to is on its way, the list keeps its length.
  const known = useRef(0);
  known.current = answers.find(({ data }) => data)?.data?.total ?? known.current;
  return {
    total: known.current,
    note: (place) => answers[pages.indexOf(Math.floor(place / pageSize) + 1)]?.data?.items[place % pageSize],
    onSight: (first, last) => {
      const from = Math.floor(first / pageSize) + 1;
      const wanted = Array.from({ length: Math.floor(last / pageSize) + 2 - from }, (_, at) => from + at);
      if (wanted.join() !== pages.join()) setPages(wanted);
    },
  };
}
