import { Text } from '@mantine/core';
import { type FixOutcome, type Session, type SessionFix, sessionRoutes } from '@pdf2press/contract';
import { IconCircleCheck, IconCircleDashed, IconPlayerSkipForward, IconXboxX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { failureText } from '../client/call-error.ts';
import { useCall } from '../client/queries.ts';
import classes from './fix-log.module.css';
import { type Look, StatusIcon } from './status.tsx';

const looks: Record<FixOutcome, Look> = {
  Applied: { tone: 'success', icon: IconCircleCheck },
  NothingToDo: { tone: 'neutral', icon: IconCircleDashed },
  Skipped: { tone: 'neutral', icon: IconPlayerSkipForward },
  Failed: { tone: 'error', icon: IconXboxX },
};

/** What the fix steps of a session did, in plain sentences; a sentence about a page leads there. */
export function FixLog({ session, onPage }: { session: Session; onPage: (page: number) => void }) {
  const { t } = useTranslation();
  const { data, error } = useCall(sessionRoutes.fixes, { params: { id: session.id } });
  if (error) return <Text c="error">{failureText(error, t)}</Text>;
  return data?.map((fix) => <OneFix key={fix.stepRunId} fix={fix} onPage={onPage} />);
}

type Action = SessionFix['actions'][number];

function OneFix({ fix, onPage }: { fix: SessionFix; onPage: (page: number) => void }) {
  const { t } = useTranslation();
  return (
    <section className={classes.fix} aria-label={t('fixLog.title')}>
      {!fix.isChanged && <Text c="dimmed">{t('fixLog.unchanged')}</Text>}
      {fix.actions.length === 0 && <Text c="dimmed">{t('fixLog.noActions')}</Text>}
      <Sentences list={fix.warnings} />
      <ol>
        {fix.actions.map((action) => (
          <OneAction key={action.index} action={action} onPage={onPage} />
        ))}
      </ol>
    </section>
  );
}

function OneAction({ action, onPage }: { action: Action; onPage: (page: number) => void }) {
  const { t } = useTranslation();
  const { label, outcome, reason, warnings, changes, unlisted } = action;
  const count = changes.reduce((sum, change) => sum + change.count, unlisted);
  return (
    <li className={classes.action}>
      <p className={classes.head}>
        <StatusIcon look={looks[outcome]} size={18} />
        <b>{label}</b>
        <small>
          {t(`fixOutcome.${outcome}`)}
          {count > 0 && ` · ${t('fixLog.changes', { count })}`}
        </small>
      </p>
      {reason && <p>{reason}</p>}
      <Sentences list={warnings} />
      {changes.length > 0 && (
        <ul>
          {changes.map(({ page, sentence, thumbnail }, at) => (
            <li key={at}>
              {thumbnail !== undefined && <img src={thumbnail} alt="" className={classes.gone} />}
              {page === null ? (
                sentence
              ) : (
                <button type="button" onClick={() => onPage(page)}>
                  {sentence}
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {unlisted > 0 && <small>{t('fixLog.more', { count: unlisted })}</small>}
    </li>
  );
}

const Sentences = ({ list }: { list: readonly string[] }) =>
  list.length > 0 && (
    <ul className={classes.warnings}>
      {list.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
