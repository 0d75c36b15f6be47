import { Button } from '@mantine/core';
import type { ShownProof } from '@pdf2press/contract';
import { IconCheck, IconUpload, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './client-proof.module.css';
import type { Asked } from './decision.ts';

interface Props {
  /** Null when the reader has nothing to decide; a corrected file may still be sent. */
  form: ShownProof['form'];
  onAsk: (asked: Asked) => void;
}

/** Both answers; each opens a dialog that asks once more. */
export function DecisionBar({ form, onAsk }: Props) {
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
  return (
    <div className={classes.decision}>
      <Button
        variant="default"
        size="md"
        leftSection={<IconX size={18} aria-hidden />}
        onClick={() => onAsk('decline')}
      >
        {t('clientProof.decline')}
      </Button>
      <Button
        size="md"
        leftSection={<IconCheck size={18} aria-hidden />}
        disabled={form.approval.need === 'impossible'}
        title={form.approval.need === 'impossible' ? t('clientProof.impossible') : undefined}
        onClick={() => onAsk('approve')}
      >
        {t('clientProof.approve')}
      </Button>
    </div>
  );
}
