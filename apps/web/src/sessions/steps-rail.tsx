import { Collapse, UnstyledButton } from '@mantine/core';
import type { Session, SessionStep, StepKind } from '@pdf2press/contract';
import { IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDuration, formatNumber, formatPercent } from '../language/formats.ts';
import classes from './session.module.css';
import { levelLooks, StatusIcon, stepLooks } from './status.tsx';

/** The way that the session took, step by step; the one that failed is open. */
export function StepsRail({ session }: { session: Session }) {
  const { t } = useTranslation();
  const steps = session.steps.filter((step) => step.runNumber === session.runNumber);
  const earlier = session.steps.filter((step) => step.runNumber !== session.runNumber);
  const longest = Math.max(1, ...session.steps.map((step) => step.durationMs ?? 0));
  return (
    <div className={classes.rail}>
      <ol className={classes.steps}>
        {steps.map((step) => (
          <Step key={step.id} step={step} longest={longest} />
        ))}
      </ol>
      {earlier.length > 0 && (
        <details className={classes.earlier}>
          <summary>{t('session.earlierRuns', { count: new Set(earlier.map((step) => step.runNumber)).size })}</summary>
          <ol className={classes.steps}>
            {earlier.map((step) => (
              <Step key={step.id} step={step} longest={longest} />
            ))}
          </ol>
        </details>
      )}
    </div>
  );
}

const isUnderway = (step: SessionStep): boolean => step.status === 'Running' || step.status === 'Waiting';
export const stepTitle = (step: { name: string; kind: StepKind }, t: (key: string) => string): string =>
  step.name || t(`step.${step.kind}`);

function Step({ step, longest }: { step: SessionStep; longest: number }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(step.status === 'Failed');
  const hasMore = step.failure !== null || step.checks.length > 0 || step.attempt > 1;
  const time =
    step.durationMs !== null
      ? formatDuration(step.durationMs)
      : step.progress
        ? formatPercent(step.progress.done / Math.max(1, step.progress.total))
        : '';
  return (
    <li className={classes.step} aria-current={isUnderway(step) ? 'step' : undefined}>
      <UnstyledButton
        className={classes.stepHead}
        onClick={() => setOpen(!isOpen)}
        aria-expanded={hasMore ? isOpen : undefined}
        disabled={!hasMore}
      >
        <StatusIcon look={stepLooks[step.status]} size={20} isRunning={step.status === 'Running'} />
        <span className={classes.stepName}>
          {stepTitle(step, t)}
          <small>
            {t(`stepStatus.${step.status}`)}
            {step.attempt > 1 && ` · ${t('session.attempt', { number: step.attempt })}`}
          </small>
        </span>
        <span className={classes.stepTime}>{time}</span>
        {hasMore && (
          <IconChevronDown size={16} aria-hidden data-open={isOpen || undefined} className={classes.chevron} />
        )}
      </UnstyledButton>
      {step.durationMs !== null && (
        <span className={classes.stepBar} aria-hidden>
          <i style={{ inlineSize: formatPercentWidth(step.durationMs / longest) }} />
        </span>
      )}
      <Collapse expanded={isOpen}>
        {step.failure && (
          <p className={classes.stepFailure}>
            {step.failure.message} <code>{step.failure.code}</code>
          </p>
        )}
        <ul className={classes.checks}>
          {step.checks.map((check) => (
            <li key={check.checkKey}>
              <StatusIcon look={check.state === 'failed' ? levelLooks.Error : levelLooks[check.result]} size={15} />
              <span>{t(`check.${check.checkKey}`, { defaultValue: check.checkKey })}</span>
              <span className={classes.stepTime}>
                {check.state === 'failed'
                  ? t('session.checkFailed')
                  : check.findingCount > 0
                    ? formatNumber(check.findingCount)
                    : ''}
              </span>
            </li>
          ))}
        </ul>
      </Collapse>
    </li>
  );
}

const formatPercentWidth = (share: number): string => `${Math.max(2, Math.round(share * 100))}%`;
