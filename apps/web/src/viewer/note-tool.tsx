import { SegmentedControl } from '@mantine/core';
import { type NoteMark, noteMarks, type SessionPage } from '@pdf2press/contract';
import { IconArrowUpRight, IconCursorText, IconPencil, IconSquare, IconStrikethrough } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Icon } from '../frame/place.ts';
import { drawnPlace, longer, type NotePlace, shapeOf } from './note-shapes.ts';
import type { Spot } from './page-geometry.ts';
import classes from './viewer.module.css';

/** Drawing the place of a note: what the pointer does, and the mark as it is until the pointer is lifted. */
export function useNoteTool(page: SessionPage | undefined, scale: number, onPlaced: (place: NotePlace) => void) {
  const [mark, setMark] = useState<NoteMark>('place');
  const [trail, setTrail] = useState<readonly Spot[]>([]);
  const before = (from: Spot) => (trail.length > 0 && mark === 'pen' ? trail : [from]);
  return {
    mark,
    setMark,
    drawn: page && trail.length > 0 ? drawnPlace(page, mark, trail, scale) : null,
    onLine: (from: Spot, to: Spot) => page && setTrail(longer(page, before(from), to, scale)),
    onLineEnd: (from: Spot, to: Spot) => {
      if (page) onPlaced(drawnPlace(page, mark, longer(page, before(from), to, scale), scale));
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
