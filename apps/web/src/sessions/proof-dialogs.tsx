import { Checkbox, Modal, NumberInput, SegmentedControl, Stack, Text, Textarea, TextInput } from '@mantine/core';
import type { ProofDecision, ProofRecipient, Session, SessionProof } from '@pdf2press/contract';
import { proofRoutes } from '@pdf2press/contract/calls';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../client/call.ts';
import { invalidate } from '../client/queries.ts';
import { DialogForm } from '../frame/dialog-form.tsx';
import { sessionsChanged } from './session-actions.ts';

/** What the house is about to do with a proof. */
export type ProofQuestion =
  | { kind: 'add' | 'extend'; proof: SessionProof }
  /** Without a recipient the decision ends the proof for everybody. */
  | { kind: 'decide'; proof: SessionProof; recipient: ProofRecipient | null };

/** Reads everything again that a command to a proof may have changed. */
export const proofsChanged = (): Promise<unknown> => Promise.all([invalidate(proofRoutes.list), sessionsChanged()]);

interface Props {
  session: Session;
  question: ProofQuestion | null;
  onClose: () => void;
}

/** Dialogs of the commands to a proof that need values. */
export function ProofDialogs({ session, question, onClose }: Props) {
  const { t } = useTranslation();
  const params = question ? { id: session.id, proofId: question.proof.id } : null;
  return (
    <Modal
      opened={question !== null}
      onClose={onClose}
      title={question && titleOf(question)}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      {params && question?.kind === 'add' && <AddRecipient params={params} onClose={onClose} />}
      {params && question?.kind === 'extend' && <Extend params={params} onClose={onClose} />}
      {params && question?.kind === 'decide' && <Decide params={params} {...question} onClose={onClose} />}
    </Modal>
  );
  function titleOf(asked: ProofQuestion): string {
    if (asked.kind !== 'decide') return t(`proofs.${asked.kind}`);
    const { recipient } = asked;
    return recipient ? t('proofs.decideFor.title', { name: recipient.name || recipient.email }) : t('proofs.decide');
  }
}

interface FormProps {
  params: { id: string; proofId: string };
  onClose: () => void;
}

function AddRecipient({ params, onClose }: FormProps) {
  const { t } = useTranslation();
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [isGatekeeper, setGatekeeper] = useState(false);
  const add = useMutation({
    mutationFn: () => call(proofRoutes.addRecipient, { params, body: { email, name, isGatekeeper } }),
    onSuccess: onClose,
    onSettled: proofsChanged,
  });
  return (
    <DialogForm
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate();
      }}
      onClose={onClose}
      act={t('proofs.add')}
      isUnderway={add.isPending}
      error={add.error}
    >
      <TextInput
        label={t('field.email')}
        type="email"
        withAsterisk
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <TextInput label={t('field.name')} value={name} onChange={(event) => setName(event.currentTarget.value)} />
      <Checkbox
        label={t('proofs.gatekeeper')}
        description={t('proofs.gatekeeper.text')}
        checked={isGatekeeper}
        onChange={(event) => setGatekeeper(event.currentTarget.checked)}
      />
    </DialogForm>
  );
}

/** Two days. */
const usualHours = 48;

function Extend({ params, onClose }: FormProps) {
  const { t } = useTranslation();
  const [hours, setHours] = useState<number | string>(usualHours);
  const extend = useMutation({
    mutationFn: () => call(proofRoutes.extend, { params, body: { hours: Number(hours) } }),
    onSuccess: onClose,
    onSettled: proofsChanged,
  });
  return (
    <DialogForm
      onSubmit={(event) => {
        event.preventDefault();
        extend.mutate();
      }}
      onClose={onClose}
      act={t('proofs.extend')}
      isUnderway={extend.isPending}
      error={extend.error}
    >
      <Text>{t('proofs.extend.text')}</Text>
      <NumberInput label={t('proofs.hours')} min={0.01} max={8760} value={hours} onChange={setHours} />
    </DialogForm>
  );
}

interface DecideProps extends FormProps {
  proof: SessionProof;
  recipient: ProofRecipient | null;
}

function Decide({ params, proof, recipient, onClose }: DecideProps) {
  const { t } = useTranslation();
  const { approval } = proof;
  const [decision, setDecision] = useState<ProofDecision>(approval.need === 'impossible' ? 'Declined' : 'Approved');
  const [reason, setReason] = useState('');
  const [isAccepted, setAccepted] = useState(false);
  const [isTried, setTried] = useState(false);
  const needsAcceptance = decision === 'Approved' && approval.need === 'acceptance';
  const isWhole = reason.trim() !== '' && (!needsAcceptance || isAccepted);
  const decide = useMutation({
    mutationFn: () =>
      call(proofRoutes.decide, {
        params,
        body: {
          decision,
          reason,
          ...(recipient && { recipientId: recipient.id }),
          ...(needsAcceptance && { accepts: approval.digest }),
        },
      }),
    onSuccess: onClose,
    onSettled: proofsChanged,
  });
  return (
    <DialogForm
      onSubmit={(event) => {
        event.preventDefault();
        setTried(!isWhole);
        if (isWhole) decide.mutate();
      }}
      onClose={onClose}
      act={t(decision === 'Approved' ? 'proof.approve' : 'proof.decline')}
      isUnderway={decide.isPending}
      error={decide.error}
    >
      <Stack>
        <Text>{t(recipient ? 'proofs.decideFor.text' : 'proofs.decide.text')}</Text>
        <SegmentedControl
          fullWidth
          size="sm"
          aria-label={t('proofs.decision')}
          value={decision}
          onChange={(value) => setDecision(value as ProofDecision)}
          data={[
            { value: 'Approved', label: t('proof.approve'), disabled: approval.need === 'impossible' },
            { value: 'Declined', label: t('proof.decline') },
          ]}
        />
        {needsAcceptance && (
          <Checkbox
            label={t('proofs.accept', { count: approval.count })}
            checked={isAccepted}
            error={isTried && !isAccepted && t('clientProof.needsTick')}
            onChange={(event) => setAccepted(event.currentTarget.checked)}
          />
        )}
        <Textarea
          label={t('proofs.reason')}
          withAsterisk
          autosize
          minRows={2}
          maxLength={2000}
          value={reason}
          error={isTried && reason.trim() === '' && t('proof.fieldMissing')}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      </Stack>
    </DialogForm>
  );
}
