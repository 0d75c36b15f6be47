import { Alert, Button, FileButton } from '@mantine/core';
import { fontRoutes } from '@pdf2press/contract/calls';
import { IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sendForm } from '../client/call.ts';
import { failureText } from '../client/call-error.ts';
import { invalidate } from '../client/queries.ts';
import { notify } from '../frame/toasts.tsx';

interface Refused {
  name: string;
  why: string;
}

interface Uploads {
  /** The font on its way; null = none. */
  current: string | null;
  refused: readonly Refused[];
  upload: (files: readonly File[]) => Promise<void>;
  forget: () => void;
}

/** Sends fonts one after another; one that is refused keeps none of the others back. */
export function useUploads(): Uploads {
  const { t } = useTranslation();
  const [current, setCurrent] = useState<string | null>(null);
  const [refused, setRefused] = useState<readonly Refused[]>([]);
  const upload = async (files: readonly File[]) => {
    const failed: Refused[] = [];
    for (const file of files) {
      setCurrent(file.name);
      const form = new FormData();
      form.append('file', file);
      try {
        await sendForm(fontRoutes.add, form);
      } catch (error) {
        failed.push({ name: file.name, why: failureText(error, t) });
      }
    }
    setCurrent(null);
    setRefused(failed);
    const count = files.length - failed.length;
    if (count > 0) notify.success(t('fonts.taken', { count }));
    await invalidate(fontRoutes.list);
  };
  return { current, refused, upload, forget: () => setRefused([]) };
}

/** The button that chooses fonts, several at once. */
export function UploadFonts({ current, upload }: Pick<Uploads, 'current' | 'upload'>) {
  const { t } = useTranslation();
  return (
    <FileButton multiple accept=".ttf,.otf" onChange={(files) => void upload(files)}>
      {(props) => (
        <Button leftSection={<IconUpload size={16} aria-hidden />} loading={current !== null} {...props}>
          {current === null ? t('fonts.upload') : t('fonts.uploading', { name: current })}
        </Button>
      )}
    </FileButton>
  );
}

/** The files that were not taken, and why. */
export function RefusedFonts({ refused, forget }: Pick<Uploads, 'refused' | 'forget'>) {
  const { t } = useTranslation();
  if (refused.length === 0) return null;
  return (
    <Alert
      color="red"
      role="alert"
      title={t('fonts.refused')}
      withCloseButton
      closeButtonLabel={t('common.close')}
      onClose={forget}
    >
      <ul style={{ margin: 0, paddingInlineStart: 18 }}>
        {refused.map(({ name, why }) => (
          <li key={name} style={{ overflowWrap: 'anywhere' }}>
            <b>{name}</b>: {why}
          </li>
        ))}
      </ul>
    </Alert>
  );
}
