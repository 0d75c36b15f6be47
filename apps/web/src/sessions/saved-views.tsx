import { CloseButton } from '@mantine/core';
import { type ArchiveState, type SessionStatus, sessionStatuses } from '@pdf2press/contract';
import { lazy, Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useHasFeature } from '../account/use-me.ts';
import type { ListAddress } from '../frame/list-address.ts';
import { formatNumber } from '../language/formats.ts';
import { setPreferences, usePreferences } from '../preferences/preferences.ts';
import classes from './sessions.module.css';

const keepView = () => import('./keep-view.tsx');
const KeepView = lazy(async () => ({ default: (await keepView()).KeepView }));

interface View {
  key: string;
  status: readonly SessionStatus[];
  archiveState?: readonly ArchiveState[];
}
const views: readonly View[] = [
  { key: 'all', status: [] },
  { key: 'running', status: ['InQueue', 'Processing'] },
  { key: 'onHold', status: ['OnHold'] },
  { key: 'failed', status: ['Failed'] },
  { key: 'warnings', status: ['CompletedWithWarnings'] },
  { key: 'completed', status: ['Completed'] },
  { key: 'archived', status: [], archiveState: ['Archived', 'Archiving', 'Unarchiving'] },
];

/** Predefined views with their counts, then the saved views of the visitor. */
export function SavedViews({
  address,
  counts,
}: {
  address: ListAddress;
  counts: Readonly<Record<string, number>> | undefined;
}) {
  const { t } = useTranslation();
  const own = usePreferences((preferences) => preferences.sessionViews);
  // Preloaded after the list; a failure is ignored here and reported on use.
  useEffect(() => void keepView().catch(() => undefined), []);
  const isOwn = own.some(({ question }) => question === address.question);
  const hasFeature = useHasFeature();
  const isChosen = ({ status, archiveState = [] }: View) =>
    isSame(address.all('status'), status) && isSame(address.all('archiveState'), archiveState);
  const countOf = (statuses: readonly SessionStatus[]) =>
    (statuses.length > 0 ? statuses : sessionStatuses).reduce((sum, status) => sum + (counts?.[status] ?? 0), 0);
  return (
    <nav className={classes.views} aria-label={t('sessions.views')}>
      {views
        .filter(({ archiveState }) => !archiveState || hasFeature('Archiving'))
        .map((view) => (
          <button
            key={view.key}
            type="button"
            className={classes.view}
            aria-pressed={!isOwn && isChosen(view)}
            onClick={() =>
              isOwn
                ? address.ask(questionOf(view))
                : address.change({ status: view.status, archiveState: view.archiveState ?? [] })
            }
          >
            {t(`sessions.view.${view.key}`)}
            {!view.archiveState && (
              <span className={classes.count}>{counts ? formatNumber(countOf(view.status)) : ' '}</span>
            )}
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

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  [...some].sort().join() === [...others].sort().join();

const questionOf = ({ status, archiveState = [] }: View): string =>
  new URLSearchParams([
    ...status.map((value) => ['status', value]),
    ...archiveState.map((value) => ['archiveState', value]),
  ]).toString();
