import type { SessionListItem, sessionSorts } from '@pdf2press/contract';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { formatAgo, formatPercent, formatSize, formatTime } from '../language/formats.ts';
import classes from './sessions.module.css';
import { SessionStatusChip } from './status.tsx';

export interface Column {
  key: string;
  /** `field.<label>` */
  label: string;
  sort?: (typeof sessionSorts)[number];
  isFixed?: boolean;
  cell: (session: SessionListItem, t: TFunction) => ReactNode;
}

/** The columns of the specification (§2) in its order; the thumbnail and the file name stand before them. */
export const columns: readonly Column[] = [
  {
    key: 'status',
    label: 'status',
    sort: 'status',
    isFixed: true,
    cell: (session, t) => (
      <>
        <SessionStatusChip
          status={session.status}
          share={session.status === 'Processing' && session.progress ? formatPercent(session.progress) : undefined}
        />
        {session.archiveState !== 'Unarchived' && (
          <span className={classes.tag}>{t(`archiveState.${session.archiveState}`)}</span>
        )}
      </>
    ),
  },
  {
    key: 'created',
    label: 'created',
    sort: 'createdAt',
    cell: (session) => (
      <time dateTime={session.createdAt} title={formatTime(session.createdAt, 'long')}>
        {formatAgo(session.createdAt)}
      </time>
    ),
  },
  { key: 'workflow', label: 'workflow', sort: 'workflow', cell: (session) => session.workflow.name },
  { key: 'id', label: 'sessionId', cell: (session) => <code className={classes.id}>{session.id}</code> },
  {
    key: 'sourceType',
    label: 'sourceType',
    sort: 'sourceType',
    cell: (session, t) => t(`source.${session.sourceType}`),
  },
  { key: 'source', label: 'source', sort: 'source', cell: (session) => session.source },
  { key: 'pages', label: 'pages', cell: (session) => session.pageCount ?? '' },
  { key: 'size', label: 'size', cell: (session) => formatSize(session.sizeBytes) },
];
