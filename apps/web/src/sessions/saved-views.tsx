import { type SessionStatus, sessionStatuses } from '@pdf2press/contract';
import { useTranslation } from 'react-i18next';
import type { ListAddress } from '../frame/list-address.ts';
import { formatNumber } from '../language/formats.ts';
import classes from './sessions.module.css';

const views: readonly { key: string; statuses: readonly SessionStatus[] }[] = [
  { key: 'all', statuses: [] },
  { key: 'running', statuses: ['InQueue', 'Processing'] },
  { key: 'onHold', statuses: ['OnHold'] },
  { key: 'failed', statuses: ['Failed'] },
  { key: 'warnings', statuses: ['CompletedWithWarnings'] },
  { key: 'completed', statuses: ['Completed'] },
];

/** The questions that are asked all day, with how many answer to each. */
export function SavedViews({
  address,
  counts,
}: {
  address: ListAddress;
  counts: Readonly<Record<string, number>> | undefined;
}) {
  const { t } = useTranslation();
  const chosen = address.all('status').sort().join();
  const countOf = (statuses: readonly SessionStatus[]) =>
    (statuses.length > 0 ? statuses : sessionStatuses).reduce((sum, status) => sum + (counts?.[status] ?? 0), 0);
  return (
    <nav className={classes.views} aria-label={t('sessions.views')}>
      {views.map(({ key, statuses }) => (
        <button
          key={key}
          type="button"
          className={classes.view}
          aria-pressed={chosen === [...statuses].sort().join()}
          onClick={() => address.change({ status: statuses })}
        >
          {t(`sessions.view.${key}`)}
          <span className={classes.count}>{counts ? formatNumber(countOf(statuses)) : ' '}</span>
        </button>
      ))}
    </nav>
  );
}
