import type { Session, SessionFile, SessionStep } from '@pdf2press/contract';
import { sessionRoutes } from '@pdf2press/contract/calls';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCall } from '../client/queries.ts';
import { formatClock, formatNumber, formatSize } from '../language/formats.ts';
import { eventHash } from './event-words.ts';
import { SentList } from './sent-list.tsx';
import classes from './session.module.css';
import { levelLooks, StatusIcon } from './status.tsx';
import { madeBy, readBy } from './step-files.ts';

const RuleTables = lazy(async () => ({ default: (await import('../rules/rule-table.tsx')).RuleTables }));

const StepTold = lazy(async () => {
  const words = import('../workflows/step-words.ts').then(({ stepWords }) => stepWords());
  const [{ StepTold: Told }] = await Promise.all([import('./step-told.tsx'), words]);
  return { default: Told };
});

/** Details of a step: failure, checks, rules, files read and created. */
export function StepBody({ session, step }: { session: Session; step: SessionStep }) {
  const { t } = useTranslation();
  const read = step.startedAt ? readBy(session, step) : undefined;
  const made = madeBy(session, step);
  return (
    <div className={classes.stepBody}>
      {step.failure && (
        <>
          <p className={classes.stepFailure}>
            {step.failure.message} <code>{step.failure.code}</code>
          </p>
          <Tail session={session} step={step} />
        </>
      )}
      {step.checks.length > 0 && (
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
      )}
      {'sent' in step.summary && <SentList summary={step.summary} />}
      {('table' in step.summary || 'rules' in step.summary) && (
        <Suspense>
          <RuleTables summary={step.summary} />
        </Suspense>
      )}
      <Suspense>
        <StepTold step={step} />
      </Suspense>
      <dl>
        {read && <FileFact word={t('session.read')} files={[read]} />}
        {made.length > 0 && <FileFact word={t('session.made')} files={made} />}
        {step.startedAt && (
          <>
            <dt>{t('session.began')}</dt>
            <dd>
              <time dateTime={step.startedAt}>{formatClock(step.startedAt)}</time>
            </dd>
          </>
        )}
      </dl>
    </div>
  );
}

const FileFact = ({ word, files }: { word: string; files: readonly SessionFile[] }) => (
  <>
    <dt>{word}</dt>
    <dd>
      {files.map((file) => (
        <div key={file.id}>
          {file.name} <span className={classes.stepTime}>{formatSize(file.sizeBytes)}</span>
        </div>
      ))}
    </dd>
  </>
);

const tailLines = 4;

/** The last log lines of a step. */
function Tail({ session, step }: { session: Session; step: SessionStep }) {
  const { t } = useTranslation();
  const { data = [] } = useCall(sessionRoutes.events, { params: { id: session.id } });
  const events = data.filter(({ stepRunId }) => stepRunId === step.id).slice(-tailLines);
  if (events.length === 0) return null;
  return (
    <ul className={classes.tail}>
      {events.map((event) => (
        <li key={event.seq}>
          <Link to={{ hash: eventHash(event.seq) }}>
            <time dateTime={event.at}>{formatClock(event.at)}</time>
          </Link>{' '}
          {t(`event.${event.kind}`)}
        </li>
      ))}
    </ul>
  );
}
