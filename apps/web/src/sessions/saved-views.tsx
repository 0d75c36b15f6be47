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
  isMine?: boolean;
}
const views: readonly View[] = [
  { key: 'all', status: [] },
  { key: 'running', status: ['InQueue', 'Processing'] },
  { key: 'onHold', status: ['OnHold'] },
  { key: 'waitingForMe', status: [], isMine: true },
  { key: 'failed', status: ['Failed'] },
  { key: 'warnings', status: ['CompletedWithWarnings'] },
  { key: 'completed', status: ['Completed'] },
  { key: 'archived', status: [], archiveState: ['Archived', 'Archiving', 'Unarchiving'] },
];

/** Predefined views with their counts, then the saved views of the visitor. */
export function SavedViews({
  address,
  counts,
  waitingForMe,
}: {
  address: ListAddress;
  counts: Readonly<Record<string, number>> | undefined;
  /** How many sessions wait for the visitor. */
  waitingForMe: number | undefined;
}) {
  const { t } = useTranslation();
  const own = usePreferences((preferences) => preferences.sessionViews);
  // Preloaded after the list; a failure is ignored here and reported on use.
  useEffect(() => void keepView().catch(() => undefined), []);
  const isOwn = own.some(({ question }) => question === address.question);
  const hasFeature = useHasFeature();
  const isChosen = ({ status, archiveState = [], isMine = false }: View) =>
    isSame(address.all('status'), status) &&
    isSame(address.all('archiveState'), archiveState) &&
    (address.one('waitingForMe') === 'true') === isMine;
  const countOf = ({ status, isMine }: View) =>
    isMine
      ? (waitingForMe ?? 0)
      : (status.length > 0 ? status : sessionStatuses).reduce((sum, one) => sum + (counts?.[one] ?? 0), 0);
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
                : address.change({
                    status: view.status,
                    archiveState: view.archiveState ?? [],
                    waitingForMe: view.isMine ? 'true' : null,
                  })
            }
          >
            {t(`sessions.view.${view.key}`)}
            {!view.archiveState && <span className={classes.count}>{counts ? formatNumber(countOf(view)) : ' '}</span>}
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

const questionOf = ({ status, archiveState = [], isMine = false }: View): string =>
  new URLSearchParams([
    ...status.map((value) => ['status', value]),
    ...archiveState.map((value) => ['archiveState', value]),
    ...(isMine ? [['waitingForMe', 'true']] : []),
  ]).toString();
