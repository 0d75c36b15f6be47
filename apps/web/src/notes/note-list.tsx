import { Button, Loader } from '@mantine/core';
import type { ProofNote } from '@pdf2press/contract';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RowsInSight } from '../frame/rows-in-sight.tsx';
import { formatTime } from '../language/formats.ts';
import { NoteFiles } from './note-files.tsx';
import { NoteForm } from './note-form.tsx';
import classes from './notes.module.css';
import type { NoteRows } from './use-note-rows.ts';

/** What can be done with a note; left out where the reader may not. */
export interface NoteActs {
  answer?: ((note: ProofNote, text: string, files: readonly File[]) => Promise<unknown>) | undefined;
  remove?: ((id: string) => void) | undefined;
  /** Takes a note on, or not. */
  mark?: ((note: ProofNote) => void) | undefined;
  resolve?: ((note: ProofNote) => void) | undefined;
}

interface Props extends NoteActs {
  rows: NoteRows;
  chosen: { id: string; place: number } | null;
  /** Shows the place of a note on its page; left out where no page is beside the list. `place`: in the list, from 0. */
  onChoose?: ((note: ProofNote, place: number) => void) | undefined;
  /** Where a file at a note is loaded from. */
  fileAddress: (noteId: string, fileId: string) => string;
}

/** A longer list has only the rows in sight. */
const mostWhole = 40;
/** Of a note of one line with its buttons, CSS pixels; the true height is measured. */
const usualHeight = 119;

/** Notes on a proof with their answers, as recipients and the house read them. Of many, only those in sight are in the document. */
export function NoteList({ rows, chosen, onChoose, ...each }: Props) {
  const row = (place: number) => {
    const note = rows.note(place);
    if (!note) return <Loader size="sm" aria-hidden />;
    const choose = onChoose && (() => onChoose(note, place));
    return <Note note={note} isChosen={note.id === chosen?.id} onChoose={choose} {...each} />;
  };
  if (rows.total > mostWhole)
    return (
      <RowsInSight
        className={classes.rows}
        count={rows.total}
        usualHeight={usualHeight}
        chosen={chosen?.place ?? -1}
        row={row}
        onSight={rows.onSight}
      />
    );
  return (
    <ul className={classes.list}>
      {Array.from({ length: rows.total }, (_, place) => (
        <li key={rows.note(place)?.id ?? place}>{row(place)}</li>
      ))}
    </ul>
  );
}

type Said = Pick<ProofNote, 'by' | 'isHouse' | 'at'>;

function By({ said: { by, isHouse, at } }: { said: Said }) {
  const { t } = useTranslation();
  return (
    <span className={classes.by}>
      {by}
      {isHouse && ` (${t('notes.house')})`} · {formatTime(at)}
    </span>
  );
}

function Note({
  note,
  isChosen,
  onChoose,
  fileAddress,
  answer,
  remove,
  mark: markNote,
  resolve,
}: Omit<Props, 'rows' | 'chosen' | 'onChoose'> & {
  note: ProofNote;
  isChosen: boolean;
  onChoose: (() => void) | undefined;
}) {
  const { t } = useTranslation();
  const item = useRef<HTMLDivElement>(null);
  const [isAnswering, setAnswering] = useState(false);
  useEffect(() => {
    if (isChosen) item.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  const { id, no, page, mark, text, answers, isMine, isToDo, resolvedAt } = note;
  const isOpenToDo = isToDo && resolvedAt === null;
  const head: ReactNode = (
    <>
      <span className={classes.no}>{no}</span>
      <span>
        <b>{page === null ? t('notes.whole') : t('notes.onPage', { page })}</b>
        {mark !== 'place' && ` · ${t(`viewer.mark.${mark}`)}`}
        {isOpenToDo && <strong className={classes.toDo}> · {t('notes.toDo')}</strong>}
        {resolvedAt && ` · ${t('notes.done')}`}
      </span>
    </>
  );
  return (
    <div
      ref={item}
      className={classes.note}
      data-chosen={isChosen || undefined}
      data-done={resolvedAt !== null || undefined}
    >
      {onChoose ? (
        <button type="button" className={classes.head} aria-pressed={isChosen} onClick={onChoose}>
          {head}
        </button>
      ) : (
        <div className={classes.head}>{head}</div>
      )}
      <By said={note} />
      <p className={classes.text}>{text}</p>
      <NoteFiles note={note} address={fileAddress} />
      {answers.length > 0 && (
        <ul className={classes.answers}>
          {answers.map((one) => (
            <li key={one.id}>
              <By said={one} />
              <p className={classes.text}>{one.text}</p>
              <NoteFiles note={one} address={fileAddress} />
              {remove && one.isMine && <Act word={t('notes.remove')} act={() => remove(one.id)} />}
            </li>
          ))}
        </ul>
      )}
      {isAnswering && answer ? (
        <NoteForm
          label={t('notes.answerText', { no })}
          act={t('notes.send')}
          onSend={(words, files) => answer(note, words, files)}
          onEnd={() => setAnswering(false)}
        />
      ) : (
        <div className={classes.acts}>
          {answer && <Act word={t('notes.answer')} act={() => setAnswering(true)} />}
          {markNote && resolvedAt === null && (
            <Act word={t(isToDo ? 'notes.unmark' : 'notes.mark')} act={() => markNote(note)} />
          )}
          {resolve && <Act word={t(resolvedAt ? 'notes.reopen' : 'notes.tick')} act={() => resolve(note)} />}
          {remove && isMine && <Act word={t('notes.remove')} act={() => remove(id)} />}
        </div>
      )}
    </div>
  );
}

const Act = ({ word, act }: { word: string; act: () => void }) => (
  <Button size="compact-sm" variant="subtle" onClick={act}>
    {word}
  </Button>
);
