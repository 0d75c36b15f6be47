import { Alert, Button, Group, Text } from '@mantine/core';
import {
  isBeingCompared,
  isFinal,
  type Session,
  type TrialComparison,
  type TrialMark,
  trialMarkKey,
  type WorkflowDefinition,
} from '@pdf2press/contract';
import { sessionRoutes, trialRoutes } from '@pdf2press/contract/calls';
import { IconArrowLeft, IconExternalLink } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { failureText } from '../../client/call-error.ts';
import { useCall } from '../../client/queries.ts';
import { sessionPath } from '../../sessions/session-row.tsx';
import { SessionStatusChip, StatusIcon, severityLooks } from '../../sessions/status.tsx';
import { useBuilderWords } from '../builder-words.ts';
import { SessionGraph } from '../session-on-workflow.tsx';
import classes from './test-tab.module.css';
import { useDifferenceWords } from './trial-table.tsx';
import { comparingMilliseconds } from './use-trial.ts';

const TrialPages = lazy(async () => ({ default: (await import('./trial-pages.tsx')).TrialPages }));

/** One file of a trial: the path that it took, and what differs from what really happened. */
export function TrialDetail({ trialId, sessionId, back }: { trialId: string; sessionId: string; back: string | null }) {
  const { t } = useTranslation();
  const wordsOf = useDifferenceWords();
  const session = useCall(sessionRoutes.get, { params: { id: sessionId } });
  const isDone = session.data !== undefined && isFinal(session.data.status);
  const comparison = useCall(
    trialRoutes.compare,
    { params: { id: trialId, sessionId } },
    { refetchInterval: ({ state }) => state.data && isBeingCompared(state.data) && comparingMilliseconds },
  );
  const error = session.error ?? comparison.error;
  const row = comparison.data;
  return (
    <section className={classes.detail} aria-label={session.data?.fileName ?? t('test.file')}>
      <Group gap="xs">
        {back !== null && (
          <Button
            component={Link}
            to={back}
            variant="subtle"
            size="xs"
            leftSection={<IconArrowLeft size={14} aria-hidden />}
          >
            {t('test.allFiles')}
          </Button>
        )}
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {session.data?.fileName}
        </Text>
        {session.data && <SessionStatusChip status={session.data.status} />}
      </Group>
      {error && (
        <Alert color="error" role="alert">
          {failureText(error, t)}
        </Alert>
      )}
      {session.data?.failure && (
        <Alert color="error" title={t('test.failed')}>
          {session.data.failure.message}
        </Alert>
      )}
      {row && isDone && (
        <Text size="sm" role="status">
          {wordsOf(row)}
        </Text>
      )}
      {row && session.data && (
        <>
          <div className={classes.graph}>
            <SessionGraph definition={row.definition} session={session.data} />
          </div>
          <NotDone definition={row.definition} session={session.data} />
          {row.past && isDone && <Against row={row} />}
          {isDone && session.data.pageCount !== null && (
            <Suspense>
              <TrialPages now={session.data} past={row.past} changed={row.changedPages} />
            </Suspense>
          )}
        </>
      )}
    </section>
  );
}

/** What the steps of the trial did not do. */
function NotDone({ definition, session }: { definition: WorkflowDefinition; session: Session }) {
  const { t } = useTranslation();
  const words = useBuilderWords();
  const marks = session.steps.flatMap((run) => {
    const mark = run.summary[trialMarkKey] as TrialMark | undefined;
    const step = definition.steps.find(({ id }) => id === run.stepId);
    return mark && step ? [{ step, mark }] : [];
  });
  if (marks.length === 0) return null;
  return (
    <ul className={classes.marks} aria-label={t('test.notDone')}>
      {marks.map(({ step, mark }) => (
        <li key={step.id}>
          {t(`test.would.${mark.would}`, {
            step: words.title(step),
            answer:
              mark.answer === 'cancel' ? t('test.answer.cancel') : mark.answer ? words.port(step, mark.answer) : '',
          })}
        </li>
      ))}
    </ul>
  );
}

/** What really happened, beside what the draft does. */
function Against({ row }: { row: TrialComparison }) {
  const { t } = useTranslation();
  const words = useBuilderWords();
  const way = (path: TrialComparison['path']['now']) =>
    path
      .map(({ stepId, outcome }) => {
        const step = row.definition.steps.find(({ id }) => id === stepId);
        if (!step) return t('test.otherStep');
        return outcome && outcome !== 'done'
          ? `${words.title(step)} (${words.port(step, outcome)})`
          : words.title(step);
      })
      .join(' → ');
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? row.changed : row.changed.slice(0, 20);
  return (
    <>
      <dl className={classes.facts}>
        <dt>{t('test.then')}</dt>
        <dd>
          {row.past && <SessionStatusChip status={row.past.status} />} {way(row.path.past)}{' '}
          {row.past && (
            <Link to={sessionPath(row.past.id)}>
              {t('test.openThen')} <IconExternalLink size={13} aria-hidden />
            </Link>
          )}
        </dd>
        <dt>{t('test.now')}</dt>
        <dd>
          <SessionStatusChip status={row.now.status} /> {way(row.path.now)}
        </dd>
      </dl>
      {shown.length > 0 && (
        <ul className={classes.changed} aria-label={t('test.changed')}>
          {shown.map((finding, at) => (
            // The list never changes its order, and two findings may be the same in all that is shown.
            <li key={at}>
              <StatusIcon look={severityLooks[finding.severity]} size={16} />
              <b data-fate={finding.fate}>{t(`test.fate.${finding.fate}`)}</b>
              <span>
                {finding.operatorMessage || finding.message}
                {finding.page !== null && ` · ${t('test.onPage', { page: finding.page })}`}
                {finding.count > 1 && ` ×${finding.count}`}
              </span>
            </li>
          ))}
        </ul>
      )}
      {shown.length < row.changed.length && (
        <Button variant="subtle" size="xs" onClick={() => setWhole(true)}>
          {t('test.moreFindings', { count: row.changed.length - shown.length })}
        </Button>
      )}
    </>
  );
}
