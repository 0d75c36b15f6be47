import { Tabs } from '@mantine/core';
import type { Session, SessionFinding } from '@pdf2press/contract';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../account/use-me.ts';
import { formatNumber } from '../language/formats.ts';
import { FindingsPanel, type Listed } from './findings-panel.tsx';
import classes from './session.module.css';
import { type SideTab, tabsOf } from './session-tabs.ts';
import { type FindingList, useFindingCounts } from './use-findings.ts';

// All but the findings are loaded when they are opened.
const FixLog = lazy(async () => ({ default: (await import('./fix-log.tsx')).FixLog }));
const FilesPanel = lazy(async () => ({ default: (await import('./files-panel.tsx')).FilesPanel }));
const VariablesPanel = lazy(async () => ({ default: (await import('./variables-panel.tsx')).VariablesPanel }));
const EventLog = lazy(async () => ({ default: (await import('./event-log.tsx')).EventLog }));
const DiscussionPanel = lazy(async () => ({
  default: (await import('../discussion/discussion-panel.tsx')).DiscussionPanel,
}));
const FixThis = lazy(async () => ({ default: (await import('../fix/fix-this-drawer.tsx')).FixThisDrawer }));
const MessagesPanel = lazy(async () => ({ default: (await import('./messages-panel.tsx')).MessagesPanel }));
const ProofsPanel = lazy(async () => ({ default: (await import('./proofs-panel.tsx')).ProofsPanel }));

interface Props {
  session: Session;
  /** Findings that are listed. */
  list: FindingList;
  tab: SideTab;
  onTab: (tab: SideTab) => void;
  chosen: SessionFinding | null;
  onChoose: (finding: SessionFinding) => void;
  listed: Listed;
  onListed: (listed: Listed) => void;
  /** The page that the viewer shows. */
  page: number;
  onPage: (page: number) => void;
}

export function SidePanel({ session, list, tab, onTab, chosen, onChoose, listed, onListed, page, onPage }: Props) {
  const { t } = useTranslation();
  const counts = useFindingCounts(session.id);
  const total = counts ? counts.severities.Fail + counts.severities.Warn + counts.severities.Info : 0;
  const may = useMay();
  const shown = tabsOf(session, may('sessions.discuss'));
  const [fixing, setFixing] = useState<SessionFinding | null>(null);
  const mayFix = !session.isDeleted && may('fix.manage') && may('fix.view');
  const panels = {
    findings: (
      <>
        <FindingsPanel
          session={session}
          list={list}
          chosen={chosen}
          onChoose={onChoose}
          shown={listed}
          onShown={onListed}
          page={page}
          onFix={mayFix ? setFixing : undefined}
        />
        {fixing && (
          <Suspense>
            <FixThis session={session} finding={fixing} onClose={() => setFixing(null)} />
          </Suspense>
        )}
      </>
    ),
    fixes: <FixLog session={session} onPage={onPage} />,
    proofs: <ProofsPanel session={session} />,
    files: <FilesPanel session={session} />,
    variables: <VariablesPanel session={session} />,
    messages: <MessagesPanel session={session} />,
    comments: <DiscussionPanel session={session} />,
    log: <EventLog session={session} />,
  };
  return (
    <Tabs
      value={shown.includes(tab) ? tab : 'findings'}
      onChange={(value) => onTab((value ?? 'findings') as SideTab)}
      keepMounted={false}
      className={classes.side}
    >
      <Tabs.List className={classes.sideTabs}>
        {shown.map((key) => (
          <Tabs.Tab key={key} value={key}>
            {t(`session.${key}`)}
            {key === 'findings' && total > 0 && <span className={classes.tabCount}>{formatNumber(total)}</span>}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {shown.map((key) => (
        <Tabs.Panel key={key} value={key} className={classes.sideScroll} data-scroller>
          <Suspense>{panels[key]}</Suspense>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
