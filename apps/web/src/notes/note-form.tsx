import { Button, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormProblem } from '../account/form-problems.tsx';
import { ChosenFiles } from './chosen-files.tsx';
import classes from './notes.module.css';

/** A field for a note or an answer. What is written stays where it could not be sent. */
export function NoteForm({
  label,
  act,
  draft,
  takesFiles = true,
  onSend,
  onEnd,
}: {
  label: string;
  act: string;
  /** What was written before, and where it is kept while it is written. */
  draft?: { text: string; keep: (text: string) => void };
  takesFiles?: boolean;
  onSend: (text: string, files: readonly File[]) => Promise<unknown>;
  onEnd: () => void;
}) {
  const { t } = useTranslation();
  const [text, setText] = useState(draft?.text ?? '');
  const [files, setFiles] = useState<readonly File[]>([]);
  const [error, setError] = useState<unknown>(null);
  const [isUnderway, setUnderway] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === '' || isUnderway) return;
    setUnderway(true);
    setError(null);
    try {
      await onSend(text.trim(), files);
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
        onChange={({ currentTarget: { value } }) => {
          setText(value);
          draft?.keep(value);
        }}
      />
      {takesFiles && <ChosenFiles files={files} onChange={setFiles} />}
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
