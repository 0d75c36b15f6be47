import { Button, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { DropZone } from './drop-zone.tsx';
import { filesWithValues } from './file-types.ts';
import classes from './uploads.module.css';

/** Takes the files of a new session. */
export function FileField({ onFiles, limit }: { onFiles: (files: readonly File[]) => void; limit: string | null }) {
  const { t } = useTranslation();
  const hint = useId();
  return (
    <DropZone className={classes.field} isSeveral accept={filesWithValues} onFiles={onFiles}>
      {(choose) => (
        <>
          <IconUpload size={28} stroke={1.5} aria-hidden />
          <Text fw={550}>{t('upload.drop')}</Text>
          <Button variant="light" onClick={choose} aria-describedby={hint}>
            {t('upload.choose')}
          </Button>
          <Text size="sm" c="dimmed" id={hint}>
            {limit ? t('upload.hint', { limit }) : 'PDF'}
          </Text>
        </>
      )}
    </DropZone>
  );
}
