import { Button, Textarea } from '@mantine/core';
import { IconCheck, IconCircleCheck, IconCircleDashed, IconMessageX, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { type Look, StatusIcon } from '../sessions/status.tsx';
import classes from './client-proof.module.css';
import { useLeft } from './use-left.ts';
import type { PageAnswers } from './use-page-answers.ts';

/** The answer to the page on the screen. */
export function PageAnswer({ answers, page }: { answers: PageAnswers; page: number }) {
  const { t } = useTranslation();
  const answer = answers.given.get(page);
  const isDeclined = answer?.decision === 'Declined';
  const { left, leaving } = useLeft();
  return (
    <section className={classes.pageAnswer} aria-label={t('clientProof.pageAnswer', { page })}>
      <div className={classes.decision}>
        <Button
          variant={isDeclined ? 'filled' : 'default'}
          aria-pressed={isDeclined}
          leftSection={<IconX size={16} aria-hidden />}
          onClick={() => answers.decide(page, 'Declined')}
        >
          {t('clientProof.pageDecline')}
        </Button>
        <Button
          variant={answer?.decision === 'Approved' ? 'filled' : 'default'}
          aria-pressed={answer?.decision === 'Approved'}
          leftSection={<IconCheck size={16} aria-hidden />}
          onClick={() => answers.decide(page, 'Approved')}
        >
          {t('clientProof.pageApprove')}
        </Button>
      </div>
      {isDeclined && (
        <Textarea
          key={page}
          label={t('clientProof.pageReason', { page })}
          withAsterisk={answers.least > 0}
          description={answers.least > 1 ? t('proof.commentTooShort', { min: answers.least }) : undefined}
          autosize
          minRows={1}
          maxRows={4}
          maxLength={1000}
          value={answer.reason}
          error={left.has(`${page}`) && answers.lacksReason(page) && t('proof.fieldMissing')}
          {...leaving(`${page}`)}
          onChange={(event) => answers.say(page, event.currentTarget.value)}
        />
      )}
    </section>
  );
}

const looks = {
  open: { tone: 'neutral', icon: IconCircleDashed },
  Approved: { tone: 'success', icon: IconCircleCheck },
  Declined: { tone: 'warning', icon: IconMessageX },
} as const satisfies Record<string, Look>;

/** Every page with its answer so far. */
export function PageList({ answers, onPage }: { answers: PageAnswers; onPage: (page: number) => void }) {
  const { t } = useTranslation();
  const told = (page: number): string => {
    const answer = answers.given.get(page);
    if (!answer) return t('clientProof.page.open');
    if (answers.lacksReason(page)) return t('clientProof.page.noReason');
    return answer.reason || t(`clientProof.recipient.${answer.decision}`);
  };
  return (
    <ul className={classes.list}>
      {answers.pages.map((page) => (
        <li key={page}>
          <button type="button" className={classes.finding} onClick={() => onPage(page)}>
            <StatusIcon look={looks[answers.given.get(page)?.decision ?? 'open']} size={20} />
            <span>
              {t('notes.onPage', { page })}
              <small>{told(page)}</small>
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
