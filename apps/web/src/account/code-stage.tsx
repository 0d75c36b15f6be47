import { Anchor, Button, Stack, TextInput } from '@mantine/core';
import { secondFactorRoutes, type TokenResult } from '@pdf2press/contract';
import { passkeyRoutes } from '@pdf2press/contract/calls';
import { IconFingerprint } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../client/call.ts';
import { CallError } from '../client/call-error.ts';
import { useSchemaForm } from '../frame/use-schema-form.ts';
import { AccountCard } from './account-card.tsx';
import { confirmByPasskey } from './passkey.ts';
import { PasskeyFailure } from './passkey-failure.tsx';

const body = secondFactorRoutes.signIn.body.pick({ code: true });

/** What the right password got: the challenge, and what answers it beside a recovery code. */
export interface SecondStage {
  challenge: string;
  hasApp: boolean;
  hasPasskey: boolean;
}

interface Props {
  stage: SecondStage;
  onSignedIn: (tokens: TokenResult) => Promise<void>;
  /** Back to the password; with the error when the challenge no longer counts. */
  onBack: (error?: CallError) => void;
}

/** The second stage of signing in: a passkey, a code of the app, or a recovery code. */
export function CodeStage({ stage: { challenge, hasApp, hasPasskey }, onSignedIn, onBack }: Props) {
  const { t } = useTranslation();
  const { register, handleSubmit, formState, reset } = useSchemaForm(body, { defaultValues: { code: '' } });
  const leave = (error: Error) => {
    if (error instanceof CallError && error.has('auth.challengeInvalid')) onBack(error);
  };
  const send = useMutation({
    mutationFn: ({ code }: { code: string }) =>
      call(secondFactorRoutes.signIn, { body: { challenge, code, useCookie: true } }),
    onSuccess: onSignedIn,
    onError: (error) => {
      reset();
      leave(error);
    },
  });
  const confirm = useMutation({
    mutationFn: async () => {
      const { options } = await call(passkeyRoutes.signInOptions, { body: { challenge } });
      const answer = await confirmByPasskey(options);
      return call(passkeyRoutes.signIn, { body: { challenge, answer, useCookie: true } });
    },
    onMutate: () => send.reset(),
    onSuccess: onSignedIn,
    onError: leave,
  });
  return (
    <AccountCard
      title={t('secondFactor.signInTitle')}
      text={t(hasPasskey ? (hasApp ? 'passkeys.text' : 'passkeys.codeText') : 'secondFactor.signInText')}
    >
      <form noValidate onSubmit={(event) => void handleSubmit((given) => send.mutate(given))(event)}>
        <Stack>
          <PasskeyFailure error={send.error ?? confirm.error} />
          {hasPasskey && (
            <Button
              size="md"
              autoFocus
              leftSection={<IconFingerprint size={18} aria-hidden />}
              loading={confirm.isPending}
              onClick={() => confirm.mutate()}
            >
              {t('passkeys.use')}
            </Button>
          )}
          <TextInput
            label={t('secondFactor.code')}
            {...(hasApp && { description: t('secondFactor.anyCodeText') })}
            autoComplete="one-time-code"
            autoFocus={!hasPasskey}
            size="md"
            error={formState.errors.code?.message}
            {...register('code')}
          />
          <Button type="submit" size="md" variant={hasPasskey ? 'default' : 'filled'} loading={send.isPending}>
            {t('account.signIn')}
          </Button>
          <Anchor component="button" type="button" ta="center" onClick={() => onBack()}>
            {t('account.backToSignIn')}
          </Anchor>
        </Stack>
      </form>
    </AccountCard>
  );
}
