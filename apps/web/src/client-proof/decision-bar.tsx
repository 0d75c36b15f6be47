import { Button } from '@mantine/core';
import type { ShownProof } from '@pdf2press/contract';
import { IconCheck, IconUpload, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './client-proof.module.css';
import type { Asked } from './decision.ts';
import type { PageAnswers } from './use-page-answers.ts';

interface Props {
  /** Null when the reader has nothing to decide; a corrected file may still be sent. */
  form: ShownProof['form'];
  onAsk: (asked: Asked) => void;
  /** Null where it is decided on the file as a whole. */
  answers: PageAnswers | null;
  /** Another gatekeeper is deciding. */
  isHeld: boolean;
}

/** Both answers; each opens a dialog that asks once more. */
export function DecisionBar({ form, onAsk, answers, isHeld }: Props) {
  const { t } = useTranslation();
  if (!form)
    return (
      <div className={classes.decision}>
        <Button
          variant="default"
          size="md"
          leftSection={<IconUpload size={18} aria-hidden />}
          onClick={() => onAsk('file')}
        >
          {t('clientProof.decline.file')}
        </Button>
      </div>
    );
  if (answers) return <PagesBar form={form} onAsk={onAsk} answers={answers} isHeld={isHeld} />;
  return (
    <div className={classes.decision}>
      <Button
        variant="default"
        size="md"
        leftSection={<IconX size={18} aria-hidden />}
        disabled={isHeld}
        onClick={() => onAsk('decline')}
      >
        {form.labels.Declined ?? t('proof.decline')}
      </Button>
      <Button
        size="md"
        leftSection={<IconCheck size={18} aria-hidden />}
        disabled={isHeld || form.approval.need === 'impossible'}
        title={form.approval.need === 'impossible' ? t('clientProof.impossible') : undefined}
        onClick={() => onAsk('approve')}
      >
        {form.labels.Approved ?? t('proof.approve')}
      </Button>
    </div>
  );
}

/** The answers to all pages are sent together, when there is one to each. */
function PagesBar({
  form,
  onAsk,
  answers,
  isHeld,
}: { form: NonNullable<Props['form']>; answers: PageAnswers } & Props) {
  const { t } = useTranslation();
  const { pages, answered, isWhole, decision } = answers;
  const isImpossible = decision === 'Approved' && form.approval.need === 'impossible';
  return (
    <div className={`${classes.decision} ${classes.answers}`}>
      <Button
        variant="default"
        size="md"
        disabled={answered.length === pages.length}
        leftSection={<IconCheck size={18} aria-hidden />}
        onClick={answers.approveRest}
      >
        {t('clientProof.approveRest')}
      </Button>
      <Button
        size="md"
        disabled={isHeld || !isWhole || isImpossible}
        title={isImpossible ? t('clientProof.impossible') : undefined}
        onClick={() => onAsk(decision === 'Declined' ? 'decline' : 'approve')}
      >
        {t('clientProof.sendAnswers', { decided: answered.length, count: pages.length })}
      </Button>
    </div>
  );
}
