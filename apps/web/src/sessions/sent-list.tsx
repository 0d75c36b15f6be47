import type { SessionStep } from '@pdf2press/contract';
import { useTranslation } from 'react-i18next';
import classes from './session.module.css';

interface Sent {
  to: string;
  text: string;
  tries?: number;
  status?: number;
}

/** What a step sent to other systems or people, or in a trial would have sent, and what went wrong although it goes on. */
export function SentList({ summary }: { summary: SessionStep['summary'] }) {
  const { t } = useTranslation();
  const { sent, trial, problem } = summary as { sent: Sent[]; trial?: object; problem?: { message?: string } };
  return (
    <>
      {problem?.message && <p className={classes.stepFailure}>{problem.message}</p>}
      {trial && <p>{t('session.sent.trial')}</p>}
      <ul className={classes.sent}>
        {sent.map(({ to, text, tries, status }, at) => (
          <li key={at}>
            <strong>{to}</strong>
            {status !== undefined && ` · ${t('session.sent.status', { status })}`}
            {tries !== undefined && tries > 1 && ` · ${t('session.sent.tries', { count: tries })}`}
            {text && <pre>{text}</pre>}
          </li>
        ))}
      </ul>
    </>
  );
}
