import { Button, Text } from '@mantine/core';
import { IconFileTypePdf } from '@tabler/icons-react';
import { useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatSize } from '../language/formats.ts';
import classes from './trials.module.css';

/** Takes one PDF by dropping or by choosing, and says which one it has. */
export function DropFile({ file, onFile }: { file: File | null; onFile: (file: File) => void }) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const hint = useId();
  const [isOver, setOver] = useState(false);
  const take = (files: FileList | null) => {
    const [first] = files ?? [];
    if (first) onFile(first);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside is the way for keys; dropping is a pointer's
    <div
      className={classes.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer.files);
      }}
    >
      <Text size="sm" c={file ? '' : 'dimmed'} id={hint} className={classes.dropName}>
        <IconFileTypePdf size={18} stroke={1.5} aria-hidden />
        {file ? `${file.name} (${formatSize(file.size)})` : t('trial.upload')}
      </Text>
      <Button variant="default" size="xs" onClick={() => input.current?.click()} aria-describedby={hint}>
        {t('trial.choose')}
      </Button>
      <input
        ref={input}
        type="file"
        accept="application/pdf,.pdf"
        hidden
        onChange={(event) => {
          take(event.currentTarget.files);
          event.currentTarget.value = '';
        }}
      />
    </div>
  );
}
