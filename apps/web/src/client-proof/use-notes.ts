import type { ProofNote, ShownProof } from '@pdf2press/contract';
import { clientProofRoutes as routes } from '@pdf2press/contract/calls';
import { useMemo, useState } from 'react';
import { call, pathOf, sendForm } from '../client/call.ts';
import { keyOf, queries, useCall } from '../client/queries.ts';
import { useRequestKey } from '../client/request-key.ts';
import { notify } from '../frame/toasts.tsx';
import { attachFiles } from '../notes/attach-files.ts';
import type { MarkedNote, ViewerNotes } from '../viewer/note-marks.tsx';
import type { NotePlace } from '../viewer/note-shapes.ts';
import { type ProofLink, useProofSample } from './use-client-proof.ts';

/** Others write, too. Milliseconds. */
const readAgainMilliseconds = 20_000;

/** The place that a new note is about; `box` null = the whole page. */
export interface NewPlace extends NotePlace {
  page: number;
}

/** Id of the note that is being written, among those marked on the page. */
const draftId = 'draft';

/** The notes of a proof and what their reader does with them. */
export function useNotes(link: ProofLink, proof: ShownProof, onOpen: (page: number | null) => void) {
  const sample = useProofSample();
  const { data = [] } = useCall(
    routes.notes,
    { params: link },
    { enabled: proof.shows.notes && !sample, refetchInterval: proof.state === 'open' ? readAgainMilliseconds : false },
  );
  const [place, setPlace] = useState<NewPlace | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const { keyOf: requestKeyOf, forget } = useRequestKey();
  const show = (notes: ProofNote[]) => queries.setQueryData(keyOf(routes.notes, { params: link }), notes);
  /** The same words for the same place, sent again after an answer was lost, are one note. */
  const write = async (body: { text: string; answersId?: string } & Partial<NewPlace>, files: readonly File[]) => {
    if (sample) return;
    const written = await call(routes.addNote, { params: link, body: { ...body, key: requestKeyOf(body) } });
    show(written);
    await attachFiles(written, body, files, async (noteId, form) =>
      show(await sendForm(routes.addNoteFile, form, { ...link, noteId })),
    );
    forget();
  };
  const choose = (note: Pick<ProofNote, 'id' | 'page'>) => {
    setChosen(note.id);
    onOpen(note.page);
  };
  const marked = useMemo(
    (): MarkedNote[] => [
      ...data.map(({ resolvedAt, ...note }) => ({ ...note, isDone: resolvedAt !== null })),
      ...(place?.box ? [{ id: draftId, no: null, ...place, isDone: false }] : []),
    ],
    [data, place],
  );
  const viewer: ViewerNotes | undefined = proof.shows.notes
    ? {
        marked,
        chosen: place ? draftId : chosen,
        onChoose: (id) => {
          const note = data.find((one) => one.id === id);
          if (note) choose(note);
        },
        onPlace: proof.canNote
          ? (page, at) => {
              setPlace({ page, ...at });
              onOpen(page);
            }
          : null,
      }
    : undefined;
  return {
    notes: data,
    viewer,
    chosen,
    choose,
    place,
    setPlace,
    aboutPage: (page: number) => setPlace({ page, box: null, mark: 'place', path: [] }),
    /** The bounds of a path are found by the server. */
    add: (text: string, files: readonly File[]) =>
      write({ text, ...place, ...(place && place.path.length > 0 && { box: null }) }, files),
    answer: ({ id }: ProofNote, text: string, files: readonly File[]) => write({ text, answersId: id }, files),
    fileAddress: (noteId: string, fileId: string) => pathOf(routes.noteFile, { ...link, noteId, fileId }),
    remove: (noteId: string) =>
      void call(routes.removeNote, { params: { ...link, noteId } }).then(show, notify.failure),
  };
}
export type Notes = ReturnType<typeof useNotes>;
