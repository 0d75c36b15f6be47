import { Anchor, Button, Stack, TextInput } from '@mantine/core';
import { secondFactorRoutes, type TokenResult } from '@pdf2press/contract';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../client/call.ts';
import { CallError } from '../client/call-error.ts';
import { useSchemaForm } from '../frame/use-schema-form.ts';
import { AccountCard } from './account-card.tsx';
import { FormProblem } from './form-problems.tsx';

const body = secondFactorRoutes.signIn.body.pick({ code: true });

interface Props {
  /** What the right password got. */
  challenge: string;
  onSignedIn: (tokens: TokenResult) => Promise<void>;
  /** Back to the password; with the error when the challenge no longer counts. */
  onBack: (error?: CallError) => void;
}

/** The second stage of signing in: a code of the app, or a recovery code. */
export function CodeStage({ challenge, onSignedIn, onBack }: Props) {
  const { t } = useTranslation();
  const { register, handleSubmit, formState, reset } = useSchemaForm(body, { defaultValues: { code: '' } });
  const send = useMutation({
    mutationFn: ({ code }: { code: string }) =>
      call(secondFactorRoutes.signIn, { body: { challenge, code, useCookie: true } }),
    onSuccess: onSignedIn,
    onError: (error) => {
      reset();
      if (error instanceof CallError && error.has('auth.challengeInvalid')) onBack(error);
    },
  });
  return (
    <AccountCard title={t('secondFactor.signInTitle')} text={t('secondFactor.signInText')}>
      <form noValidate onSubmit={(event) => void handleSubmit((given) => send.mutate(given))(event)}>
        <Stack>
          <FormProblem error={send.error} />
          <TextInput
            label={t('secondFactor.code')}
            description={t('secondFactor.anyCodeText')}
            autoComplete="one-time-code"
            autoFocus
            size="md"
            error={formState.errors.code?.message}
            {...register('code')}
          />
          <Button type="submit" size="md" loading={send.isPending}>
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
