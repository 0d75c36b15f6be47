import { Collapse, UnstyledButton } from '@mantine/core';
import type { Session, SessionStep } from '@pdf2press/contract';
import { IconChevronDown } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { formatDuration, formatPercent } from '../language/formats.ts';
import { stepText } from './finding-totals.tsx';
import classes from './session.module.css';
import { StatusIcon, stepLook } from './status.tsx';
import { StepBody } from './step-body.tsx';
import { stepTitle } from './step-title.ts';

/** The steps of the session in the order they ran; a failed step is expanded. */
export function StepsRail({ session }: { session: Session }) {
  const { t } = useTranslation();
  const steps = session.steps.filter((step) => step.runNumber === session.runNumber);
  const earlier = session.steps.filter((step) => step.runNumber !== session.runNumber);
  return (
    <div className={classes.rail}>
      <ol className={classes.steps}>
        {steps.map((step) => (
          <Step key={step.id} session={session} step={step} />
        ))}
      </ol>
      {earlier.length > 0 && (
        <details className={classes.earlier}>
          <summary>{t('session.earlierRuns', { count: new Set(earlier.map((step) => step.runNumber)).size })}</summary>
          <ol className={classes.steps}>
            {earlier.map((step) => (
              <Step key={step.id} session={session} step={step} />
            ))}
          </ol>
        </details>
      )}
    </div>
  );
}

const isUnderway = (step: SessionStep): boolean => step.status === 'Running' || step.status === 'Waiting';

function Step({ session, step }: { session: Session; step: SessionStep }) {
  const { t } = useTranslation();
  const isLinked = useLocation().hash === `#step-${step.stepId}`;
  const isFailed = step.status === 'Failed';
  const [isOpen, setOpen] = useState(false);
  const item = useRef<HTMLLIElement>(null);
  // Expands a step that fails while the page is open.
  useEffect(() => {
    if (isFailed || isLinked) setOpen(true);
    if (isLinked) item.current?.scrollIntoView({ block: 'nearest' });
  }, [isFailed, isLinked]);
  const hasBegun = step.startedAt !== null || step.failure !== null;
  const time =
    step.durationMs !== null
      ? formatDuration(step.durationMs)
      : step.progress
        ? formatPercent(step.progress.done / Math.max(1, step.progress.total))
        : '';
  return (
    <li ref={item} className={classes.step} aria-current={isUnderway(step) ? 'step' : undefined}>
      <UnstyledButton
        className={classes.stepHead}
        onClick={() => setOpen(!isOpen)}
        aria-expanded={hasBegun ? isOpen : undefined}
        disabled={!hasBegun}
      >
        <StatusIcon look={stepLook(step)} size={20} isRunning={step.status === 'Running'} />
        <span className={classes.stepName}>
          {stepTitle(step, t)}
          <small>
            {stepText(step, t)}
            {step.attempt > 1 && ` · ${t('session.attempt', { number: step.attempt })}`}
          </small>
        </span>
        <span className={classes.stepTime}>{time}</span>
        {hasBegun && (
          <IconChevronDown size={16} aria-hidden data-open={isOpen || undefined} className={classes.chevron} />
        )}
      </UnstyledButton>
      <Collapse expanded={isOpen}>{isOpen && <StepBody session={session} step={step} />}</Collapse>
    </li>
  );
}
