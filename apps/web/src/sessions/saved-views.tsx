import { CloseButton } from '@mantine/core';
import {
  type ArchiveState,
  type ProofWait,
  type RouteResult,
  type SessionStatus,
  sessionStatuses,
} from '@pdf2press/contract';
import { type sessionRoutes, sessionViewRoutes } from '@pdf2press/contract/calls';
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
  /** What the sessions wait for, or whose they are: a parameter of the address and its value. */
  wait?: Wait;
}
type Wait = { name: 'waitingForMe' | 'mine'; value: 'true' } | { name: 'proof'; value: ProofWait };
const waits = ['waitingForMe', 'mine', 'proof'] as const satisfies readonly Wait['name'][];
const views: readonly View[] = [
  { key: 'all', status: [] },
  { key: 'mine', status: [], wait: { name: 'mine', value: 'true' } },
  { key: 'running', status: ['InQueue', 'Processing'] },
  { key: 'onHold', status: ['OnHold'] },
  { key: 'waitingForMe', status: [], wait: { name: 'waitingForMe', value: 'true' } },
  { key: 'proofs', status: [], wait: { name: 'proof', value: 'waiting' } },
  { key: 'overdue', status: [], wait: { name: 'proof', value: 'overdue' } },
  { key: 'unreached', status: [], wait: { name: 'proof', value: 'unreached' } },
  { key: 'failed', status: ['Failed'] },
  { key: 'warnings', status: ['CompletedWithWarnings'] },
  { key: 'completed', status: ['Completed'] },
  { key: 'archived', status: [], archiveState: ['Archived', 'Archiving', 'Unarchiving'] },
];

/** Predefined views with their counts, then saved ones: the visitor's own and those that others share. */
export function SavedViews({
  address,
  counts,
  waiting,
}: {
  address: ListAddress;
  counts: Readonly<Record<string, number>> | undefined;
  /** How many sessions wait for the visitor and for customers; undefined = not loaded yet. */
  waiting: Pick<RouteResult<typeof sessionRoutes.list>, 'waitingForMe' | 'proofs'> | undefined;
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
  const isChosen = ({ status, archiveState = [], wait }: View) =>
    isSame(address.all('status'), status) &&
    isSame(address.all('archiveState'), archiveState) &&
    waits.every((name) => address.one(name) === (wait?.name === name ? wait.value : null));
  const countOf = ({ status, wait }: View) =>
    wait?.name === 'waitingForMe'
      ? (waiting?.waitingForMe ?? 0)
      : wait?.name === 'proof'
        ? (waiting?.proofs?.[wait.value] ?? 0)
        : (status.length > 0 ? status : sessionStatuses).reduce((sum, one) => sum + (counts?.[one] ?? 0), 0);
  // Lists of proofs are there where there are proofs.
  const isOffered = (view: View) =>
    (!view.archiveState || hasFeature('Archiving')) &&
    (view.wait?.name !== 'proof' || countOf(view) > 0 || (!isOwn && isChosen(view)));
  return (
    <div className={classes.viewBar}>
      <nav className={classes.views} aria-label={t('sessions.views')}>
        {views.filter(isOffered).map((view) => (
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
                    ...Object.fromEntries(waits.map((name) => [name, null])),
                    ...(view.wait && { [view.wait.name]: view.wait.value }),
                  })
            }
          >
            {t(`sessions.view.${view.key}`)}
            {!view.archiveState && view.wait?.name !== 'mine' && (
              <span className={classes.count}>{counts ? formatNumber(countOf(view)) : ' '}</span>
            )}
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
      </nav>
      {address.isFiltered && !isOwn && (
        <Suspense>
          <KeepView question={address.question} />
        </Suspense>
      )}
    </div>
  );
}

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  [...some].sort().join() === [...others].sort().join();

const questionOf = ({ status, archiveState = [], wait }: View): string =>
  new URLSearchParams([
    ...status.map((value) => ['status', value]),
    ...archiveState.map((value) => ['archiveState', value]),
    ...(wait ? [[wait.name, wait.value]] : []),
  ]).toString();
