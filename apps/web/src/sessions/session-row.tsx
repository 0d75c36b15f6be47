import type { SessionListItem } from '@pdf2press/contract';
import { IconFileTypePdf } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { BlobImage } from '../client/blob-image.tsx';
import { Ago } from '../frame/ago.tsx';
import { RowMenu } from '../frame/row-menu.tsx';
import { actionIcons, actOnSessions, isDangerous, useSessionActions } from './session-actions.ts';
import classes from './sessions.module.css';
import { SessionStatusChip } from './status.tsx';
import { RowTick, type Ticks, useIsTicked } from './ticks.tsx';

export const sessionPath = (id: string): string => `/workflows/session/${encodeURIComponent(id)}`;

export function SessionThumbnail({ session }: { session: SessionListItem }) {
  return (
    <span className={classes.thumbnail}>
      <BlobImage
        address={session.thumbnailUrl}
        loading="lazy"
        fallback={<IconFileTypePdf size={18} stroke={1.6} aria-hidden />}
      />
    </span>
  );
}

interface CardProps {
  session: SessionListItem;
  /** Its place in the list. */
  row: number;
  ticks: Ticks;
  /** How often it has changed. */
  changes: number | undefined;
}

/** A session where there is no room for columns. */
export function SessionCard({ session, row, ticks, changes }: CardProps) {
  const { t } = useTranslation();
  const isTicked = useIsTicked(ticks, session.id);
  return (
    <li
      className={`card ${classes.card}`}
      data-selected={isTicked || undefined}
      data-changed={changes}
      onAnimationEnd={(event) => event.currentTarget.removeAttribute('data-changed')}
    >
      <RowTick ticks={ticks} id={session.id} label={t('list.select', { name: session.fileName })} />
      <SessionThumbnail session={session} />
      <div className={classes.cardText}>
        <Link to={sessionPath(session.id)} className={classes.link} data-row={row}>
          {session.fileName}
        </Link>
        <div className={classes.cardLine}>
          <SessionStatusChip status={session.status} />
          <Ago at={session.createdAt} />
        </div>
        <div className={classes.cardLine}>{session.workflow.name}</div>
      </div>
      <SessionMenu session={session} />
    </li>
  );
}

export function SessionMenu({ session }: { session: SessionListItem }) {
  const { t } = useTranslation();
  const actionsOf = useSessionActions();
  return (
    <RowMenu
      name={session.fileName}
      acts={actionsOf([session]).map(({ action, refusal }) => ({
        label: t(`sessions.action.${action}`),
        icon: actionIcons[action],
        isDangerous: isDangerous(action),
        refusal,
        act: () => void actOnSessions(t, action, [session]),
      }))}
    />
  );
}
