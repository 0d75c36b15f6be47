import type { DrawnNote, NotePlaces, ProofNote, ShownProof } from '@pdf2press/contract';
import { clientProofRoutes as routes } from '@pdf2press/contract/calls';
import { keepPreviousData } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { pathOf } from '../client/address.ts';
import { call, sendForm } from '../client/call.ts';
import { invalidate, queryOf, useCall } from '../client/queries.ts';
import { useRequestKey } from '../client/request-key.ts';
import { keepInTab, readInTab } from '../client/tab-storage.ts';
import { notify } from '../frame/toasts.tsx';
import { attachFiles } from '../notes/attach-files.ts';
import { preferenceKey } from '../preferences/kept.ts';
import type { MarkedNote, ViewerNotes } from '../viewer/note-marks.tsx';
import type { NotePlace } from '../viewer/note-shapes.ts';
import { type ProofLink, useProofSample } from './use-client-proof.ts';

/** Others write, too. Milliseconds. */
const readAgainMilliseconds = 20_000;

/** The place that a new note is about; `box` null = the whole page. */
export interface NewPlace extends NotePlace {
  page: number;
}

/** A note that is being written. */
interface Draft {
  place: NewPlace;
  text: string;
}

/** The same as long as nothing is known, so that what is made of it is not made anew. */
const none: NotePlaces = { total: 0, pages: [], places: [], undrawn: 0 };

/** Id of the note that is being written, among those marked on the page. */
const draftId = 'draft';

/** A note that was chosen in the list or on its page. `place`: in the list of all, from 0. */
interface ChosenNote {
  id: string;
  place: number;
  /** As it is drawn; null where it stands on no place, and of one that was just written. */
  drawn: DrawnNote | null;
}

const changed = () => invalidate(routes.notes, routes.notePlaces);

/** The notes of a proof and what their reader does with them; drawn are those on the pages that are looked at. */
export function useNotes(
  link: ProofLink,
  proof: ShownProof,
  on: readonly number[],
  onOpen: (page: number | null) => void,
) {
  const sample = useProofSample();
  const isAsked = proof.shows.notes && !sample;
  const interval: number | false = proof.state === 'open' ? readAgainMilliseconds : false;
  const { data = none } = useCall(
    routes.notePlaces,
    { params: link, query: { on: [...on] } },
    { enabled: isAsked, refetchInterval: interval, placeholderData: keepPreviousData },
  );
  // A phone may drop the page while its reader looks elsewhere: what is being written is kept in the tab until it is sent.
  const draftKey = preferenceKey(`note-${link.sessionId}`);
  const [place, showPlace] = useState(() => (sample ? null : (readInTab<Draft>(draftKey)?.place ?? null)));
  const setPlace = (next: NewPlace | null) => {
    showPlace(next);
    keepInTab(draftKey, next && { place: next, text: readInTab<Draft>(draftKey)?.text ?? '' });
  };
  const [chosen, setChosen] = useState<ChosenNote | null>(null);
  const { keyOf: requestKeyOf, forget } = useRequestKey();
  /** The same words for the same place, sent again after an answer was lost, are one note. */
  const write = async (body: { text: string; answersId?: string } & Partial<NewPlace>, files: readonly File[]) => {
    if (sample) return;
    const written = await call(routes.addNote, { params: link, body: { ...body, key: requestKeyOf(body) } });
    try {
      await attachFiles(files, (form) => sendForm(routes.addNoteFile, form, { ...link, noteId: written.id }));
    } finally {
      await changed();
    }
    if (body.answersId === undefined) setChosen({ ...written, drawn: null });
    forget();
  };
  const choose = (note: ChosenNote, page: number | null) => {
    setChosen(note);
    onOpen(page);
  };
  const marked = useMemo((): MarkedNote[] => {
    const shown = data.places;
    const isAbsent = chosen?.drawn && !shown.some(({ id }) => id === chosen.id);
    return [
      ...shown,
      ...(isAbsent && chosen.drawn ? [chosen.drawn] : []),
      ...(place?.box ? [{ id: draftId, no: null, ...place, isToDo: false, isDone: false }] : []),
    ];
  }, [data, chosen, place]);
  const counts = useMemo(() => new Map(data.pages.map(({ page, count }) => [page, count])), [data.pages]);
  const viewer: ViewerNotes | undefined = proof.shows.notes
    ? {
        marked,
        counts,
        undrawn: data.undrawn,
        chosen: place ? draftId : (chosen?.id ?? null),
        onChoose: (id) => {
          const drawn = data.places.find((one) => one.id === id);
          if (drawn) choose({ id, place: drawn.place, drawn }, drawn.page);
        },
        onPlace:
          proof.canNote && proof.canMark
            ? (page, at) => {
                setPlace({ page, ...at });
                onOpen(page);
              }
            : null,
      }
    : undefined;
  return {
    total: data.total,
    viewer,
    chosen,
    pageQuery: (query: { page: number; pageSize: number }) => queryOf(routes.notes, { params: link, query }),
    reading: { isAsked, interval } as const,
    choose: (note: ProofNote, at: number) => choose({ id: note.id, place: at, drawn: drawnOf(note, at) }, note.page),
    place,
    setPlace,
    draft: {
      text: readInTab<Draft>(draftKey)?.text ?? '',
      keep: (text: string) => keepInTab(draftKey, place && { place, text }),
    },
    aboutPage: (page: number) => setPlace({ page, box: null, mark: 'place', path: [] }),
    /** The bounds of a path are found by the server. */
    add: (text: string, files: readonly File[]) =>
      write({ text, ...place, ...(place && place.path.length > 0 && { box: null }) }, files),
    answer: (answersId: string, text: string, files: readonly File[]) => write({ text, answersId }, files),
    fileAddress: (noteId: string, fileId: string) => pathOf(routes.noteFile, { ...link, noteId, fileId }),
    remove: (noteId: string) => {
      setChosen((before) => (before?.id === noteId ? null : before));
      void call(routes.removeNote, { params: { ...link, noteId } }).then(changed, notify.failure);
    },
  };
}
export type Notes = ReturnType<typeof useNotes>;

const drawnOf = ({ id, no, page, box, mark, path, isToDo, resolvedAt }: ProofNote, place: number): DrawnNote | null =>
  box && { id, no, page, box, mark, path, isToDo, isDone: resolvedAt !== null, place };
