import { Tabs, UnstyledButton } from '@mantine/core';
import type { ClientFinding, ShownProof } from '@pdf2press/contract';
import { IconChevronUp, IconCircleDashed } from '@tabler/icons-react';
import { lazy, type PointerEvent, Suspense, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber, formatTime } from '../language/formats.ts';
import { levelLooks, StatusIcon } from '../sessions/status.tsx';
import classes from './client-proof.module.css';
import { JobFacts } from './job-facts.tsx';
import { ProofFindings } from './proof-findings.tsx';
import { type ProofLink, useClientFixes } from './use-client-proof.ts';
import type { Notes } from './use-notes.ts';
import type { PageAnswers } from './use-page-answers.ts';

const ProofNotes = lazy(async () => ({ default: (await import('./proof-notes.tsx')).ProofNotes }));

const PageList = lazy(async () => ({ default: (await import('./page-answers.tsx')).PageList }));
/** Loaded when one of them is first looked at. */
const Fixes = lazy(async () => ({ default: (await import('./further-tabs.tsx')).Fixes }));
const People = lazy(async () => ({ default: (await import('./further-tabs.tsx')).People }));

export type PanelTab = 'pages' | 'findings' | 'notes' | 'fixes' | 'people';

const tabsId = 'about';
/** Of the tab in the document. */
export const tabId = (tab: PanelTab): string => `${tabsId}-tab-${tab}`;

const stops = ['peek', 'half', 'full'] as const;
/** How far the sheet is pulled up on a narrow screen. */
export type SheetStop = (typeof stops)[number];
/** A shorter way of the finger over the sheet's head is a tap, CSS pixels. */
const pullThreshold = 24;

interface Props {
  link: ProofLink;
  proof: ShownProof;
  findings: readonly ClientFinding[];
  chosen: string | null;
  onChoose: (finding: ClientFinding) => void;
  onPage: (page: number) => void;
  /** Shows the place of a correction. */
  onPlace: (corrected: ClientFinding) => void;
  /** Null beside the pages, where it is no sheet. */
  stop: SheetStop | null;
  onStop: (stop: SheetStop) => void;
  notes: Notes;
  /** Null where it is decided on the file as a whole. */
  answers: PageAnswers | null;
  page: number;
  /** Null = the first one. */
  tab: PanelTab | null;
  onTab: (tab: PanelTab) => void;
}

/** The verdict, what was noticed, what was corrected, and who is asked. */
export function ProofPanel(props: Props) {
  const { link, proof, findings, chosen, onChoose, onPage, onPlace, stop, onStop, notes, answers, page, tab, onTab } =
    props;
  const { t } = useTranslation();
  const fixes = useClientFixes(link, proof.shows.fixes);
  const tabs: PanelTab[] = [
    ...(proof.shows.findings ? (['findings'] as const) : []),
    ...(proof.shows.notes ? (['notes'] as const) : []),
    ...(answers ? (['pages'] as const) : []),
    ...(fixes.length > 0 ? (['fixes'] as const) : []),
    ...(proof.recipients.length > 1 ? (['people'] as const) : []),
  ];
  const present = findings.filter(({ state }) => state !== 'fixed').length;
  const corrected = fixes.reduce((sum, { changes }) => sum + changes.length, 0);
  const counts = { pages: 0, findings: present, notes: notes.total, fixes: corrected, people: 0 };
  return (
    <aside className={classes.panel} aria-label={t('clientProof.about')}>
      {stop === null ? <Verdict proof={proof} /> : <SheetHead proof={proof} stop={stop} onStop={onStop} />}
      {stop !== 'peek' && <JobFacts link={link} proof={proof} />}
      {stop !== 'peek' && tabs.length > 0 && (
        <Tabs
          id={tabsId}
          value={tab && tabs.includes(tab) ? tab : (tabs[0] ?? null)}
          onChange={(value) => onTab(value as PanelTab)}
          keepMounted={false}
          className={classes.tabs}
        >
          <Tabs.List>
            {tabs.map((key) => (
              <Tabs.Tab key={key} value={key}>
                {t(`clientProof.tab.${key}`)}
                {counts[key] > 0 && ` (${formatNumber(counts[key])})`}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value="findings" className={classes.scroll}>
            <ProofFindings link={link} findings={findings} chosen={chosen} onChoose={onChoose} proof={proof} />
          </Tabs.Panel>
          <Tabs.Panel value="notes" className={classes.scroll} data-scroller>
            <Suspense>
              <ProofNotes notes={notes} proof={proof} page={page} />
            </Suspense>
          </Tabs.Panel>
          <Tabs.Panel value="pages" className={classes.scroll}>
            <Suspense>{answers && <PageList answers={answers} onPage={onPage} />}</Suspense>
          </Tabs.Panel>
          <Tabs.Panel value="fixes" className={classes.scroll}>
            <Suspense>
              <Fixes fixes={fixes} onPlace={onPlace} />
            </Suspense>
          </Tabs.Panel>
          <Tabs.Panel value="people" className={classes.scroll}>
            <Suspense>
              <People proof={proof} />
            </Suspense>
          </Tabs.Panel>
        </Tabs>
      )}
    </aside>
  );
}

function Verdict({ proof }: { proof: ShownProof }) {
  const { t } = useTranslation();
  const { level, isChecked, sentence } = proof.verdict;
  const isImpossible = proof.form?.approval.need === 'impossible';
  return (
    <div className={classes.verdict}>
      <StatusIcon look={isChecked ? levelLooks[level] : { tone: 'neutral', icon: IconCircleDashed }} size={22} />
      <span>
        <strong>{sentence}</strong>
        {isImpossible && <span>{t('clientProof.impossible')}</span>}
        {proof.dueAt && proof.state === 'open' && (
          <small>{t('clientProof.due', { time: formatTime(proof.dueAt) })}</small>
        )}
      </span>
    </div>
  );
}

/** The verdict as the head of the sheet: a tap or a pull moves the sheet to its next stop. */
function SheetHead({ proof, stop, onStop }: { proof: ShownProof; stop: SheetStop; onStop: Props['onStop'] }) {
  const { t } = useTranslation();
  const from = useRef<number | null>(null);
  const isPulled = useRef(false);
  const at = stops.indexOf(stop);
  const onPointerUp = (event: PointerEvent) => {
    const way = from.current === null ? 0 : from.current - event.clientY;
    from.current = null;
    isPulled.current = Math.abs(way) > pullThreshold;
    if (isPulled.current) onStop(stops[Math.max(0, Math.min(2, at + Math.sign(way)))] ?? stop);
  };
  return (
    <UnstyledButton
      className={classes.sheetHead}
      aria-expanded={stop !== 'peek'}
      aria-label={`${proof.verdict.sentence} ${t(stop === 'full' ? 'clientProof.less' : 'clientProof.more')}`}
      onPointerDown={(event) => {
        from.current = event.clientY;
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerUp={onPointerUp}
      onClick={() => {
        if (!isPulled.current) onStop(stops[(at + 1) % stops.length] ?? 'peek');
        isPulled.current = false;
      }}
    >
      <Verdict proof={proof} />
      <IconChevronUp size={20} aria-hidden data-down={stop === 'full' || undefined} />
    </UnstyledButton>
  );
}
