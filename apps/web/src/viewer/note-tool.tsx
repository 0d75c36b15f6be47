import { SegmentedControl } from '@mantine/core';
import { type NoteMark, noteMarks, type SessionPage } from '@pdf2press/contract';
import { IconArrowUpRight, IconCursorText, IconPencil, IconSquare, IconStrikethrough } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Icon } from '../frame/place.ts';
import { drawnPlace, longer, type NotePlace, shapeOf } from './note-shapes.ts';
import { type Opening, spotOn, spotOnPage } from './openings.ts';
import type { Spot } from './page-geometry.ts';
import classes from './viewer.module.css';

/** Drawing the place of a note: what the pointer does, and the mark as it is until the pointer is lifted. */
export function useNoteTool(opening: Opening, scale: number, onPlaced: (page: number, place: NotePlace) => void) {
  const [mark, setMark] = useState<NoteMark>('place');
  const [trail, setTrail] = useState<readonly Spot[]>([]);
  const before = (from: Spot) => (trail.length > 0 && mark === 'pen' ? trail : [from]);
  /** The page on which the mark begins holds all of it. */
  const markOf = (spots: readonly Spot[]): { page: SessionPage; place: NotePlace } | null => {
    const [from] = spots;
    const on = from && spotOn(opening, from)?.placed;
    if (!on) return null;
    const onPage = spots.map((spot) => spotOnPage(opening, on, spot));
    return { page: on.page, place: drawnPlace(on.page, mark, onPage, scale) };
  };
  const onWay = (from: Spot, to: Spot) => longer(opening.size, before(from), to, scale);
  return {
    mark,
    setMark,
    drawn: markOf(trail),
    onLine: (from: Spot, to: Spot) => setTrail(onWay(from, to)),
    onLineEnd: (from: Spot, to: Spot) => {
      const made = markOf(onWay(from, to));
      if (made) onPlaced(made.page.page, made.place);
      setTrail([]);
    },
  };
}

const icons: Record<NoteMark, Icon> = {
  place: IconSquare,
  arrow: IconArrowUpRight,
  pen: IconPencil,
  strike: IconStrikethrough,
  insert: IconCursorText,
};

/** How the place is marked, and how to draw it. */
export function NoteToolBar({ mark, onMark }: { mark: NoteMark; onMark: (mark: NoteMark) => void }) {
  const { t } = useTranslation();
  return (
    <div className={classes.noteTool}>
      <SegmentedControl
        size="xs"
        aria-label={t('viewer.noteMark')}
        value={mark}
        onChange={(value) => onMark(noteMarks.find((one) => one === value) ?? 'place')}
        data={noteMarks.map((value) => {
          const MarkIcon = icons[value];
          return {
            value,
            label: (
              <span title={t(`viewer.mark.${value}`)}>
                <MarkIcon size={18} aria-hidden />
                <span className="visually-hidden">{t(`viewer.mark.${value}`)}</span>
              </span>
            ),
          };
        })}
      />
      <p role="status">{t(`viewer.markHint.${mark}`)}</p>
    </div>
  );
}

/** The mark while it is drawn. */
export function DrawnMark({ page, place }: { page: SessionPage; place: NotePlace }) {
  const { widthPt, heightPt } = page;
  const { box } = place;
  return (
    box && (
      <svg
        className={classes.over}
        viewBox={`0 0 ${widthPt} ${heightPt}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path className={classes.noteBox} d={shapeOf(page, { ...place, box })} />
      </svg>
    )
  );
}
