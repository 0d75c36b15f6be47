import { useMediaQuery } from '@mantine/hooks';
import { isFinal, type Session, type SessionFinding } from '@pdf2press/contract';
import {
  lazy,
  memo,
  type ReactNode,
  Suspense,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useParams } from 'react-router';
import { useMay } from '../account/use-me.ts';
import { dropFirstPage } from '../client/first-page.ts';
import { overlayBreakpoint } from '../constants.ts';
import { AfterPaint } from '../frame/after-paint.ts';
import { Screen, stateOf } from '../frame/screen.tsx';
import { useShortcuts } from '../frame/shortcuts.ts';
import { formatSize, formatTime } from '../language/formats.ts';
import { placesOf } from '../viewer/page-overlay.tsx';
import { useAsking } from './answers.ts';
import { commentsHash, eventOfHash } from './event-words.ts';
import { Totals } from './finding-totals.tsx';
import { allListed, filterOf, type Listed } from './findings-panel.tsx';
import { LiveChip } from './live-chip.tsx';
import classes from './session.module.css';
import { SessionActions } from './session-actions-bar.tsx';
import { PartOf, SessionArrival } from './session-arrival.tsx';
import { SessionBanner } from './session-banner.tsx';
import { type PageView, SessionPages } from './session-pages.tsx';
import { SessionParts } from './session-parts.tsx';
import { sessionPath } from './session-row.tsx';
import { openingTab, type SideTab, tabsOf } from './session-tabs.ts';
import { SidePanel } from './side-panel.tsx';
import { SessionStatusChip } from './status.tsx';
import { checkedVersion, versionOf } from './step-files.ts';
import { StepsRail } from './steps-rail.tsx';
import { useFindings } from './use-findings.ts';
import { useSession } from './use-session.ts';

/** The page itself is turned before what stands beside it. */
const LateSide = memo(SidePanel);
const SameRail = memo(StepsRail);

/** Forms are loaded when one is first asked for. */
const AnswerDialogs = lazy(async () => ({ default: (await import('./answer-dialogs.tsx')).AnswerDialogs }));

export function SessionScreen() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const query = useSession(id);
  const session = query.data;
  useEffect(() => dropFirstPage, []);
  const isWide = useMediaQuery(`(min-width: ${overlayBreakpoint}px)`, undefined, { getInitialValueInEffect: false });
  return (
    <Screen
      title={session?.fileName ?? t('title.session-view')}
      back={{ to: '/workflows/sessions', label: t('sessions.back') }}
      aside={
        session && (
          <>
            <SessionStatusChip status={session.status} />
            <Totals totals={session.findings} />
            <LiveChip isLive={!isFinal(session.status)} />
          </>
        )
      }
      actions={session && isWide && <SessionActions session={session} />}
      toolbar={session && <Facts session={session} />}
      state={stateOf(query)}
    >
      {session && <Content key={session.id} session={session} />}
      {session && !isWide && (
        <div className={classes.actionBar}>
          <SessionActions session={session} />
        </div>
      )}
      {session && <LateDialogs session={session} />}
    </Screen>
  );
}

/** Stays once it was opened, so that it closes as dialogs do. */
function LateDialogs({ session }: { session: Session }) {
  const isAsked = useAsking(({ asked }) => asked !== null);
  const [wasAsked, setAsked] = useState(false);
  useEffect(() => {
    if (isAsked) setAsked(true);
  }, [isAsked]);
  return (
    (isAsked || wasAsked) && (
      <Suspense>
        <AnswerDialogs session={session} />
      </Suspense>
    )
  );
}

function Facts({ session }: { session: Session }) {
  const { t } = useTranslation();
  const facts: ReactNode[] = [
    session.workflow.name,
    session.pageCount !== null && t('session.pageCount', { count: session.pageCount }),
    formatSize(session.sizeBytes),
    t(`source.${session.sourceType}`),
    session.externalId && t('session.externalId', { number: session.externalId }),
    <time key="created" dateTime={session.createdAt}>
      {formatTime(session.createdAt)}
    </time>,
    session.assignee && t('session.assignedTo', { name: session.assignee.name ?? '–' }),
    session.runNumber > 1 && t('session.run', { number: session.runNumber }),
    session.partOf && <PartOf key="part" part={session.partOf} />,
    session.redirectedFrom && (
      <Link key="from" to={sessionPath(session.redirectedFrom.id)}>
        {t('session.redirectedFrom', { workflow: session.redirectedFrom.workflowName })}
      </Link>
    ),
  ].filter(Boolean);
  return (
    <ul className={classes.facts}>
      {facts.map((fact, at) => (
        <li key={at}>{fact}</li>
      ))}
    </ul>
  );
}

function Content({ session }: { session: Session }) {
  const mayDiscuss = useMay()('sessions.discuss');
  // Until the visitor chooses a version, what is shown is what was checked last.
  const [view, setView] = useState<PageView | null>(null);
  const [page, setPage] = useState(1);
  const [chosen, setChosen] = useState<{ finding: SessionFinding; times: number } | null>(null);
  // Until the visitor chooses a tab, the tab follows the steps of the session.
  const [tab, setTab] = useState<SideTab | null>(null);
  const [part, setPart] = useState('page');
  const [shown, setShown] = useState<Listed>(allListed);
  const filter = useMemo(() => filterOf(shown), [shown]);
  const list = useFindings(session.id, filter, { isAsked: filter.severity.length > 0 });
  const latePage = useDeferredValue(page);
  // The fragment addresses a log line or a step.
  const { hash } = useLocation();
  useEffect(() => {
    if (eventOfHash(hash)) {
      setTab('log');
      setPart('details');
    } else if (hash.startsWith('#step-')) setPart('steps');
    else if (hash === commentsHash) {
      setTab('comments');
      setPart('details');
    }
  }, [hash]);

  const choose = useCallback(
    (finding: SessionFinding) => {
      setChosen((before) => ({ finding, times: (before?.times ?? 0) + 1 }));
      setTab('findings');
      setView(versionOf(session, finding));
      const first = finding.page ?? finding.pages?.[0];
      if (first) setPage(first);
      if (first && placesOf(finding).length > 0) setPart('page');
    },
    [session],
  );
  const openPage = useCallback((next: number) => {
    setPage(next);
    setPart('page');
  }, []);
  const step = async (by: number) => {
    const at = list.items.findIndex((finding) => finding.id === chosen?.finding.id);
    const to = at < 0 && by > 0 ? 0 : at + by;
    // Past either end it goes on at the other, which may not be here yet.
    const items = list.items[to] ? list.items : await list.loadAll();
    const next = items[to] ?? items[to < 0 ? items.length - 1 : 0];
    if (next) choose(next);
  };
  useShortcuts('keys.session', [
    { keys: 'n', label: 'keys.nextFinding', run: () => void step(1) },
    { keys: 'p', label: 'keys.previousFinding', run: () => void step(-1) },
    ...tabsOf(session, mayDiscuss).map((key, at) => ({
      keys: String(at + 1),
      label: `session.${key}`,
      run: () => {
        setTab(key);
        setPart('details');
      },
    })),
  ]);

  const rail = <SameRail session={session} />;
  const pages = (
    <SessionPages
      session={session}
      view={view ?? checkedVersion(session)}
      onView={setView}
      page={page}
      onPage={setPage}
      chosen={chosen}
      onChoose={choose}
    />
  );
  const side = (
    <AfterPaint>
      <LateSide
        session={session}
        list={list}
        tab={tab ?? openingTab(session)}
        onTab={setTab}
        chosen={chosen?.finding ?? null}
        onChoose={choose}
        listed={shown}
        onListed={setShown}
        page={latePage}
        onPage={openPage}
      />
    </AfterPaint>
  );
  return (
    <>
      <SessionBanner session={session} />
      <SessionArrival session={session} />
      <SessionParts part={part} onPart={setPart} rail={rail} pages={pages} side={side} />
    </>
  );
}
