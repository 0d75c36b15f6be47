import { Group, Text } from '@mantine/core';
import type { Session, SessionFinding, TrialKind } from '@pdf2press/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { allListed, FindingsPanel, filterOf } from '../sessions/findings-panel.tsx';
import { ChangedPages, FixLog, useChangedPages } from '../sessions/fix-log.tsx';
import { type PageView, SessionPages } from '../sessions/session-pages.tsx';
import { levelLooks, StatusIcon } from '../sessions/status.tsx';
import { useFindings } from '../sessions/use-findings.ts';
import classes from './trials.module.css';

/** The result of a trial: level, pages, and the findings or changes. */
export function TrialResult({ session, kind }: { session: Session; kind: TrialKind }) {
  const hasProduction = session.files.some((file) => file.kind === 'ProductionFile');
  const first: PageView =
    kind === 'preflight' || !hasProduction ? 'original' : kind === 'fix' ? 'compare' : 'production';
  const [view, setView] = useState<PageView>(first);
  const changed = useChangedPages(session, kind === 'fix');
  const [opened, setPage] = useState<number | null>(null);
  // Opens on the first changed page.
  const page = opened ?? changed?.[0] ?? 1;
  const [chosen, setChosen] = useState<{ finding: SessionFinding; times: number } | null>(null);
  const [shown, setShown] = useState(allListed);
  const isListed = kind === 'preflight' && filterOf(shown).severity.length > 0;
  const list = useFindings(session.id, filterOf(shown), { isAsked: isListed });
  const choose = (finding: SessionFinding) => {
    setChosen((before) => ({ finding, times: (before?.times ?? 0) + 1 }));
    const at = finding.page ?? finding.pages?.[0];
    if (at) setPage(at);
  };
  return (
    <div className={classes.result}>
      <Verdict session={session} kind={kind} />
      {changed && changed.length > 0 && session.pageCount !== 1 && (
        <ChangedPages pages={changed} current={page} onPage={setPage} />
      )}
      <div className={classes.pages}>
        <SessionPages
          session={session}
          view={view}
          onView={setView}
          page={page}
          onPage={setPage}
          chosen={chosen}
          onChoose={choose}
        />
      </div>
      {kind === 'preflight' && (
        <div className={classes.list} data-scroller>
          <FindingsPanel
            session={session}
            list={list}
            chosen={chosen?.finding ?? null}
            onChoose={choose}
            shown={shown}
            onShown={setShown}
            page={page}
          />
        </div>
      )}
      {kind === 'fix' && (
        <div className={classes.list}>
          <FixLog session={session} onPage={setPage} />
        </div>
      )}
    </div>
  );
}

function Verdict({ session, kind }: { session: Session; kind: TrialKind }) {
  const { t } = useTranslation();
  const step = session.steps.find((one) => one.stepId === kind);
  const level = step?.result ?? session.resultLevel ?? 'Success';
  const sheets = Number(step?.summary.sheets ?? 0);
  const text =
    kind === 'impose'
      ? `${t('trial.sheetOf', { name: session.fileName })} · ${t('trial.sheets', { count: sheets })}`
      : t(kind === 'fix' ? `trial.level.fix.${level}` : `trial.level.${level}`);
  return (
    <Group gap="xs" wrap="nowrap" role="status">
      <StatusIcon look={levelLooks[level]} size={20} />
      <Text fw={600}>{text}</Text>
    </Group>
  );
}
