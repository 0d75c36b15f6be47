import { Chip, Fieldset, Group, SegmentedControl, Stack, Text, Textarea } from '@mantine/core';
import type { PageDecision } from '@pdf2press/contract';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormProblem } from '../account/form-problems.tsx';
import { DialogFoot } from '../frame/dialog-foot.tsx';
import { DropFile } from '../trials/drop-file.tsx';
import classes from './client-proof.module.css';
import type { DecisionProps } from './decision.ts';
import { faultyFields, PersonFields } from './person-fields.tsx';
import { useDecision, useReplacement } from './use-client-proof.ts';
import { useLeft } from './use-left.ts';

/** Says what should change, or sends a corrected file instead. */
export function DeclineForm(props: DecisionProps) {
  const { t } = useTranslation();
  const [isFile, setFile] = useState(false);
  return (
    <Stack>
      {props.proof.canReplaceFile && (
        <SegmentedControl
          fullWidth
          size="sm"
          aria-label={t('clientProof.decline.how')}
          value={isFile ? 'file' : 'words'}
          onChange={(value) => setFile(value === 'file')}
          data={(['words', 'file'] as const).map((value) => ({ value, label: t(`clientProof.decline.${value}`) }))}
        />
      )}
      {isFile ? <CorrectedFile {...props} /> : <Changes {...props} />}
    </Stack>
  );
}

function Changes({ link, proof, form, pages, onClose, onOutdated }: DecisionProps) {
  const { t } = useTranslation();
  const decide = useDecision(link, { onDone: onClose, onOutdated });
  const [person, setPerson] = useState({ name: proof.reader.name, email: '', title: '' });
  const [reason, setReason] = useState<string | null>(null);
  const [comment, setComment] = useState('');
  const [isTried, setTried] = useState(false);
  const element = useRef<HTMLFormElement>(null);
  const length = comment.trim().length;
  const least = form.commentMinLength;
  // Where each page is answered, the reasons are there already.
  const isAsked = pages === null;
  const fault = !isAsked
    ? null
    : form.isReasonRequired && !reason && length === 0
      ? t(form.reasons.length > 0 ? 'clientProof.needsReason' : 'clientProof.needsComment')
      : length < least
        ? t('proof.commentTooShort', { min: least })
        : null;
  const isCommentRequired = isAsked && (least > 0 || (form.isReasonRequired && form.reasons.length === 0));
  const { left, leaving } = useLeft<'comment'>();
  const faulty = faultyFields(form, person);
  const isWhole = fault === null && faulty.length === 0;
  useEffect(() => {
    if (isTried) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [isTried]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(!isWhole);
    if (!isWhole || decide.isPending) return;
    decide.mutate({
      decision: 'Declined',
      sha256: proof.sha256,
      ...person,
      reason: reason ?? '',
      comment,
      ...(proof.mine && { isChange: true }),
      ...(pages && { pages: [...pages] }),
    });
  };
  return (
    <form ref={element} noValidate onSubmit={submit}>
      <Stack>
        <Text>{t('clientProof.decline.text')}</Text>
        {pages && <DeclinedPages pages={pages} />}
        {isAsked && form.reasons.length > 0 && (
          <Fieldset variant="unstyled" legend={t('clientProof.reason')}>
            <Chip.Group value={reason} onChange={(value) => setReason(value === reason ? null : String(value))}>
              <Group gap="xs">
                {form.reasons.map((one) => (
                  <Chip key={one} value={one} size="md" onClick={() => reason === one && setReason(null)}>
                    {one}
                  </Chip>
                ))}
              </Group>
            </Chip.Group>
          </Fieldset>
        )}
        <Textarea
          label={t('clientProof.comment')}
          autosize
          minRows={3}
          maxRows={10}
          maxLength={5000}
          value={comment}
          withAsterisk={isCommentRequired}
          error={(isTried || (isCommentRequired && left.has('comment'))) && fault}
          {...leaving('comment')}
          onChange={(event) => setComment(event.currentTarget.value)}
        />
        <PersonFields form={form} value={person} onChange={setPerson} isTried={isTried} />
        <FormProblem error={decide.error} />
        <DialogFoot
          onClose={onClose}
          act={form.labels.Declined ?? t('clientProof.decline.act')}
          isUnderway={decide.isPending}
        />
      </Stack>
    </form>
  );
}

/** The pages that are declined, with what should change on each. */
function DeclinedPages({ pages }: { pages: readonly PageDecision[] }) {
  const { t } = useTranslation();
  const declined = pages.filter(({ decision }) => decision === 'Declined');
  const numbers = declined.map(({ page }) => page).join(', ');
  return (
    <div className={classes.toAccept}>
      <Text fw={600}>{t('clientProof.pagesDeclined', { count: declined.length, pages: numbers })}</Text>
      <ul>
        {declined.map(({ page, reason }) =>
          reason ? <li key={page}>{t('proof.pageSaid', { page, reason })}</li> : null,
        )}
      </ul>
    </div>
  );
}

/** Takes the corrected file and sends it. */
export function CorrectedFile({
  link,
  onClose,
  onSent,
  onOutdated,
}: Pick<DecisionProps, 'link' | 'onClose' | 'onSent' | 'onOutdated'>) {
  const { t } = useTranslation();
  const [file, setFile] = useState<File | null>(null);
  const onDone = () => {
    onSent();
    onClose();
  };
  const replace = useReplacement(link, { onDone, onOutdated });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (file && !replace.isPending) replace.mutate(file);
      }}
    >
      <Stack>
        <Text>{t('clientProof.decline.fileText')}</Text>
        <DropFile file={file} onFile={setFile} />
        <FormProblem error={replace.error} />
        <DialogFoot
          onClose={onClose}
          act={t('clientProof.decline.send')}
          isUnderway={replace.isPending}
          isDisabled={file === null}
        />
      </Stack>
    </form>
  );
}
