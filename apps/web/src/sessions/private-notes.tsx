import { Button } from '@mantine/core';
import type { PrivateNote } from '@pdf2press/contract';
import { proofRoutes } from '@pdf2press/contract/calls';
import { IconLock } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../client/call.ts';
import { invalidate, useCall } from '../client/queries.ts';
import { useRequestKey } from '../client/request-key.ts';
import { notify } from '../frame/toasts.tsx';
import { formatTime } from '../language/formats.ts';
import { NoteForm } from '../notes/note-form.tsx';
import { Act } from '../notes/note-list.tsx';
import classes from '../notes/notes.module.css';

/** The private notes of a proof, and what is done with them. */
export interface PrivateNotes {
  /** About a note; null = about the proof. */
  about: (noteId: string | null) => readonly PrivateNote[];
  write: (noteId: string | null, text: string) => Promise<void>;
  remove: (id: string) => void;
}

/** @param isAsked false for whoever may not read them */
export function usePrivateNotes(
  params: { id: string; proofId: string },
  { isAsked, interval }: { isAsked: boolean; interval: number | false },
): PrivateNotes {
  const { keyOf: requestKeyOf, forget } = useRequestKey();
  const { data = [] } = useCall(proofRoutes.privateNotes, { params }, { enabled: isAsked, refetchInterval: interval });
  const changed = () => invalidate(proofRoutes.privateNotes);
  return {
    about: (wanted) => data.filter(({ noteId }) => noteId === wanted),
    write: async (noteId, text) => {
      const body = { noteId, text };
      await call(proofRoutes.addPrivateNote, { params, body: { ...body, key: requestKeyOf(body) } });
      forget();
      await changed();
    },
    remove: (noteId) =>
      void call(proofRoutes.removePrivateNote, { params: { ...params, noteId } }).then(changed, notify.failure),
  };
}

/** What the house wrote for itself about a note, or about the proof where `note` is null, and the field for more. */
export function PrivateNotesOn({ notes, note }: { notes: PrivateNotes; note: { id: string; no: number } | null }) {
  const { t } = useTranslation();
  const [isWriting, setWriting] = useState(false);
  const noteId = note?.id ?? null;
  const written = notes.about(noteId);
  const label = note ? t('notes.privateOn', { no: note.no }) : t('notes.privateAbout');
  return (
    <div className={classes.private}>
      {written.length > 0 && (
        <ul className={classes.answers} aria-label={label}>
          {written.map(({ id, by, at, text, isMine }) => (
            <li key={id}>
              <span className={classes.by}>
                <IconLock size={13} aria-hidden /> {t('notes.privateWrite')} · {by} · {formatTime(at)}
              </span>
              <p className={classes.text}>{text}</p>
              {isMine && <Act word={t('notes.privateRemove')} act={() => notes.remove(id)} />}
            </li>
          ))}
        </ul>
      )}
      {isWriting ? (
        <NoteForm
          label={label}
          act={t('notes.privateSave')}
          takesFiles={false}
          onSend={(text) => notes.write(noteId, text)}
          onEnd={() => setWriting(false)}
        />
      ) : (
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconLock size={14} aria-hidden />}
          aria-label={label}
          onClick={() => setWriting(true)}
        >
          {t('notes.privateWrite')}
        </Button>
      )}
    </div>
  );
}
