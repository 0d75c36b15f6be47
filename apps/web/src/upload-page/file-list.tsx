import { ActionIcon, Tooltip } from '@mantine/core';
import type { FileType, UploadPage } from '@pdf2press/contract';
import { fileTypeOf } from '@pdf2press/contract';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconFile,
  IconFileTypePdf,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconX,
} from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatPoints, formatSize } from '../language/formats.ts';
import { ProgressBar, progressText, Spoken } from '../uploads/progress.tsx';
import { DoorCheck } from './door-check.tsx';
import classes from './upload-page.module.css';
import type { DoorCheckOf } from './use-checks.ts';
import { isReady, type PageItem, pause, removeFile, resume } from './visit.ts';

interface Props {
  items: readonly PageItem[];
  unit: UploadPage['unit'];
  /** What the chosen service takes; undefined before one is chosen. */
  types: readonly FileType[] | undefined;
  /** What the server said of each when they were sent, by the upload's id. */
  refused: ReadonlyMap<string, string>;
  /** What was found in each, by the upload's id. */
  checks: ReadonlyMap<string, DoorCheckOf>;
  /** Types of files, for the browser's picker. */
  accept: string;
  onReplace: (item: PageItem, file: File) => void;
}

/** The added files, each with its first page, what is known of it and how far it is. */
export function FileList({ items, ...rest }: Props) {
  const { t } = useTranslation();
  if (items.length === 0) return null;
  return (
    <>
      <ul className={classes.files} aria-label={t('uploadPage.files')}>
        {items.map((item) => (
          <FileLine key={item.key} item={item} {...rest} />
        ))}
      </ul>
      <Spoken items={items} />
    </>
  );
}

/** Why a file cannot be sent as it is. */
export function faultOfItem(
  item: PageItem,
  { types, refused }: Pick<Props, 'types' | 'refused'>,
  t: TFunction,
): string | null {
  const { fault, uploadId, name, needs } = item;
  if (fault?.code === 'file.tooLarge') return t(fault.code, { limit: formatSize(Number(fault.params?.limit)) });
  if (fault?.code === 'file.typeNotAccepted') return t('uploadPage.types', { ...fault.params });
  if (fault) return t(fault.code, { ...fault.params });
  const told = uploadId && refused.get(uploadId);
  if (told) return told;
  if (needs === 'again') return null;
  const type = fileTypeOf(name);
  if (types && type && !types.includes(type)) return t('uploadPage.types', { types: types.join(', ') });
  return item.state === 'failed' ? progressText(item, t) : null;
}

/** What is known of a file that has arrived or is on its way. */
function textOf(item: PageItem, unit: Props['unit'], t: TFunction): string {
  const { preview, size, needs, state } = item;
  if (needs === 'again') return t('upload.chooseAgain');
  if (state === 'finishing') return t('uploadPage.finishing');
  if (!isReady(item)) return progressText(item, t);
  const { pageCount = null, size: page = null } = preview ?? {};
  return [
    formatSize(size),
    pageCount !== null && t('uploadPage.pages', { count: pageCount }),
    page && `${formatPoints(page.width, unit)} × ${formatPoints(page.height, unit)}`,
  ]
    .filter(Boolean)
    .join(' · ');
}

function FileLine({
  item,
  unit,
  types,
  refused,
  checks,
  accept,
  onReplace,
}: Omit<Props, 'items'> & { item: PageItem }) {
  const { t } = useTranslation();
  const { key, name, state, needs, preview } = item;
  const Icon = fileTypeOf(name) === 'PDF' ? IconFileTypePdf : IconFile;
  const fault = faultOfItem(item, { types, refused }, t);
  const door = !fault && isReady(item) && item.uploadId ? checks.get(item.uploadId) : undefined;
  const button = (label: string, icon: ReactNode, act: () => void) => (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="neutral" aria-label={`${label}: ${name}`} onClick={act}>
        {icon}
      </ActionIcon>
    </Tooltip>
  );
  return (
    <li className={classes.file}>
      <span className={classes.thumbnail} aria-hidden>
        {preview?.picture ? <img src={preview.picture} alt="" /> : <Icon size={28} stroke={1.3} />}
      </span>
      <div className={classes.facts}>
        <span className={classes.name} title={name}>
          {name}
        </span>
        <ProgressBar item={item} />
        {fault ? (
          <small className={classes.fault} role="alert">
            <IconAlertTriangle size={16} aria-hidden /> {fault}
          </small>
        ) : (
          <small>
            {isReady(item) && <IconCircleCheck size={16} className={classes.good} aria-label={t('uploadPage.ready')} />}
            {textOf(item, unit, t)}
          </small>
        )}
        {preview?.isLocked && <small>{t('uploadPage.locked')}</small>}
      </div>
      {state === 'uploading' && button(t('upload.pause'), <IconPlayerPause size={18} />, () => pause(key))}
      {state === 'paused' &&
        needs === null &&
        button(t('upload.resume'), <IconPlayerPlay size={18} />, () => resume(key))}
      {state === 'failed' && needs === null && button(t('common.retry'), <IconRefresh size={18} />, () => resume(key))}
      {state !== 'finishing' && (
        <Tooltip label={t('upload.remove', { name })}>
          <ActionIcon
            variant="subtle"
            color="neutral"
            aria-label={t('upload.remove', { name })}
            onClick={() => removeFile(item)}
          >
            <IconX size={18} />
          </ActionIcon>
        </Tooltip>
      )}
      {door && <DoorCheck name={name} door={door} accept={accept} onReplace={(file) => onReplace(item, file)} />}
    </li>
  );
}
