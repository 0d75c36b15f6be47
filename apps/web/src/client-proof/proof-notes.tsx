import { Button } from '@mantine/core';
import type { ShownProof } from '@pdf2press/contract';
import { IconMessagePlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { NoteForm } from '../notes/note-form.tsx';
import { NoteList } from '../notes/note-list.tsx';
import { useNoteRows } from '../notes/use-note-rows.ts';
import classes from './client-proof.module.css';
import type { Notes } from './use-notes.ts';

/** What was written about the proof, and the field for a new note. */
export function ProofNotes({
  notes,
  proof: { canNote, canMark },
  page,
}: {
  notes: Notes;
  proof: Pick<ShownProof, 'canNote' | 'canMark'>;
  page: number;
}) {
  const { t } = useTranslation();
  const { place } = notes;
  const rows = useNoteRows(notes.pageQuery, notes.reading);
  return (
    <>
      {canNote && !place && (
        <div className={classes.lead}>
          {t(canMark ? 'notes.how' : 'notes.howPage')}
          <Button
            mt="xs"
            size="sm"
            variant="default"
            leftSection={<IconMessagePlus size={16} aria-hidden />}
            onClick={() => notes.aboutPage(page)}
          >
            {t('notes.write')}
          </Button>
        </div>
      )}
      {canNote && place && (
        <div className={classes.fix}>
          <h2>{t(place.box ? 'notes.onPlace' : 'notes.onPage', { page: place.page })}</h2>
          <NoteForm
            label={t('notes.text')}
            act={t('notes.save')}
            draft={notes.draft}
            onSend={notes.add}
            onEnd={() => notes.setPlace(null)}
          />
        </div>
      )}
      {rows.total === 0 && !canNote && <p className={classes.nothing}>{t('notes.none')}</p>}
      <NoteList
        rows={rows}
        chosen={notes.chosen}
        onChoose={notes.choose}
        fileAddress={notes.fileAddress}
        {...(canNote && { answer: notes.answer, remove: notes.remove })}
      />
    </>
  );
}
