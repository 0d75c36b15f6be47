import { Alert, Text } from '@mantine/core';
import type { Session } from '@pdf2press/contract';
import { IconAlertTriangle, IconCut, IconFiles } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatTime } from '../language/formats.ts';
import classes from './session.module.css';
import { sessionPath } from './session-row.tsx';
import { SessionStatusChip } from './status.tsx';

/** Which part of another session's file it is, with the way there. */
export function PartOf({ part }: { part: NonNullable<Session['partOf']> }) {
  const { t } = useTranslation();
  const { id, fileName, entry, pages } = part;
  const [first, last] = pages ?? [];
  const words = !pages ? 'session.partOfZip' : first === last ? 'session.partOfPage' : 'session.partOfPages';
  return (
    <Link to={sessionPath(id)} title={entry ?? undefined}>
      {t(words, { name: fileName, entry, first, last })}
    </Link>
  );
}

/** What is to be known of how the file came: a name that does not fit, an earlier one with the same bytes, its parts. */
export function SessionArrival({ session }: { session: Session }) {
  const { t } = useTranslation();
  const { hasOtherName, duplicateOf, parts, merged, acknowledged } = session;
  if (session.isDeleted) return null;
  return (
    <>
      {hasOtherName && (
        <Alert color="warning" variant="light" icon={<IconAlertTriangle size={20} />} role="status">
          {t('session.hasOtherName')}
        </Alert>
      )}
      {acknowledged && (
        <Alert color="warning" variant="light" icon={<IconAlertTriangle size={20} />} role="status">
          {acknowledged.errors > 0
            ? t('session.acknowledged', { count: acknowledged.errors, time: formatTime(acknowledged.at) })
            : t('session.acknowledgedUnread', { time: formatTime(acknowledged.at) })}
        </Alert>
      )}
      {duplicateOf && (
        <Alert color="warning" variant="light" icon={<IconAlertTriangle size={20} />} role="status">
          {t('session.duplicateOf')} <Link to={sessionPath(duplicateOf.id)}>{duplicateOf.fileName}</Link>
        </Alert>
      )}
      {merged && <MergedFiles merged={merged} />}
      {parts && !isOnlyParts(session) && <Parts parts={parts} />}
    </>
  );
}

/** Whether a session has no pages of its own, but those of the sessions that its file was divided into: a ZIP. */
export const isOnlyParts = ({ parts, pageCount }: Session): boolean => parts !== null && pageCount === null;

type Divided = NonNullable<Session['parts']>;

/** The files that the document was merged from, in its order, and what was left out, and why. */
function MergedFiles({ merged: { count, files, skipped } }: { merged: NonNullable<Session['merged']> }) {
  const { t } = useTranslation();
  const title = t('session.merged', { count });
  return (
    <Alert color="info" variant="light" icon={<IconFiles size={20} />} role="status" title={title}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys */}
      <ul className={classes.parts} tabIndex={0} aria-label={title}>
        {files.map(({ name, pages, hasOtherIntent }, at) => (
          <li key={`${at} ${name}`}>
            {t('session.mergedFile', { name, count: pages })}
            {hasOtherIntent && ` (${t('session.otherIntent')})`}
          </li>
        ))}
        {count > files.length && <li>{t('session.moreParts', { count: count - files.length })}</li>}
        <SkippedFiles skipped={skipped} />
      </ul>
    </Alert>
  );
}

function SkippedFiles({ skipped }: Pick<Divided, 'skipped'>) {
  const { t } = useTranslation();
  return skipped.map(({ name, message }, at) => (
    <li key={`${at} ${name}`}>{t('session.skippedPart', { name, message })}</li>
  ));
}

function Parts({ parts }: { parts: Divided }) {
  const { t } = useTranslation();
  return (
    <Alert
      color="info"
      variant="light"
      icon={<IconCut size={20} />}
      role="status"
      title={t('session.parts', { count: parts.count })}
    >
      <PartList parts={parts} />
    </Alert>
  );
}

/** In place of pages: the sessions that a file was divided into. */
export function PartsPage({ parts }: { parts: Divided }) {
  const { t } = useTranslation();
  return (
    <div className={classes.partsPage}>
      <IconCut size={32} stroke={1.5} aria-hidden />
      <Text component="h2" fw={600} fz="lg">
        {t('session.parts', { count: parts.count })}
      </Text>
      <Text c="dimmed">{t('session.partsText')}</Text>
      <PartList parts={parts} />
    </div>
  );
}

/** The sessions of the parts with their states, and what was left out, and why. */
function PartList({ parts: { count, sessions, skipped } }: { parts: Divided }) {
  const { t } = useTranslation();
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys */}
      <ul className={classes.parts} tabIndex={0} aria-label={t('session.parts', { count })}>
        {sessions.map(({ id, fileName, status }) => (
          <li key={id}>
            <Link to={sessionPath(id)}>{fileName}</Link> <SessionStatusChip status={status} />
          </li>
        ))}
        {count > sessions.length && <li>{t('session.moreParts', { count: count - sessions.length })}</li>}
        <SkippedFiles skipped={skipped} />
      </ul>
    </>
  );
}
