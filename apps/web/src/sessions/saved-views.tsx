import { CloseButton } from '@mantine/core';
import { type ArchiveState, type SessionStatus, sessionStatuses } from '@pdf2press/contract';
import { sessionViewRoutes } from '@pdf2press/contract/calls';
import { IconUsers } from '@tabler/icons-react';
import { lazy, Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useHasFeature } from '../account/use-me.ts';
import { call } from '../client/call.ts';
import { invalidate, useCall } from '../client/queries.ts';
import type { ListAddress } from '../frame/list-address.ts';
import { notify } from '../frame/toasts.tsx';
import { formatNumber } from '../language/formats.ts';
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

/** Predefined views with their counts, then saved ones: the visitor's own and those that others share. */
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
  const kept = useCall(sessionViewRoutes.list, undefined, { staleTime: 60_000 }).data ?? [];
  const remove = (id: string) =>
    void call(sessionViewRoutes.remove, { params: { id } })
      .then(() => invalidate(sessionViewRoutes.list))
      .catch(notify.failure);
  // Preloaded after the list; a failure is ignored here and reported on use.
  useEffect(() => void keepView().catch(() => undefined), []);
  const isOwn = kept.some(({ question }) => question === address.question);
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
      {kept.map(({ id, name, question, isOwn: isRemovable, owner, sharedWith }) => (
        <span key={id} className={classes.ownView}>
          <button
            type="button"
            className={classes.view}
            aria-pressed={question === address.question}
            title={isRemovable ? undefined : t('sessions.sharedBy', { name: owner })}
            onClick={() => address.ask(question)}
          >
            {sharedWith !== null && <IconUsers size={14} aria-hidden />}
            {name}
          </button>
          {isRemovable && (
            <CloseButton size={24} aria-label={t('sessions.removeView', { name })} onClick={() => remove(id)} />
          )}
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
