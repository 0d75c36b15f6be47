import type { FindingTotals, SessionStep, StepProgress } from '@pdf2press/contract';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import classes from './status.module.css';

/** "7 errors · 8 warnings": the same words in the list, the session, its steps and the report. */
export function totalsText({ Fail, Warn }: FindingTotals, t: TFunction): string {
  const parts = [
    Fail > 0 && t('severity.count.Fail', { count: Fail }),
    Warn > 0 && t('severity.count.Warn', { count: Warn }),
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(' · ') : t('findings.none');
}

const toneOf = ({ Fail, Warn }: FindingTotals) => (Fail > 0 ? 'error' : Warn > 0 ? 'warning' : 'neutral');

/** How many findings a session has, red where there are errors; nothing before it was checked. */
export function Totals({ totals }: { totals: FindingTotals | null }) {
  const { t } = useTranslation();
  return (
    totals && (
      <span className={`${classes.totals} tabular`} data-tone={toneOf(totals)}>
        {totalsText(totals, t)}
      </span>
    )
  );
}

/** What the units of work of a phase are called; those of fix actions are not named. */
const units: Readonly<Record<string, string>> = {
  pages: 'page',
  plates: 'page',
  thumbnails: 'page',
  tiles: 'page',
  sheets: 'sheet',
};

/** "page 37 of 113". */
export const progressText = ({ phase, done, total }: StepProgress, t: TFunction): string =>
  t(`progress.${units[phase] ?? 'part'}`, { done, total });

/** How a step went, in a few words: what a preflight found, how far a running step is, else its status. */
export function stepText(
  { status, findings, progress }: Pick<SessionStep, 'status' | 'findings' | 'progress'>,
  t: TFunction,
): string {
  if (status === 'Running' && progress) return progressText(progress, t);
  const isOver = status === 'Succeeded' || status === 'Warned';
  return isOver && findings ? totalsText(findings, t) : t(`stepStatus.${status}`);
}
