import { CloseButton, Text } from '@mantine/core';
import type { Session } from '@pdf2press/contract';
import { sessionRoutes } from '@pdf2press/contract/calls';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCall } from '../client/queries.ts';
import { formatDuration, formatNumber } from '../language/formats.ts';
import { stepText } from '../sessions/finding-totals.tsx';
import { sessionPath } from '../sessions/session-row.tsx';
import { StatusIcon, severityLooks, stepLook } from '../sessions/status.tsx';
import { StepBody } from '../sessions/step-body.tsx';
import { stepTitle } from '../sessions/step-title.ts';
import classes from './workflows.module.css';

/** So many findings are listed here; the session has them all. */
const mostFindings = 30;

/** What a session did in the step that is chosen on its workflow. */
export function StepAside({ session, stepId, onClose }: { session: Session; stepId: string; onClose: () => void }) {
  const { t } = useTranslation();
  const step = session.steps.findLast((one) => one.stepId === stepId && one.runNumber === session.runNumber);
  const { data } = useCall(
    sessionRoutes.findings,
    { params: { id: session.id }, query: { stepRunId: step?.id ?? '', pageSize: mostFindings } },
    { enabled: step !== undefined },
  );
  if (!step) return null;
  const findings = data?.items ?? [];
  const rest = (data?.total ?? 0) - findings.length;
  return (
    <aside className={classes.aside} aria-label={stepTitle(step, t)}>
      <header>
        <StatusIcon look={stepLook(step)} size={20} isRunning={step.status === 'Running'} />
        <div>
          <Text fw={600}>{stepTitle(step, t)}</Text>
          <Text size="xs" c="dimmed">
            {[stepText(step, t), step.durationMs !== null && formatDuration(step.durationMs)]
              .filter(Boolean)
              .join(' · ')}
          </Text>
        </div>
        <CloseButton aria-label={t('common.close')} onClick={onClose} />
      </header>
      <StepBody session={session} step={step} />
      {findings.length > 0 && (
        <ul className={classes.asideFindings}>
          {findings.map((finding) => (
            <li key={finding.id}>
              <StatusIcon look={severityLooks[finding.severity]} size={16} />
              <span>
                {finding.operatorMessage || finding.message}
                {finding.count > 1 && ` ×${formatNumber(finding.count)}`}
              </span>
            </li>
          ))}
        </ul>
      )}
      <Link to={`${sessionPath(session.id)}#step-${step.stepId}`}>
        {rest > 0 ? t('workflows.moreFindings', { count: rest }) : t('workflows.stepInSession')}
      </Link>
    </aside>
  );
}
