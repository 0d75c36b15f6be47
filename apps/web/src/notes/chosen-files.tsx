import { Button, CloseButton, FileButton, Text } from '@mantine/core';
import { formatBytes, mostNoteFileBytes, mostNoteFiles, noteFileTypes } from '@pdf2press/contract';
import { IconPaperclip } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './notes.module.css';

const accept = noteFileTypes.flatMap(({ mediaType, extensions }) => [mediaType, ...extensions]).join(',');
const isSame = (one: File, other: File) =>
  one.name === other.name && one.size === other.size && one.lastModified === other.lastModified;

/** The files that go with a note, and the button that chooses more. What is too large is said at once. */
export function ChosenFiles({
  files,
  onChange,
}: {
  files: readonly File[];
  onChange: (files: readonly File[]) => void;
}) {
  const { t } = useTranslation();
  const [fault, setFault] = useState<string | null>(null);
  const add = (chosen: readonly File[]) => {
    const fitting = chosen.filter(({ size }) => size <= mostNoteFileBytes);
    const more = fitting.filter((file) => !files.some((other) => isSame(file, other)));
    const all = [...files, ...more];
    if (fitting.length < chosen.length) setFault(t('file.tooLarge', { limit: formatBytes(mostNoteFileBytes) }));
    else if (all.length > mostNoteFiles) setFault(t('proof.tooManyNoteFiles', { limit: mostNoteFiles }));
    else setFault(null);
    onChange(all.slice(0, mostNoteFiles));
  };
  return (
    <div className={classes.chosen}>
      {files.length > 0 && (
        <ul className={classes.files}>
          {files.map((file) => (
            <li key={`${file.name} ${file.size} ${file.lastModified}`} className={classes.file}>
              <span>{file.name}</span>
              <span className={classes.by}>{formatBytes(file.size)}</span>
              <CloseButton
                size="sm"
                aria-label={t('notes.detach', { name: file.name })}
                onClick={() => onChange(files.filter((other) => other !== file))}
              />
            </li>
          ))}
        </ul>
      )}
      <FileButton multiple accept={accept} onChange={add}>
        {(props) => (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPaperclip size={15} aria-hidden />}
            disabled={files.length >= mostNoteFiles}
            {...props}
          >
            {t('notes.attach')}
          </Button>
        )}
      </FileButton>
      {fault ? (
        <Text size="xs" c="red" role="alert">
          {fault}
        </Text>
      ) : (
        <Text size="xs" c="dimmed">
          {t('notes.attachHelp', {
            count: mostNoteFiles,
            size: formatBytes(mostNoteFileBytes),
            types: noteFileTypes.map(({ type }) => type).join(', '),
          })}
        </Text>
      )}
    </div>
  );
}
