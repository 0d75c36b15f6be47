import { Tabs } from '@mantine/core';
import type { Session, SessionFinding, Severity } from '@pdf2press/contract';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../language/formats.ts';
import { EventLog } from './event-log.tsx';
import { FilesPanel } from './files-panel.tsx';
import { FindingsPanel } from './findings-panel.tsx';
import { FixLog } from './fix-log.tsx';
import classes from './session.module.css';
import { type SideTab, tabsOf } from './session-tabs.ts';
import { type FindingList, useFindingCounts } from './use-findings.ts';
import { VariablesPanel } from './variables-panel.tsx';

interface Props {
  session: Session;
  /** Findings of the severities that are listed. */
  list: FindingList;
  tab: SideTab;
  onTab: (tab: SideTab) => void;
  chosen: string | null;
  onChoose: (finding: SessionFinding) => void;
  severities: readonly Severity[];
  onSeverities: (severities: readonly Severity[]) => void;
  onPage: (page: number) => void;
}

export function SidePanel({ session, list, tab, onTab, chosen, onChoose, severities, onSeverities, onPage }: Props) {
  const { t } = useTranslation();
  const counts = useFindingCounts(session.id);
  const total = counts?.checks.reduce((sum, { count }) => sum + count, 0) ?? 0;
  const shown = tabsOf(session);
  const panels = {
    findings: (
      <FindingsPanel
        session={session}
        list={list}
        chosen={chosen}
        onChoose={onChoose}
        shown={severities}
        onShown={onSeverities}
      />
    ),
    fixes: <FixLog session={session} onPage={onPage} />,
    files: <FilesPanel session={session} />,
    variables: <VariablesPanel session={session} />,
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
        <Tabs.Panel key={key} value={key} className={classes.sideScroll}>
          {panels[key]}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
