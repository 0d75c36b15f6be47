import type { Box, ProofNote, SessionPage } from '@pdf2press/contract';
import { useTranslation } from 'react-i18next';
import { type Spot, toArea, toPoint } from './page-geometry.ts';
import type { Line } from './page-tools.tsx';
import classes from './viewer.module.css';

/** What is shown of a note on the page; one without a number is just being written. */
export interface MarkedNote extends Pick<ProofNote, 'page' | 'box'> {
  id: string;
  no: number | null;
  isDone: boolean;
}

export interface ViewerNotes {
  marked: readonly MarkedNote[];
  chosen: string | null;
  onChoose: (id: string) => void;
  /** A place was marked: points of the page's unrotated space; a point has no size. Null = nothing may be written. */
  onPlace: ((page: number, box: Box) => void) | null;
}

/** A smaller box was meant as a point, CSS pixels. */
const leastDrawn = 6;

const within = (share: number): number => Math.min(1, Math.max(0, share));

/** The place that was drawn between two ends, cut at the edges of the page. */
export function drawnBox(page: SessionPage, from: Spot, to: Spot, scale: number): Box {
  const isPoint =
    Math.abs(to.x - from.x) * page.widthPt * scale < leastDrawn &&
    Math.abs(to.y - from.y) * page.heightPt * scale < leastDrawn;
  const [a, b] = [from, isPoint ? from : to].map(({ x, y }) => toPoint(page, { x: within(x), y: within(y) })) as [
    Spot,
    Spot,
  ];
  return [Math.min(a.x, b.x), Math.min(a.y, b.y), Math.max(a.x, b.x), Math.max(a.y, b.y)];
}

/** The box while it is drawn. */
export function DrawnBox({ page: { widthPt, heightPt }, line: { from, to } }: { page: SessionPage; line: Line }) {
  return (
    <svg className={classes.over} viewBox={`0 0 ${widthPt} ${heightPt}`} preserveAspectRatio="none" aria-hidden="true">
      <rect
        className={classes.noteBox}
        x={Math.min(from.x, to.x) * widthPt}
        y={Math.min(from.y, to.y) * heightPt}
        width={Math.abs(to.x - from.x) * widthPt}
        height={Math.abs(to.y - from.y) * heightPt}
      />
    </svg>
  );
}

/** The places of notes on a page: each box, and a button with the number at its upper left corner. */
export function NoteMarks({ page, notes: { marked, chosen, onChoose } }: { page: SessionPage; notes: ViewerNotes }) {
  const { t } = useTranslation();
  const { widthPt, heightPt } = page;
  const here = marked.flatMap((note) =>
    note.page === page.page && note.box ? [{ ...note, area: toArea(page, note.box) }] : [],
  );
  return (
    <>
      <svg
        className={classes.over}
        viewBox={`0 0 ${widthPt} ${heightPt}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {here.map(({ id, area: { x, y, width, height }, isDone }) => (
          <rect
            key={id}
            className={classes.noteBox}
            data-chosen={id === chosen || undefined}
            data-done={isDone || undefined}
            x={x * widthPt}
            y={y * heightPt}
            width={width * widthPt}
            height={height * heightPt}
          />
        ))}
      </svg>
      {here.map(({ id, no, area, isDone }) => (
        <button
          key={id}
          type="button"
          className={classes.notePin}
          data-chosen={id === chosen || undefined}
          data-done={isDone || undefined}
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
