import { Text } from '@mantine/core';
import { type SessionExportColumn, type SessionListItem, sessionSorts } from '@pdf2press/contract';
import { columnVisibilityFeature, createColumnHelper, rowSortingFeature, tableFeatures } from '@tanstack/react-table';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Ago } from '../frame/ago.tsx';
import { formatPercent, formatSize } from '../language/formats.ts';
import { progressText, Totals } from './finding-totals.tsx';
import { SessionMenu, SessionThumbnail, sessionPath, UrgentMark } from './session-row.tsx';
import classes from './sessions.module.css';
import { SessionStatusChip } from './status.tsx';
import { stepTitle } from './step-title.ts';

/** Message key `field.<label>` of a column, its name in an export and the CSS class of its cells. Columns without a label hold controls. */
interface ColumnMeta {
  label?: string;
  exported?: SessionExportColumn;
  className?: string | undefined;
}

/** Sorting and paging are done by the server; the table only holds their state and the visible columns. */
export const features = tableFeatures({
  columnVisibilityFeature,
  rowSortingFeature,
  columnMeta: {} as ColumnMeta,
});
export type SessionFeatures = typeof features;

const { columns: list, accessor, display } = createColumnHelper<SessionFeatures, SessionListItem>();

const organizationColumn = 'organization';

/** The columns of the list. Accessor columns can be sorted: their id is the server's name of the field. */
const columns = list([
  accessor('fileName', {
    enableHiding: false,
    meta: { label: 'fileName', exported: 'fileName' },
    cell: ({ row: { original: session, index } }) => (
      <span className={classes.file}>
        <SessionThumbnail session={session} />
        <Link to={sessionPath(session.id)} className={classes.link} title={session.fileName} data-row={index}>
          {session.fileName}
        </Link>
      </span>
    ),
  }),
  accessor('status', {
    enableHiding: false,
    meta: { label: 'status', exported: 'status' },
    cell: function Status({ row: { original: session } }) {
      const { t } = useTranslation();
      const share = session.status === 'Processing' && session.progress ? formatPercent(session.progress) : undefined;
      return (
        <>
          <SessionStatusChip status={session.status} share={share} />
          <UrgentMark session={session} />
          <Underway session={session} />
          {session.archiveState !== 'Unarchived' && (
            <span className={classes.tag}>{t(`archiveState.${session.archiveState}`)}</span>
          )}
        </>
      );
    },
  }),
  accessor('findings', {
    meta: { label: 'findings', exported: 'errors' },
    cell: ({ row }) => <Totals totals={row.original.findings} />,
  }),
  accessor('createdAt', {
    meta: { label: 'created', exported: 'createdAt' },
    cell: ({ row }) => <Ago at={row.original.createdAt} />,
  }),
  accessor(({ workflow }) => workflow.name, { id: 'workflow', meta: { label: 'workflow', exported: 'workflow' } }),
  accessor(({ organization }) => organization?.name, {
    id: organizationColumn,
    meta: { label: 'organization', exported: 'organization' },
    cell: function Organization({ row: { original: session } }) {
      const { t } = useTranslation();
      return (
        session.organization?.name ?? (
          <Text span inherit c="dimmed">
            {t('madeFor.house')}
          </Text>
        )
      );
    },
  }),
  display({
    id: 'id',
    meta: { label: 'sessionId', exported: 'id' },
    cell: ({ row }) => <code className={classes.id}>{row.original.id}</code>,
  }),
  accessor('sourceType', {
    meta: { label: 'sourceType', exported: 'sourceType' },
    cell: function SourceType({ row }) {
      const { t } = useTranslation();
      return t(`source.${row.original.sourceType}`);
    },
  }),
  display({
    id: 'assignee',
    meta: { label: 'assignee' },
    cell: ({ row }) => row.original.assignee?.name ?? '',
  }),
  accessor('source', { meta: { label: 'source', exported: 'source' } }),
  display({
    id: 'externalId',
    meta: { label: 'externalId', exported: 'externalId' },
    cell: ({ row }) => row.original.externalId ?? '',
  }),
  display({
    id: 'pages',
    meta: { label: 'pages', exported: 'pageCount' },
    cell: ({ row }) => row.original.pageCount ?? '',
  }),
  display({
    id: 'size',
    meta: { label: 'size', exported: 'sizeBytes' },
    cell: ({ row }) => formatSize(row.original.sizeBytes),
  }),
  display({
    id: 'more',
    enableHiding: false,
    meta: { className: classes.more },
    header: function Actions() {
      const { t } = useTranslation();
      return <span className="visually-hidden">{t('list.actions')}</span>;
    },
    cell: ({ row }) => <SessionMenu session={row.original} />,
  }),
]);

const withoutOrganization = columns.filter(({ id }) => id !== organizationColumn);

/** The columns for a reader; where all sessions are of one organization, none names it. */
export const columnsOf = (seesSeveral: boolean) => (seesSeveral ? columns : withoutOrganization);

/** "Preflight, page 37 of 113" of a session that runs. */
export function Underway({ session: { running } }: { session: SessionListItem }) {
  const { t } = useTranslation();
  if (!running) return null;
  const title = stepTitle(running, t);
  return (
    <span className={`${classes.underway} tabular`}>
      {running.progress ? t('progress.step', { step: title, progress: progressText(running.progress, t) }) : title}
    </span>
  );
}

export const isSessionSort = (name: string | null): name is (typeof sessionSorts)[number] =>
  (sessionSorts as readonly (string | null)[]).includes(name);
