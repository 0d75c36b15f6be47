import { ActionIcon, Checkbox, Menu } from '@mantine/core';
import type { SessionListItem } from '@pdf2press/contract';
import { IconDots, IconFileTypePdf } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { BlobImage } from '../client/blob-image.tsx';
import { formatAgo } from '../language/formats.ts';
import type { Column } from './columns.tsx';
import { actionIcons, actOnSessions, useSessionActions } from './session-actions.ts';
import classes from './sessions.module.css';
import { SessionStatusChip } from './status.tsx';
import type { Selection } from './use-selection.ts';

interface Props {
  session: SessionListItem;
  columns: readonly Column[];
  selection: Selection;
  at: number;
  isChanged: boolean;
}

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

export function SessionRow({ session, columns, selection, at, isChanged }: Props) {
  const { t } = useTranslation();
  const isSelected = selection.ids.has(session.id);
  return (
    <tr
      data-selected={isSelected || undefined}
      data-current={selection.current === at || undefined}
      data-changed={isChanged || undefined}
      // A new key of the animation each time: the outline runs once per change.
      onAnimationEnd={(event) => event.currentTarget.removeAttribute('data-changed')}
    >
      <td className={classes.tick}>
        <Checkbox
          aria-label={t('list.select', { name: session.fileName })}
          checked={isSelected}
          onChange={(event) => selection.set(session.id, event.currentTarget.checked)}
        />
      </td>
      <td>
        <span className={classes.file}>
          <SessionThumbnail session={session} />
          <Link to={sessionPath(session.id)} className={classes.link} title={session.fileName} data-row={at}>
            {session.fileName}
          </Link>
        </span>
      </td>
      {columns.map((column) => (
        <td key={column.key}>{column.cell(session, t)}</td>
      ))}
      <td className={classes.more}>
        <RowMenu session={session} />
      </td>
    </tr>
  );
}

/** The same session where there is no room for columns. */
export function SessionCard({ session, selection }: Pick<Props, 'session' | 'selection'>) {
  const { t } = useTranslation();
  const isSelected = selection.ids.has(session.id);
  return (
    <li className={`card ${classes.card}`} data-selected={isSelected || undefined}>
      <Checkbox
        aria-label={t('list.select', { name: session.fileName })}
        checked={isSelected}
        onChange={(event) => selection.set(session.id, event.currentTarget.checked)}
      />
      <SessionThumbnail session={session} />
      <div className={classes.cardText}>
        <Link to={sessionPath(session.id)} className={classes.link}>
          {session.fileName}
        </Link>
        <div className={classes.cardLine}>
          <SessionStatusChip status={session.status} />
          <span>{formatAgo(session.createdAt)}</span>
        </div>
        <div className={classes.cardLine}>{session.workflow.name}</div>
      </div>
      <RowMenu session={session} />
    </li>
  );
}

function RowMenu({ session }: { session: SessionListItem }) {
  const { t } = useTranslation();
  const actionsOf = useSessionActions();
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon variant="subtle" color="neutral" aria-label={t('list.actionsOf', { name: session.fileName })}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actionsOf([session]).map(({ action, refusal }) => {
          const Icon = actionIcons[action];
          return (
            <Menu.Item
              key={action}
              leftSection={<Icon size={16} />}
              {...(action === 'delete' ? { color: 'error' } : {})}
              disabled={refusal !== null}
              title={refusal ?? ''}
              onClick={() => void actOnSessions(t, action, [session])}
            >
              {t(`sessions.action.${action}`)}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
