import { Button } from '@mantine/core';
import type { ProofNote } from '@pdf2press/contract';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatTime } from '../language/formats.ts';
import { NoteFiles } from './note-files.tsx';
import { NoteForm } from './note-form.tsx';
import classes from './notes.module.css';

/** What can be done with a note; left out where the reader may not. */
export interface NoteActs {
  answer?: ((note: ProofNote, text: string, files: readonly File[]) => Promise<unknown>) | undefined;
  remove?: ((id: string) => void) | undefined;
  resolve?: ((note: ProofNote) => void) | undefined;
}

interface Props extends NoteActs {
  notes: readonly ProofNote[];
  chosen: string | null;
  /** Shows the place of a note; left out where no page is beside the list. */
  onChoose?: ((note: ProofNote) => void) | undefined;
  /** Where a file at a note is loaded from. */
  fileAddress: (noteId: string, fileId: string) => string;
}

/** Notes on a proof with their answers, as recipients and the house read them. */
export function NoteList({ notes, chosen, ...each }: Props) {
  return (
    <ul className={classes.list}>
      {notes.map((note) => (
        <Note key={note.id} note={note} isChosen={note.id === chosen} {...each} />
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
  resolve,
}: Omit<Props, 'notes' | 'chosen'> & { note: ProofNote; isChosen: boolean }) {
  const { t } = useTranslation();
  const item = useRef<HTMLLIElement>(null);
  const [isAnswering, setAnswering] = useState(false);
  useEffect(() => {
    if (isChosen) item.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  const { id, no, page, mark, text, answers, isMine, resolvedAt } = note;
  const head: ReactNode = (
    <>
      <span className={classes.no}>{no}</span>
      <span>
        <b>{page === null ? t('notes.whole') : t('notes.onPage', { page })}</b>
        {mark !== 'place' && ` · ${t(`viewer.mark.${mark}`)}`}
        {resolvedAt && ` · ${t('notes.done')}`}
      </span>
    </>
  );
  return (
    <li
      ref={item}
      className={classes.note}
      data-chosen={isChosen || undefined}
      data-done={resolvedAt !== null || undefined}
    >
      {onChoose ? (
        <button type="button" className={classes.head} aria-pressed={isChosen} onClick={() => onChoose(note)}>
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
          {resolve && <Act word={t(resolvedAt ? 'notes.reopen' : 'notes.tick')} act={() => resolve(note)} />}
          {remove && isMine && <Act word={t('notes.remove')} act={() => remove(id)} />}
        </div>
      )}
    </li>
  );
}

const Act = ({ word, act }: { word: string; act: () => void }) => (
  <Button size="compact-sm" variant="subtle" onClick={act}>
    {word}
  </Button>
);
