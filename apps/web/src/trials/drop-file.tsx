import { Button, Text } from '@mantine/core';
import { IconFileTypePdf } from '@tabler/icons-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { formatSize } from '../language/formats.ts';
import { DropZone } from '../uploads/drop-zone.tsx';
import classes from './trials.module.css';

/** A field for one PDF. */
export function DropFile({ file, onFile }: { file: File | null; onFile: (file: File) => void }) {
  const { t } = useTranslation();
  const hint = useId();
  return (
    <DropZone className={classes.drop} onFiles={([first]) => first && onFile(first)}>
      {(choose) => (
        <>
          <Text size="sm" c={file ? '' : 'dimmed'} id={hint} className={classes.dropName}>
            <IconFileTypePdf size={18} stroke={1.5} aria-hidden />
            {file ? `${file.name} (${formatSize(file.size)})` : t('trial.upload')}
          </Text>
          <Button variant="default" size="xs" onClick={choose} aria-describedby={hint}>
            {t('trial.choose')}
          </Button>
        </>
      )}
    </DropZone>
  );
}
