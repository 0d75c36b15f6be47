import { Tabs } from '@mantine/core';
import type { Session, SessionFinding } from '@pdf2press/contract';
import { useTranslation } from 'react-i18next';
import { EventLog } from './event-log.tsx';
import { FilesPanel } from './files-panel.tsx';
import { FindingsPanel } from './findings-panel.tsx';
import { FixLog } from './fix-log.tsx';
import classes from './session.module.css';
import { VariablesPanel } from './variables-panel.tsx';

export const sideTabs = ['findings', 'fixes', 'files', 'variables', 'log'] as const;
export type SideTab = (typeof sideTabs)[number];

interface Props {
  session: Session;
  tab: SideTab;
  onTab: (tab: SideTab) => void;
  chosen: string | null;
  onChoose: (finding: SessionFinding) => void;
  onPage: (page: number) => void;
}

export function SidePanel({ session, tab, onTab, chosen, onChoose, onPage }: Props) {
  const { t } = useTranslation();
  const total = session.findings.reduce((sum, finding) => sum + finding.count, 0);
  // Fixes are a tab only where a fix step has run.
  const shown = sideTabs.filter((key) => key !== 'fixes' || session.steps.some((step) => step.kind === 'Fix'));
  const panels = {
    findings: <FindingsPanel session={session} chosen={chosen} onChoose={onChoose} />,
    fixes: <FixLog session={session} onPage={onPage} />,
    files: <FilesPanel session={session} />,
    variables: <VariablesPanel variables={session.variables} />,
    log: <EventLog session={session} />,
  };
  return (
    <Tabs
      value={tab}
      onChange={(value) => onTab((value ?? 'findings') as SideTab)}
      keepMounted={false}
      className={classes.side}
    >
      <Tabs.List className={classes.sideTabs}>
        {shown.map((key) => (
          <Tabs.Tab key={key} value={key}>
            {t(`session.${key}`)}
            {key === 'findings' && total > 0 && ` ${total}`}
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
