import { Button, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './uploads.module.css';

/** Takes files by choosing or by dropping. */
export function FileField({ onFiles, limit }: { onFiles: (files: readonly File[]) => void; limit: string | null }) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const hint = useId();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside is the way for keys; dropping is a pointer's
    <div
      className={classes.field}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onFiles([...event.dataTransfer.files]);
      }}
    >
      <IconUpload size={28} stroke={1.5} aria-hidden />
      <Text fw={550}>{t('upload.drop')}</Text>
      <Button variant="light" onClick={() => input.current?.click()} aria-describedby={hint}>
        {t('upload.choose')}
      </Button>
      <Text size="sm" c="dimmed" id={hint}>
        {limit ? t('upload.hint', { limit }) : 'PDF'}
      </Text>
      <input
        ref={input}
        type="file"
        accept="application/pdf,.pdf"
        multiple
        hidden
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = '';
        }}
      />
    </div>
  );
}
