import { ActionIcon, Group, Text, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconAlertTriangle,
  IconChevronDown,
  IconCircleCheck,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconUpload,
  IconX,
} from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { sessionPath } from '../sessions/session-row.tsx';
import { FetchLine } from './fetch-line.tsx';
import { forgetFetched, isComing } from './fetches.ts';
import { fileTypes } from './file-types.ts';
import type { Interrupted } from './interrupted.ts';
import { isUnderway } from './make-queue.ts';
import { ProgressBar, progressText, Spoken } from './progress.tsx';
import { cancelUpload, clearFinished, enqueue, forget, pauseUpload, resumeUpload } from './upload-queue.ts';
import { type UploadItem, useUploads } from './upload-state.ts';
import classes from './uploads.module.css';

/** Takes the tray away with the page on which everything in it was finished, so that it covers nothing of the next. */
function useLeaving(): void {
  const { pathname } = useLocation();
  const isFinished = useUploads(
    ({ items, interrupted }) => interrupted.length === 0 && items.every(({ state }) => state === 'done'),
  );
  const isFetched = useUploads(({ fetches }) => fetches.every(({ arrived }) => arrived?.session));
  const seenOn = useRef(pathname);
  useEffect(() => {
    if (seenOn.current === pathname) return;
    seenOn.current = pathname;
    if (isFinished) clearFinished();
    if (isFetched) forgetFetched();
  }, [pathname, isFinished, isFetched]);
}

/** Running uploads on every page, and finished ones until they are dismissed or another page is opened. */
export function UploadTray() {
  const { t } = useTranslation();
  const { items, interrupted, fetches } = useUploads();
  const [isFolded, fold] = useDisclosure();
  useLeaving();
  const open = items.filter(isUnderway).length + fetches.filter(isComing).length;
  const count = items.length + fetches.length;
  const title = open > 0 ? t('upload.underway', { count: open }) : t('upload.finished', { count });
  return (
    <section className={classes.tray} aria-label={t('upload.title')}>
      <header className={classes.trayHead}>
        <Text fw={600}>{count > 0 ? title : t('upload.interrupted')}</Text>
        <Group gap={2}>
          <ActionIcon
            variant="subtle"
            color="neutral"
            aria-label={t(isFolded ? 'upload.unfold' : 'upload.fold')}
            aria-expanded={!isFolded}
            onClick={fold.toggle}
          >
            <IconChevronDown size={18} style={{ transform: isFolded ? 'rotate(180deg)' : 'none' }} />
          </ActionIcon>
          {open === 0 && (
            <ActionIcon
              variant="subtle"
              color="neutral"
              aria-label={t('common.close')}
              onClick={() => {
                clearFinished();
                forgetFetched();
                for (const one of interrupted) forget(one.fingerprint);
                for (const item of items) if (item.state === 'failed') cancelUpload(item.key);
              }}
            >
              <IconX size={18} />
            </ActionIcon>
          )}
        </Group>
      </header>
      {!isFolded && (
        <ul className={classes.trayList}>
          {interrupted.map((one) => (
            <InterruptedLine key={one.fingerprint} upload={one} />
          ))}
          {items.map((item) => (
            <Line key={item.key} item={item} />
          ))}
          {fetches.map((one) => (
            <FetchLine key={one.arrivalId} fetched={one} />
          ))}
        </ul>
      )}
      <Spoken items={items} />
    </section>
  );
}

function Line({ item }: { item: UploadItem }) {
  const { t } = useTranslation();
  const button = (label: string, icon: React.ReactNode, act: () => void) => (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="neutral" aria-label={`${label}: ${item.name}`} onClick={act}>
        {icon}
      </ActionIcon>
    </Tooltip>
  );
  return (
    <li className={classes.line} data-state={item.state}>
      <div className={classes.lineHead}>
        {item.state === 'done' && (
          <IconCircleCheck size={18} className={classes.done} aria-label={t('upload.state.done')} />
        )}
        {item.state === 'failed' && <IconAlertTriangle size={18} className={classes.failed} aria-hidden />}
        {item.sessionId ? (
          <Link to={sessionPath(item.sessionId)} className={classes.name}>
            {item.name}
          </Link>
        ) : (
          <span className={classes.name}>{item.name}</span>
        )}
        {item.state === 'uploading' &&
          button(t('upload.pause'), <IconPlayerPause size={16} />, () => pauseUpload(item.key))}
        {item.state === 'paused' &&
          button(t('upload.resume'), <IconPlayerPlay size={16} />, () => resumeUpload(item.key))}
        {item.state === 'failed' && button(t('common.retry'), <IconRefresh size={16} />, () => resumeUpload(item.key))}
        {item.state !== 'done' &&
          item.state !== 'finishing' &&
          button(t('upload.cancel'), <IconX size={16} />, () => cancelUpload(item.key))}
      </div>
      <ProgressBar item={item} />
      <small role={item.state === 'failed' ? 'alert' : undefined}>{progressText(item, t)}</small>
    </li>
  );
}

/** An upload interrupted by a reload; it resumes after the same file was chosen again. */
function InterruptedLine({ upload }: { upload: Interrupted }) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  return (
    <li className={classes.line}>
      <div className={classes.lineHead}>
        <IconUpload size={18} aria-hidden />
        <span className={classes.name}>{upload.name}</span>
        <ActionIcon
          variant="subtle"
          color="neutral"
          aria-label={`${t('upload.chooseAgain')}: ${upload.name}`}
          onClick={() => input.current?.click()}
        >
          <IconPlayerPlay size={16} />
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          color="neutral"
          aria-label={`${t('upload.cancel')}: ${upload.name}`}
          onClick={() => forget(upload.fingerprint)}
        >
          <IconX size={16} />
        </ActionIcon>
      </div>
      <small>{t('upload.chooseAgain')}</small>
      <input
        ref={input}
        type="file"
        accept={fileTypes}
        hidden
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          const { workflowId, organizationId, variables } = upload;
          if (file) enqueue([file], { workflowId, organizationId, variables });
        }}
      />
    </li>
  );
}
