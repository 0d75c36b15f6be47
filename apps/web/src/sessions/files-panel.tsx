import { ActionIcon, CopyButton, Group, Text, Tooltip } from '@mantine/core';
import type { Session, SessionFile } from '@pdf2press/contract';
import { IconDownload, IconFile, IconFileTypePdf, IconFingerprint, IconPhoto } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../account/use-me.ts';
import { download } from '../client/call.ts';
import { ListRows } from '../frame/list-rows.tsx';
import { notify } from '../frame/toasts.tsx';
import { formatSize } from '../language/formats.ts';
import classes from './session.module.css';
import { SessionDeliveries } from './session-deliveries.tsx';

const iconOf = (file: SessionFile) =>
  file.mediaType === 'application/pdf' ? IconFileTypePdf : file.mediaType.startsWith('image/') ? IconPhoto : IconFile;

const isThumbnail = ({ kind }: SessionFile): boolean => kind.endsWith('Thumbnails');

/** Received and created files with sizes and checksums; page thumbnails are folded. */
export function FilesPanel({ session }: { session: Session }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const thumbnails = session.files.filter(isThumbnail);
  return (
    <>
      <ListRows>
        {session.files
          .filter((file) => !isThumbnail(file))
          .map((file) => (
            <FileRow key={file.id} file={file} />
          ))}
      </ListRows>
      {thumbnails.length > 0 && (
        <details className={classes.thumbnails} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>{t('session.thumbnails', { count: thumbnails.length })}</summary>
          {isOpen && (
            <ListRows>
              {thumbnails.map((file) => (
                <FileRow key={file.id} file={file} />
              ))}
            </ListRows>
          )}
        </details>
      )}
      <SessionDeliveries session={session} />
    </>
  );
}

function FileRow({ file }: { file: SessionFile }) {
  const { t } = useTranslation();
  const mayDownload = useMay()('sessions.files.download');
  const Icon = iconOf(file);
  return (
    <Group wrap="nowrap" gap="sm">
      <Icon size={22} stroke={1.5} aria-hidden />
      <div style={{ flex: 1, minInlineSize: 0 }}>
        <Text fw={500} truncate title={file.name}>
          {file.name}
        </Text>
        <Text size="xs" c="dimmed" className="tabular">
          {t(`fileKind.${file.kind}`)} · {formatSize(file.sizeBytes)}
        </Text>
      </div>
      <CopyButton value={file.sha256}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? t('common.copied') : `SHA-256 ${file.sha256.slice(0, 12)}…`}>
            <ActionIcon
              variant="subtle"
              color="neutral"
              onClick={copy}
              aria-label={t('session.copyChecksum', { name: file.name })}
            >
              <IconFingerprint size={18} />
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
      <Tooltip
        label={mayDownload ? t('common.download') : t('access.denied', { permission: 'sessions.files.download' })}
      >
        <ActionIcon
          variant="subtle"
          data-disabled={!mayDownload}
          aria-disabled={!mayDownload}
          aria-label={t('session.download', { name: file.name })}
          onClick={() => mayDownload && download(file.downloadUrl, file.name).catch(notify.failure)}
        >
          <IconDownload size={18} />
        </ActionIcon>
      </Tooltip>
    </Group>
  );
}
