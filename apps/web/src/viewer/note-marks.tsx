import type { ProofNote, SessionPage } from '@pdf2press/contract';
import { useTranslation } from 'react-i18next';
import { type NotePlace, shapeOf } from './note-shapes.ts';
import { toArea } from './page-geometry.ts';
import classes from './viewer.module.css';

/** What is shown of a note on the page; one without a number is just being written. */
export interface MarkedNote extends NotePlace, Pick<ProofNote, 'page'> {
  id: string;
  no: number | null;
  /** The house has taken it on. */
  isToDo: boolean;
  isDone: boolean;
}

export interface ViewerNotes {
  /** At least those on the pages that are seen, unless they are too many. */
  marked: readonly MarkedNote[];
  /** How many there are on each page that has any. */
  counts: ReadonlyMap<number, number>;
  /** How many of the pages that are seen are not marked, because they are too many. */
  undrawn: number;
  chosen: string | null;
  onChoose: (id: string) => void;
  /** A place was marked: points of the page's unrotated space; a point has no size. Null = nothing may be written. */
  onPlace: ((page: number, place: NotePlace) => void) | null;
}

/** The places of notes on a page: each mark, and a button with the number at its upper left corner. */
export function NoteMarks({ page, notes: { marked, chosen, onChoose } }: { page: SessionPage; notes: ViewerNotes }) {
  const { t } = useTranslation();
  const { widthPt, heightPt } = page;
  const here = marked.flatMap((note) =>
    note.page === page.page && note.box ? [{ ...note, box: note.box, area: toArea(page, note.box) }] : [],
  );
  return (
    <>
      <svg
        className={classes.over}
        viewBox={`0 0 ${widthPt} ${heightPt}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {here.map((note) => (
          <path
            key={note.id}
            className={classes.noteBox}
            data-chosen={note.id === chosen || undefined}
            data-done={note.isDone || undefined}
            data-todo={note.isToDo || undefined}
            d={shapeOf(page, note)}
          />
        ))}
      </svg>
      {here.map(({ id, no, area, isToDo, isDone }) => (
        <button
          key={id}
          type="button"
          className={classes.notePin}
          data-chosen={id === chosen || undefined}
          data-done={isDone || undefined}
          data-todo={isToDo || undefined}
          style={{ left: `${area.x * 100}%`, top: `${area.y * 100}%` }}
          aria-label={no === null ? t('viewer.newNote') : t('viewer.note', { no })}
          // The stage would take the pointer, and with it the click.
          onPointerDown={(event) => event.stopPropagation()}
          onClick={() => onChoose(id)}
        >
          {no ?? '+'}
        </button>
      ))}
    </>
  );
}
