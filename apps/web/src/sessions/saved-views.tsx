import { CloseButton } from '@mantine/core';
import { type SessionStatus, sessionStatuses } from '@pdf2press/contract';
import { lazy, Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListAddress } from '../frame/list-address.ts';
import { formatNumber } from '../language/formats.ts';
import { setPreferences, usePreferences } from '../preferences/preferences.ts';
import classes from './sessions.module.css';

const keepView = () => import('./keep-view.tsx');
const KeepView = lazy(async () => ({ default: (await keepView()).KeepView }));

const views: readonly { key: string; statuses: readonly SessionStatus[] }[] = [
  { key: 'all', statuses: [] },
  { key: 'running', statuses: ['InQueue', 'Processing'] },
  { key: 'onHold', statuses: ['OnHold'] },
  { key: 'failed', statuses: ['Failed'] },
  { key: 'warnings', statuses: ['CompletedWithWarnings'] },
  { key: 'completed', statuses: ['Completed'] },
];

/** The questions that are asked all day, with how many answer to each; then those that the visitor keeps. */
export function SavedViews({
  address,
  counts,
}: {
  address: ListAddress;
  counts: Readonly<Record<string, number>> | undefined;
}) {
  const { t } = useTranslation();
  const own = usePreferences((preferences) => preferences.sessionViews);
  // Fetched once the list stands: there may be no network when it is wanted. A failure now is no failure yet.
  useEffect(() => void keepView().catch(() => undefined), []);
  const isOwn = own.some(({ question }) => question === address.question);
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
          aria-pressed={!isOwn && chosen === [...statuses].sort().join()}
          onClick={() => (isOwn ? address.ask(statusQuestion(statuses)) : address.change({ status: statuses }))}
        >
          {t(`sessions.view.${key}`)}
          <span className={classes.count}>{counts ? formatNumber(countOf(statuses)) : ' '}</span>
        </button>
      ))}
      {own.map(({ name, question }) => (
        <span key={name} className={classes.ownView}>
          <button
            type="button"
            className={classes.view}
            aria-pressed={question === address.question}
            onClick={() => address.ask(question)}
          >
            {name}
          </button>
          <CloseButton
            size={24}
            aria-label={t('sessions.removeView', { name })}
            onClick={() => setPreferences({ sessionViews: own.filter((view) => view.name !== name) })}
          />
        </span>
      ))}
      {address.isFiltered && !isOwn && (
        <Suspense>
          <KeepView question={address.question} />
        </Suspense>
      )}
    </nav>
  );
}

const statusQuestion = (statuses: readonly SessionStatus[]): string =>
  new URLSearchParams(statuses.map((status) => ['status', status])).toString();
