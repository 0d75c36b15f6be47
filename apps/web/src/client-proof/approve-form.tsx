import { Checkbox, Stack, Text, TextInput } from '@mantine/core';
import { isSignatureOf, severities } from '@pdf2press/contract';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormProblem } from '../account/form-problems.tsx';
import { DialogFoot } from '../frame/dialog-foot.tsx';
import { StatusIcon, severityLooks } from '../sessions/status.tsx';
import classes from './client-proof.module.css';
import type { DecisionProps } from './decision.ts';
import { faultyFields, PersonFields } from './person-fields.tsx';
import { useDecision } from './use-client-proof.ts';
import { useLeft } from './use-left.ts';

/** As many findings are named beside their number. */
const named = 3;

/** Asks for what an approval needs: nothing but a click, the acceptance of findings, statements, a name. */
export function ApproveForm({ link, proof, form, findings, seen, pages, onClose, onOutdated }: DecisionProps) {
  const { t } = useTranslation();
  const decide = useDecision(link, { onDone: onClose, onOutdated });
  const [person, setPerson] = useState({ name: proof.reader.name, email: '', title: '' });
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const { approval } = form;
  const digest = approval.need === 'acceptance' ? approval.digest : null;
  // An acceptance is of just these findings; others are to be accepted anew.
  const [accepted, setAccepted] = useState<string | null>(null);
  const isAccepted = digest === null || accepted === digest;
  const [isTried, setTried] = useState(false);
  const element = useRef<HTMLFormElement>(null);
  const faulty = faultyFields(form, person);
  const [signature, setSignature] = useState('');
  const { left, leaving } = useLeft<'signature'>();
  const isSigned = !form.isSignatureRequired || isSignatureOf(signature, person.name);
  const isWhole =
    isAccepted && isSigned && faulty.length === 0 && form.checkboxes.every(({ id }) => ticked.includes(id));
  useEffect(() => {
    if (isTried) element.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-lacking]')?.focus();
  }, [isTried]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(!isWhole);
    if (!isWhole || decide.isPending) return;
    decide.mutate({
      decision: 'Approved',
      sha256: proof.sha256,
      ...person,
      ...(form.isSignatureRequired && { signature }),
      checkboxes: [...ticked],
      ...(proof.mine && { isChange: true }),
      ...(pages && { pages: [...pages] }),
      ...(digest !== null && { accepts: digest }),
    });
  };
  return (
    <form ref={element} noValidate onSubmit={submit}>
      <Stack>
        <Text>{t('clientProof.approve.text')}</Text>
        {pages && <Text fw={600}>{t('clientProof.pagesApproved', { count: pages.length })}</Text>}
        {digest !== null && (
          <ToAccept findings={findings} count={approval.need === 'acceptance' ? approval.count : 0} />
        )}
        {proof.pageCount !== null && seen < proof.pageCount && (
          <Text size="sm" c="dimmed">
            {t('clientProof.unread', { seen, count: proof.pageCount })}
          </Text>
        )}
        {form.legalText && <div className={classes.legal}>{form.legalText}</div>}
        {digest !== null && (
          <Tick
            label={t('clientProof.accept')}
            isTicked={isAccepted}
            isLacking={isTried && !isAccepted}
            onChange={(isOn) => setAccepted(isOn ? digest : null)}
          />
        )}
        {form.checkboxes.map(({ id, text }) => (
          <Tick
            key={id}
            label={text}
            isTicked={ticked.includes(id)}
            isLacking={isTried && !ticked.includes(id)}
            onChange={(isOn) => setTicked(isOn ? [...ticked, id] : ticked.filter((other) => other !== id))}
          />
        ))}
        <PersonFields form={form} value={person} onChange={setPerson} isTried={isTried} />
        {form.isSignatureRequired && (
          <TextInput
            label={t('clientProof.signature')}
            description={t('clientProof.signatureText')}
            classNames={{ input: classes.signature }}
            autoComplete="off"
            maxLength={200}
            withAsterisk
            value={signature}
            error={
              (isTried || left.has('signature')) &&
              !isSigned &&
              t(signature.trim() === '' ? 'proof.fieldMissing' : 'proof.signatureDiffers')
            }
            {...leaving('signature')}
            onChange={(event) => setSignature(event.currentTarget.value)}
          />
        )}
        <FormProblem error={decide.error} />
        <DialogFoot
          onClose={onClose}
          act={form.labels.Approved ?? t('clientProof.approve.act')}
          isUnderway={decide.isPending}
        />
      </Stack>
    </form>
  );
}

function Tick({
  label,
  isTicked,
  isLacking,
  onChange,
}: {
  label: string;
  isTicked: boolean;
  isLacking: boolean;
  onChange: (isTicked: boolean) => void;
}) {
  const { t } = useTranslation();
  return (
    <Checkbox
      label={label}
      checked={isTicked}
      error={isLacking && t('clientProof.needsTick')}
      {...(isLacking && { 'data-lacking': true })}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}

/** The findings that an approval accepts: how many of each severity, and the worst of them. */
function ToAccept({ findings, count }: Pick<DecisionProps, 'findings'> & { count: number }) {
  const { t } = useTranslation();
  const accepted = findings.filter(({ isToAccept }) => isToAccept);
  const worstFirst = [...severities].reverse();
  const numbers = worstFirst
    .map((severity) => ({ severity, number: accepted.filter((finding) => finding.severity === severity).length }))
    .filter(({ number }) => number > 0)
    .map(({ severity, number }) => t(`clientProof.count.${severity}`, { count: number }));
  const worst = worstFirst.flatMap((severity) => accepted.filter((finding) => finding.severity === severity));
  return (
    <div className={classes.toAccept}>
      <Text fw={600}>{numbers.join(', ') || t('clientProof.count.all', { count })}</Text>
      <ul>
        {worst.slice(0, named).map(({ id, severity, sentence }) => (
          <li key={id}>
            <StatusIcon look={severityLooks[severity]} size={18} />
            <span>{sentence}</span>
          </li>
        ))}
      </ul>
      {count > named && (
        <Text size="sm" c="dimmed">
          {t('clientProof.further', { count: count - named })}
        </Text>
      )}
    </div>
  );
}
