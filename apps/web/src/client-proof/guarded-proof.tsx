import { Anchor, Button, Group, TextInput, Title } from '@mantine/core';
import type { ClientProof } from '@pdf2press/contract';
import { IconMailCheck } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormProblem } from '../account/form-problems.tsx';
import { CallError } from '../client/call-error.ts';
import { useTitle } from '../frame/use-title.ts';
import classes from './client-proof.module.css';
import { HouseHead } from './house-head.tsx';
import { type ProofLink, useLinkCode } from './use-client-proof.ts';

const digits = /^\s*(\d\s*){6}$/;

/** Asks for the code that is mailed to the recipient of the link, and shows nothing of the proof. */
export function GuardedProof({ link, proof }: { link: ProofLink; proof: Extract<ClientProof, { state: 'guarded' }> }) {
  const { t } = useTranslation();
  const { send, enter } = useLinkCode(link);
  const [code, setCode] = useState('');
  const [isTried, setTried] = useState(false);
  // The browser of a phone may have forgotten the page while its reader looked into the mail.
  const [hasCode, setHasCode] = useState(false);
  useTitle(t('clientProof.guarded'), proof.house.title);
  const isWhole = digits.test(code);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(!isWhole);
    if (isWhole && !enter.isPending) enter.mutate(code);
  };
  const isWrong = enter.error instanceof CallError && enter.error.has('proof.codeWrong');
  const fault = isTried && !isWhole ? t('clientProof.codeDigits') : isWrong && t('proof.codeWrong');
  return (
    <div className={classes.proof}>
      <HouseHead house={proof.house} />
      <form noValidate className={classes.notice} onSubmit={submit}>
        <IconMailCheck size={40} stroke={1.5} aria-hidden />
        <Title order={1} size="h2">
          {t('clientProof.guarded')}
        </Title>
        <p role="status">
          {t(send.isSuccess ? 'clientProof.codeSent' : 'clientProof.guardedText', { email: proof.email })}
        </p>
        {send.isSuccess || hasCode ? (
          <>
            <TextInput
              label={t('clientProof.code')}
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={12}
              size="md"
              value={code}
              error={fault}
              autoFocus
              onChange={(event) => {
                setCode(event.currentTarget.value);
                enter.reset();
              }}
            />
            <FormProblem error={isWrong ? send.error : (enter.error ?? send.error)} />
            <Group justify="center">
              <Button variant="default" size="md" loading={send.isPending} onClick={() => send.mutate()}>
                {t('clientProof.sendCodeAgain')}
              </Button>
              <Button type="submit" size="md" loading={enter.isPending}>
                {t('clientProof.enterCode')}
              </Button>
            </Group>
          </>
        ) : (
          <>
            <FormProblem error={send.error} />
            <Button size="md" loading={send.isPending} onClick={() => send.mutate()}>
              {t('clientProof.sendCode')}
            </Button>
            <Anchor component="button" type="button" onClick={() => setHasCode(true)}>
              {t('clientProof.hasCode')}
            </Anchor>
          </>
        )}
      </form>
    </div>
  );
}
