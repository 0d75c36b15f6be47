import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { SessionListItem } from '@pdf2press/contract';
import { IconFileTypePdf, IconUpload } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../account/use-me.ts';
import { overlayBreakpoint } from '../constants.ts';
import { useStoreAfterPaint } from '../frame/after-paint.ts';
import { type ListAddress, useListAddress } from '../frame/list-address.ts';
import { ListPager } from '../frame/list-pager.tsx';
import { Screen, type ScreenState, stateOf } from '../frame/screen.tsx';
import { openInjection } from '../uploads/injection.ts';
import { LiveChip } from './live-chip.tsx';
import { useOutcomes } from './outcomes.ts';
import { SavedViews } from './saved-views.tsx';
import { actOnSessions } from './session-actions.ts';
import { SessionFilters } from './session-filters.tsx';
import { SessionActs, SessionCard } from './session-row.tsx';
import { SessionTable } from './session-table.tsx';
import classes from './sessions.module.css';
import { untickAll, useTicks } from './ticks.tsx';
import { useListKeys } from './use-list-keys.ts';
import { type SessionTableModel, useSessionTable } from './use-session-table.ts';
import { useSessions } from './use-sessions.ts';

// Loaded when the first row is ticked.
const bulkBar = () => import('./bulk-bar.tsx');
const BulkBar = lazy(async () => ({ default: (await bulkBar()).BulkBar }));
const FirstSteps = lazy(async () => ({ default: (await import('../setup-list/first-steps.tsx')).FirstSteps }));
const OutcomeList = lazy(async () => ({ default: (await import('./outcome-list.tsx')).OutcomeList }));

/** With so many sessions a house is past its first steps. */
const fullList = 20;

export function SessionsScreen() {
  const { t } = useTranslation();
  const may = useMay();
  // Everything that the first steps ask about.
  const isAdministrator =
    may('settings.view') && may('users.manage') && may('workflows.create') && may('sessions.inject');
  const address = useListAddress();
  const { list, shown, changes, news, newCount, showNew } = useSessions(address);
  const isWide = useMediaQuery(`(min-width: ${overlayBreakpoint}px)`, undefined, { getInitialValueInEffect: false });
  const mayInject = may('sessions.inject');
  // Where people work all day nothing is put above the list once it stands.
  const isNewHouse = list.data !== undefined && !address.isFiltered && list.data.total < fullList;
  const table = useSessionTable(shown, address);
  const ticks = useTicks();
  // Boxes are painted first: the ground of fifty rows is restyled in the next frame.
  const marked = useStoreAfterPaint(ticks);
  const hasOutcomes = useOutcomes(({ told }) => told !== null);
  const tickedNow = () => tickedOf(shown, ticks.getState());
  const current = useListKeys(table, ticks, {
    ...(mayInject ? { onNew: () => openInjection() } : {}),
    onDelete: (here) => {
      const ticked = tickedNow();
      const meant = ticked.length === 0 && here ? [here] : ticked;
      if (meant.length > 0) void actOnSessions(t, 'delete', meant);
    },
    onUnselect: () => untickAll(ticks),
  });
  const newSession = mayInject && (
    <Button leftSection={<IconUpload size={17} />} onClick={() => openInjection()}>
      {t('sessions.new')}
    </Button>
  );
  // Preloaded after the list; a failure is ignored here and reported on use.
  useEffect(() => void bulkBar().catch(() => undefined), []);
  const isEmpty = list.data !== undefined && list.data.items.length === 0 && shown.length === 0;
  const state: ScreenState = !isEmpty
    ? stateOf(list)
    : address.isFiltered || address.page > 1
      ? { kind: 'noMatch', onClear: address.clear }
      : {
          kind: 'empty',
          icon: IconFileTypePdf,
          title: t('sessions.empty'),
          text: t('sessions.emptyText'),
          action: newSession,
        };
  return (
    <Screen
      title={t('nav.sessions')}
      aside={<LiveChip isLive={shown.some(({ status }) => status === 'InQueue' || status === 'Processing')} />}
      actions={newSession}
      state={state}
      toolbar={
        <>
          <SavedViews address={address} counts={list.data?.statusCounts} waiting={list.data} />
          <Toolbar address={address} table={table} ticked={tickedOf(shown, marked)} onClear={() => untickAll(ticks)} />
        </>
      }
    >
      {isAdministrator && isNewHouse && (
        <Suspense>
          <FirstSteps />
        </Suspense>
      )}
      {newCount > 0 && (
        <Button variant="light" size="compact-md" className={classes.news} onClick={showNew}>
          {t('sessions.newCount', { count: newCount })}
        </Button>
      )}
      <div data-loading={list.isPlaceholderData || undefined} className={classes.list}>
        <SessionActs>
          {isWide ? (
            <SessionTable table={table} ticks={ticks} marked={marked} current={current} changes={changes} />
          ) : (
            <ul className={classes.cards}>
              {table.getRowModel().rows.map((row) => (
                <SessionCard
                  key={row.id}
                  row={row.index}
                  session={row.original}
                  ticks={ticks}
                  isMarked={marked.has(row.id)}
                  changes={changes.get(row.id)}
                />
              ))}
            </ul>
          )}
        </SessionActs>
      </div>
      <ListPager address={address} total={list.data?.total ?? 0} />
      {hasOutcomes && (
        <Suspense>
          <OutcomeList />
        </Suspense>
      )}
      <StatusNews
        key={address.page}
        texts={news.map((session) => `${session.fileName}: ${t(`status.${session.status}`)}`)}
      />
    </Screen>
  );
}

const tickedOf = (sessions: readonly SessionListItem[], ids: ReadonlySet<string>) =>
  sessions.filter((session) => ids.has(session.id));

interface ToolbarProps {
  address: ListAddress;
  table: SessionTableModel;
  ticked: readonly SessionListItem[];
  onClear: () => void;
}

/** The filters, or the bulk actions while rows are ticked. */
function Toolbar({ address, table, ticked, onClear }: ToolbarProps) {
  const filters = <SessionFilters address={address} table={table} />;
  if (ticked.length === 0) return filters;
  return (
    <Suspense fallback={filters}>
      <BulkBar sessions={ticked} onClear={onClear} />
    </Suspense>
  );
}

const spokenEvery = 5000;

/** Announces changes of visible rows to screen readers, at most every five seconds. */
function StatusNews({ texts }: { texts: readonly string[] }) {
  const [said, setSaid] = useState({ text: '', at: 0 });
  const text = texts.slice(0, 3).join('. ');
  useEffect(() => {
    if (!text || text === said.text) return;
    const wait = Math.max(0, said.at + spokenEvery - Date.now());
    const timer = setTimeout(() => setSaid({ text, at: Date.now() }), wait);
    return () => clearTimeout(timer);
  }, [text, said]);
  return (
    <div className="visually-hidden" aria-live="polite">
      {said.text}
    </div>
  );
}
