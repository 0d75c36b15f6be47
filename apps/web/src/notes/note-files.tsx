import { formatBytes, type NoteFile } from '@pdf2press/contract';
import { IconPaperclip } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { download } from '../client/call.ts';
import { notify } from '../frame/toasts.tsx';
import classes from './notes.module.css';

/** The files at a note or an answer; a click loads one. */
export function NoteFiles({
  note: { id, files },
  address,
}: {
  note: { id: string; files: readonly NoteFile[] };
  address: (noteId: string, fileId: string) => string;
}) {
  const { t } = useTranslation();
  if (files.length === 0) return null;
  return (
    <ul className={classes.files} aria-label={t('notes.files')}>
      {files.map((file) => (
        <li key={file.id}>
          <button
            type="button"
            className={classes.file}
            aria-label={t('notes.download', { name: file.name })}
            onClick={() => void download(address(id, file.id), file.name).catch(notify.failure)}
          >
            <IconPaperclip size={15} aria-hidden />
            <span>{file.name}</span>
            <span className={classes.by}>{formatBytes(file.size)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
