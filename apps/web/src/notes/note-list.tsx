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
  /** To the note, or to an answer to it: the one with the id. */
  answer?: ((id: string, text: string, files: readonly File[]) => Promise<unknown>) | undefined;
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
  /** What else stands with a note. */
  aside?: ((note: ProofNote) => ReactNode) | undefined;
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

function By({ said: { by, isHouse, at }, to }: { said: Said; to?: string | undefined }) {
  const { t } = useTranslation();
  return (
    <span className={classes.by}>
      {by}
      {isHouse && ` (${t('notes.house')})`}
      {to !== undefined && ` ${t('notes.repliesTo', { name: to })}`} · {formatTime(at)}
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
  aside,
}: Omit<Props, 'rows' | 'chosen' | 'onChoose'> & {
  note: ProofNote;
  isChosen: boolean;
  onChoose: (() => void) | undefined;
}) {
  const { t } = useTranslation();
  const item = useRef<HTMLDivElement>(null);
  /** What is being answered: the note, or an answer to it. */
  const [answering, setAnswering] = useState<string | null>(null);
  useEffect(() => {
    if (isChosen) item.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  const { id, no, page, mark, text, answers, isMine, isToDo, resolvedAt } = note;
  const isOpenToDo = isToDo && resolvedAt === null;
  const writing = (to: string, label: string) =>
    answer && (
      <NoteForm
        key={to}
        label={label}
        act={t('notes.send')}
        onSend={(words, files) => answer(to, words, files)}
        onEnd={() => setAnswering(null)}
      />
    );
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
              <By said={one} to={answers.find(({ id: earlier }) => earlier === one.repliesToId)?.by} />
              <p className={classes.text}>{one.text}</p>
              <NoteFiles note={one} address={fileAddress} />
              {answering === one.id ? (
                writing(one.id, t('notes.replyText', { name: one.by }))
              ) : (
                <>
                  {answer && !one.isMine && (
                    <Act
                      word={t('notes.reply')}
                      label={t('notes.replyTo', { name: one.by })}
                      act={() => setAnswering(one.id)}
                    />
                  )}
                  {remove && one.isMine && <Act word={t('notes.remove')} act={() => remove(one.id)} />}
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      {answering === id ? (
        writing(id, t('notes.answerText', { no }))
      ) : (
        <div className={classes.acts}>
          {answer && <Act word={t('notes.answer')} act={() => setAnswering(id)} />}
          {markNote && resolvedAt === null && (
            <Act word={t(isToDo ? 'notes.unmark' : 'notes.mark')} act={() => markNote(note)} />
          )}
          {resolve && <Act word={t(resolvedAt ? 'notes.reopen' : 'notes.tick')} act={() => resolve(note)} />}
          {remove && isMine && <Act word={t('notes.remove')} act={() => remove(id)} />}
        </div>
      )}
      {aside?.(note)}
    </div>
  );
}

/** @param label where the word alone does not say what it is about: contains it, so that it can be spoken */
export const Act = ({ word, label, act }: { word: string; label?: string; act: () => void }) => (
  <Button size="compact-sm" variant="subtle" onClick={act} {...(label !== undefined && { 'aria-label': label })}>
    {word}
  </Button>
);
