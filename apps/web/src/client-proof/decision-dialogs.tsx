import { Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ApproveForm } from './approve-form.tsx';
import type { Asked, DecisionProps } from './decision.ts';
import { CorrectedFile, DeclineForm } from './decline-form.tsx';
import { useGateLock } from './use-gate-lock.ts';

/** The dialog that asks for what a decision needs. */
export function DecisionDialogs({
  asked,
  form,
  ...rest
}: Omit<DecisionProps, 'form'> & { asked: Exclude<Asked, null>; form: DecisionProps['form'] | null }) {
  const { t } = useTranslation();
  useGateLock(rest.link, rest.proof.sharesGate && asked !== 'file', rest.onOutdated);
  const label = asked === 'file' ? null : form?.labels[asked === 'approve' ? 'Approved' : 'Declined'];
  const { fileName: name } = rest.proof;
  return (
    <Modal
      opened
      onClose={rest.onClose}
      closeOnClickOutside={false}
      title={label ? t('clientProof.ownTitle', { label, name }) : t(`clientProof.${asked}.title`, { name })}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      {asked === 'file' && <CorrectedFile {...rest} />}
      {asked === 'approve' && form && <ApproveForm form={form} {...rest} />}
      {asked === 'decline' && form && <DeclineForm form={form} {...rest} />}
    </Modal>
  );
}
