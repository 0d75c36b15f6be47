import { Tabs } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { Session, SessionFinding, Severity } from '@pdf2press/contract';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useParams } from 'react-router';
import { overlayBreakpoint } from '../constants.ts';
import { Screen, stateOf } from '../frame/screen.tsx';
import { useShortcuts } from '../frame/shortcuts.ts';
import { formatSize, formatTime } from '../language/formats.ts';
import { placesOf } from '../viewer/page-overlay.tsx';
import { AnswerDialogs } from './answer-dialogs.tsx';
import { eventOfHash } from './event-words.ts';
import { severities } from './findings-panel.tsx';
import { LiveChip } from './live-chip.tsx';
import classes from './session.module.css';
import { SessionActions } from './session-actions-bar.tsx';
import { SessionBanner } from './session-banner.tsx';
import { type PageView, SessionPages } from './session-pages.tsx';
import { sessionPath } from './session-row.tsx';
import { openingTab, type SideTab, tabsOf } from './session-tabs.ts';
import { SidePanel } from './side-panel.tsx';
import { SessionStatusChip } from './status.tsx';
import { versionOf } from './step-files.ts';
import { StepsRail } from './steps-rail.tsx';
import { useFindings } from './use-findings.ts';
import { useSession } from './use-session.ts';

export function SessionScreen() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const query = useSession(id);
  const session = query.data;
  const isWide = useMediaQuery(`(min-width: ${overlayBreakpoint}px)`, undefined, { getInitialValueInEffect: false });
  return (
    <Screen
      title={session?.fileName ?? t('title.session-view')}
      back={{ to: '/workflows/sessions', label: t('sessions.back') }}
      aside={
        session && (
          <>
            <SessionStatusChip status={session.status} />
            <LiveChip />
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
      {session && <AnswerDialogs session={session} />}
    </Screen>
  );
}

function Facts({ session }: { session: Session }) {
  const { t } = useTranslation();
  const facts: ReactNode[] = [
    session.workflow.name,
    session.pageCount !== null && t('session.pageCount', { count: session.pageCount }),
    formatSize(session.sizeBytes),
    t(`source.${session.sourceType}`),
    <time key="created" dateTime={session.createdAt}>
      {formatTime(session.createdAt)}
    </time>,
    session.runNumber > 1 && t('session.run', { number: session.runNumber }),
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
  const [view, setView] = useState<PageView>('original');
  const [page, setPage] = useState(1);
  const [chosen, setChosen] = useState<{ finding: SessionFinding; times: number } | null>(null);
  // Until the visitor chooses a tab, the tab follows the steps of the session.
  const [tab, setTab] = useState<SideTab | null>(null);
  const [part, setPart] = useState('page');
  const [shown, setShown] = useState<readonly Severity[]>(severities);
  const list = useFindings(session.id, { severity: [...shown] }, { isAsked: shown.length > 0 });
  // The fragment addresses a log line or a step.
  const { hash } = useLocation();
  useEffect(() => {
    if (eventOfHash(hash)) {
      setTab('log');
      setPart('details');
    } else if (hash.startsWith('#step-')) setPart('steps');
  }, [hash]);

  const choose = (finding: SessionFinding) => {
    setChosen((before) => ({ finding, times: (before?.times ?? 0) + 1 }));
    setTab('findings');
    setView(versionOf(session, finding));
    const first = finding.page ?? finding.pages?.[0];
    if (first) setPage(first);
    if (first && placesOf(finding).length > 0) setPart('page');
  };
  const openPage = (next: number) => {
    setPage(next);
    setPart('page');
  };
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
    ...tabsOf(session).map((key, at) => ({
      keys: String(at + 1),
      label: `session.${key}`,
      run: () => {
        setTab(key);
        setPart('details');
      },
    })),
  ]);

  const rail = <StepsRail session={session} />;
  const pages = (
    <SessionPages
      session={session}
      view={view}
      onView={setView}
      page={page}
      onPage={setPage}
      chosen={chosen}
      onChoose={choose}
    />
  );
  const side = (
    <SidePanel
      session={session}
      list={list}
      tab={tab ?? openingTab(session)}
      onTab={setTab}
      chosen={chosen?.finding.id ?? null}
      onChoose={choose}
      severities={shown}
      onSeverities={setShown}
      onPage={openPage}
    />
  );
  return (
    <>
      <SessionBanner session={session} />
      <Parts part={part} onPart={setPart} rail={rail} pages={pages} side={side} />
    </>
  );
}

interface PartsProps {
  part: string;
  onPart: (part: string) => void;
  rail: ReactNode;
  pages: ReactNode;
  side: ReactNode;
}

/** Three columns, or a tab each where there is no room for them. */
function Parts({ part, onPart, rail, pages, side }: PartsProps) {
  const { t } = useTranslation();
  const isRoomy = useMediaQuery('(min-width: 1200px)', undefined, { getInitialValueInEffect: false });
  return isRoomy ? (
    <div className={classes.columns}>
      <section className={`card ${classes.part}`} aria-label={t('session.steps')}>
        {rail}
      </section>
      <section className={`card ${classes.part}`} aria-label={t('session.pages')}>
        {pages}
      </section>
      <section className={`card ${classes.part}`} aria-label={t('session.details')}>
        {side}
      </section>
    </div>
  ) : (
    <Tabs value={part} onChange={(next) => onPart(next ?? 'page')} className={classes.tabs} keepMounted={false}>
      <Tabs.List grow>
        <Tabs.Tab value="steps">{t('session.steps')}</Tabs.Tab>
        <Tabs.Tab value="page">{t('session.pages')}</Tabs.Tab>
        <Tabs.Tab value="details">{t('session.details')}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="steps" className={`card ${classes.part}`}>
        {rail}
      </Tabs.Panel>
      <Tabs.Panel value="page" className={`card ${classes.part} ${classes.tall}`}>
        {pages}
      </Tabs.Panel>
      <Tabs.Panel value="details" className={`card ${classes.part}`}>
        {side}
      </Tabs.Panel>
    </Tabs>
  );
}
