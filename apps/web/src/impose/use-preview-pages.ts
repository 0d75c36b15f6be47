import type { LayoutPage, SessionPage } from '@pdf2press/contract';
import { sessionRoutes } from '@pdf2press/contract/calls';
import type { ImposeProfile } from '@pdf2press/impose/contracts';
import { useQueries } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { pathOf } from '../client/address.ts';
import { fetchBytes } from '../client/call.ts';
import { useCall } from '../client/queries.ts';
import { type AssumedPages, assumed, ofSession } from './preview-pages.ts';
import type { PagePicture } from './sheet-drawing.tsx';

/** Maximum number of page images: more slow the browser down and are too small to recognize. */
const mostPictures = 64;

export interface PreviewPages {
  pages: LayoutPage[];
  pictures: ReadonlyMap<number, PagePicture>;
  isLoading: boolean;
}

const none: ReadonlyMap<number, PagePicture> = new Map();
const boxOf = { Trim: 'trim', Bleed: 'bleed', Media: 'media' } as const;

/** Pages to lay out: those of a session, with their pictures, or equal ones of the assumed size. */
export function usePreviewPages(
  sessionId: string | null,
  sizes: AssumedPages,
  cellBox: ImposeProfile['cellBox'],
): PreviewPages {
  const file = useCall(
    sessionRoutes.pages,
    { params: { id: sessionId ?? '' }, query: { version: 'original' } },
    { enabled: sessionId !== null, staleTime: Number.POSITIVE_INFINITY },
  );
  const found = sessionId === null ? undefined : file.data?.pages;
  const pictures = usePictures(sessionId, found, cellBox);
  const pages = useMemo(() => (found ? found.map((page) => ofSession(page).page) : assumed(sizes)), [found, sizes]);
  return { pages, pictures, isLoading: sessionId !== null && file.isPending };
}

function usePictures(
  sessionId: string | null,
  pages: readonly SessionPage[] | undefined,
  cellBox: ImposeProfile['cellBox'],
): ReadonlyMap<number, PagePicture> {
  const shown = useMemo(() => (sessionId === null ? [] : (pages ?? []).slice(0, mostPictures)), [sessionId, pages]);
  const blobs = useQueries({
    queries: shown.map(({ page }) => ({
      queryKey: ['thumbnail', sessionId, page],
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        (await fetchBytes(pathOf(sessionRoutes.thumbnail, { id: sessionId, page }), signal)).blob(),
      staleTime: Number.POSITIVE_INFINITY,
      retry: 20,
      retryDelay: 1500,
    })),
    combine: (results) => results.map(({ data }) => data),
  });
  const [pictures, setPictures] = useState(none);
  useEffect(() => {
    const made = new Map<number, PagePicture>();
    for (const [at, blob] of blobs.entries()) {
      const source = shown[at];
      if (!blob || !source) continue;
      const { page, crop } = ofSession(source);
      made.set(source.page, { address: URL.createObjectURL(blob), crop, placed: page[boxOf[cellBox]] });
    }
    setPictures(made);
    return () => {
      for (const { address } of made.values()) URL.revokeObjectURL(address);
    };
  }, [blobs, shown, cellBox]);
  return pictures;
}
