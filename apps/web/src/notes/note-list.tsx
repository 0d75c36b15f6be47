import { Button, Textarea } from '@mantine/core';
import type { ProofNote } from '@pdf2press/contract';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormProblem } from '../account/form-problems.tsx';
import { formatTime } from '../language/formats.ts';
import classes from './notes.module.css';

/** What can be done with a note; left out where the reader may not. */
export interface NoteActs {
  answer?: ((note: ProofNote, text: string) => Promise<unknown>) | undefined;
  remove?: ((id: string) => void) | undefined;
  resolve?: ((note: ProofNote) => void) | undefined;
}

interface Props extends NoteActs {
  notes: readonly ProofNote[];
  chosen: string | null;
  /** Shows the place of a note; left out where no page is beside the list. */
  onChoose?: ((note: ProofNote) => void) | undefined;
}

/** Notes on a proof with their answers, as recipients and the house read them. */
export function NoteList({ notes, chosen, onChoose, ...acts }: Props) {
  return (
    <ul className={classes.list}>
      {notes.map((note) => (
        <Note key={note.id} note={note} isChosen={note.id === chosen} onChoose={onChoose} {...acts} />
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
  answer,
  remove,
  resolve,
}: NoteActs & { note: ProofNote; isChosen: boolean; onChoose: Props['onChoose'] }) {
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
      {answers.length > 0 && (
        <ul className={classes.answers}>
          {answers.map((one) => (
            <li key={one.id}>
              <By said={one} />
              <p className={classes.text}>{one.text}</p>
              {remove && one.isMine && <Act word={t('notes.remove')} act={() => remove(one.id)} />}
            </li>
          ))}
        </ul>
      )}
      {isAnswering && answer ? (
        <NoteForm
          label={t('notes.answerText', { no })}
          act={t('notes.send')}
          onSend={(words) => answer(note, words)}
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

/** A field for a note or an answer. What is written stays where it could not be sent. */
export function NoteForm({
  label,
  act,
  onSend,
  onEnd,
}: {
  label: string;
  act: string;
  onSend: (text: string) => Promise<unknown>;
  onEnd: () => void;
}) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [isUnderway, setUnderway] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === '' || isUnderway) return;
    setUnderway(true);
    setError(null);
    try {
      await onSend(text.trim());
      onEnd();
    } catch (failure) {
      setError(failure);
    } finally {
      setUnderway(false);
    }
  };
  return (
    <form onSubmit={submit}>
      <Textarea
        label={label}
        data-autofocus
        autoFocus
        autosize
        minRows={2}
        maxRows={8}
        maxLength={2000}
        mt="xs"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <FormProblem error={error} />
      <div className={classes.acts}>
        <Button type="submit" size="xs" loading={isUnderway} disabled={text.trim() === ''}>
          {act}
        </Button>
        <Button size="xs" variant="default" onClick={onEnd}>
          {t('common.cancel')}
        </Button>
      </div>
    </form>
  );
}
