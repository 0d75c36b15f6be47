import { FileInput } from '@mantine/core';
import { formatBytes } from '@pdf2press/contract';
import { IconPaperclip } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FieldShape } from './settings-shape.ts';
import type { SharedProps } from './settings-words.ts';

interface Props {
  shape: Extract<FieldShape, { kind: 'attachment' }>;
  shared: SharedProps;
  value: unknown;
  onChange: (value: { name: string; data: string } | null) => void;
  /** Reports the fault of the chosen file; null if there is none. */
  onFault: (fault: string | null) => void;
}

const nameOf = (value: unknown): string | null =>
  typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string' ? value.name : null;

/** A small file that is stored in the settings. */
export function AttachmentField({ shape, shared, value, onChange, onFault }: Props) {
  const { t } = useTranslation();
  const [fault, setFault] = useState<string | null>(null);
  const name = nameOf(value);
  const say = (next: string | null) => {
    setFault(next);
    onFault(next);
  };
  const take = async (file: File | null) => {
    const isTooLarge = file !== null && file.size > shape.maxBytes;
    say(isTooLarge ? t('ui.fileTooLarge', { size: formatBytes(shape.maxBytes) }) : null);
    if (!isTooLarge) onChange(file && { name: file.name, data: await base64Of(file) });
  };
  return (
    <FileInput
      {...shared}
      error={fault ?? shared.error}
      accept={shape.accept.join(',')}
      placeholder={t('ui.chooseFile')}
      leftSection={<IconPaperclip size={16} aria-hidden />}
      clearable
      clearButtonProps={{ 'aria-label': t('ui.remove') }}
      // Shows the name of a stored file.
      value={name === null ? null : new File([], name)}
      onChange={(file) => void take(file)}
    />
  );
}

const base64Of = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error ?? new Error('unreadable'));
    reader.readAsDataURL(file);
  });
