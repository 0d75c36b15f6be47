import { isFinal, type SessionListItem } from '@pdf2press/contract';
import { IconFileTypePdf } from '@tabler/icons-react';
import { createContext, type ReactNode, useContext, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { BlobImage } from '../client/blob-image.tsx';
import { Ago } from '../frame/ago.tsx';
import type { MenuAct } from '../frame/menu-entry.ts';
import { RowMenu } from '../frame/row-menu.tsx';
import { useSeesSeveral } from '../organizations/use-own-organizations.ts';
import { Totals } from './finding-totals.tsx';
import { actionIcons, actOnRows, isDangerous, rowActions, useSessionActions } from './session-actions.ts';
import classes from './sessions.module.css';
import { SessionStatusChip } from './status.tsx';
import { RowTick, type Ticks } from './ticks.tsx';

export const sessionPath = (id: string): string => `/workflows/session/${encodeURIComponent(id)}`;

const icon = <IconFileTypePdf size={18} stroke={1.6} aria-hidden />;

export function SessionThumbnail({ session }: { session: SessionListItem }) {
  return (
    <span className={classes.thumbnail}>
      {session.thumbnailUrl === null ? (
        icon
      ) : (
        <BlobImage address={session.thumbnailUrl} loading="lazy" fallback={icon} />
      )}
    </span>
  );
}

interface CardProps {
  session: SessionListItem;
  /** Index in the list. */
  row: number;
  ticks: Ticks;
  /** Ticked, and its box painted. */
  isMarked: boolean;
  /** Number of live changes, to restart the highlight. */
  changes: number | undefined;
}

/** A session as a card, on narrow screens. */
export function SessionCard({ session, row, ticks, isMarked, changes }: CardProps) {
  const { t } = useTranslation();
  const seesSeveral = useSeesSeveral();
  return (
    <li
      className={`card ${classes.card}`}
      data-selected={isMarked || undefined}
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
          <UrgentMark session={session} />
          <Totals totals={session.findings} />
          <Ago at={session.createdAt} />
        </div>
        <div className={classes.cardLine}>
          {session.workflow.name}
          {seesSeveral && ` · ${session.organization?.name ?? t('madeFor.house')}`}
        </div>
      </div>
      <SessionMenu session={session} />
    </li>
  );
}

type ActsOf = (session: SessionListItem) => readonly MenuAct[];

const RowActs = createContext<ActsOf>(() => []);

/**
 * Provides the actions of rows, those that can be taken now. A row computes its own when its menu opens: doing so for a full list would delay its
 * rendering.
 */
export function SessionActs({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const actionsOf = useSessionActions(rowActions);
  const latest = useRef<ActsOf>(() => []);
  latest.current = (session: SessionListItem) =>
    actionsOf([session])
      .filter(({ refusal }) => refusal === null)
      .map(({ action }) => ({
        label: t(`sessions.action.${action}`),
        icon: actionIcons[action],
        isDangerous: isDangerous(action),
        act: () => void actOnRows(t, action, [session]),
      }));
  const [actsOf] = useState<ActsOf>(() => (session: SessionListItem) => latest.current(session));
  return <RowActs value={actsOf}>{children}</RowActs>;
}

export function SessionMenu({ session }: { session: SessionListItem }) {
  const actsOf = useContext(RowActs);
  // An empty menu would open for whoever may only look.
  return actsOf(session).length > 0 && <RowMenu name={session.fileName} acts={() => actsOf(session)} />;
}

/** Says that a session which is not over yet goes before the others. */
export function UrgentMark({ session: { isUrgent, status } }: { session: SessionListItem }) {
  const { t } = useTranslation();
  return isUrgent && !isFinal(status) && <span className={classes.urgent}>{t('sessions.outcome.prioritize')}</span>;
}
