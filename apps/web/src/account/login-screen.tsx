import { Alert, Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { authRoutes, type TokenResult } from '@pdf2press/contract';
import { systemRoutes } from '@pdf2press/contract/calls';
import { IconClockPause } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router';
import { call } from '../client/call.ts';
import { CallError } from '../client/call-error.ts';
import { queries, useCall } from '../client/queries.ts';
import { keepTokens, signInHasExpired } from '../client/tokens.ts';
import { useSchemaForm } from '../frame/use-schema-form.ts';
import { AccountCard } from './account-card.tsx';
import { useCaptcha } from './captcha.ts';
import type { SecondStage } from './code-stage.tsx';
import { Countdown } from './countdown.tsx';
import { FormProblem } from './form-problems.tsx';
import { safePath } from './safe-path.ts';
import { SignOnButton } from './sign-on-button.tsx';

/** After so many refused sign-ins the server asks for a proof of work before the next one. */
const triesBeforeCaptcha = 3;
/** After so many refusals a hint about locked accounts is shown. The server does not reveal whether an account is locked. */
const triesBeforeLock = 5;

// Most people never see it.
const CodeStage = lazy(async () => ({ default: (await import('./code-stage.tsx')).CodeStage }));
const SignOnReturn = lazy(async () => ({ default: (await import('./sign-on-return.tsx')).SignOnReturn }));

/** What a refusal for want of a code carries. */
const stageIn = (error: unknown): SecondStage | null => {
  if (!(error instanceof CallError)) return null;
  const { params } = error.errors.find(({ code }) => code === 'auth.secondFactorNeeded') ?? {};
  if (!params) return null;
  return {
    challenge: String(params.challenge),
    hasApp: params.hasApp === true,
    hasPasskey: params.hasPasskey === true,
  };
};

export function LoginScreen() {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchParams();
  const [initial] = useState(() => ({ email: search.get('email') ?? '', password: search.get('password') ?? '' }));
  const [hasExpired] = useState(signInHasExpired);
  const [tries, setTries] = useState(0);
  const [stage, setStage] = useState<SecondStage | null>(null);
  const [stageError, setStageError] = useState<Error | null>(null);
  // What another service sent back with the person.
  const [answer, setAnswer] = useState(() => (search.has('state') ? search : null));
  const [waitUntil, setWaitUntil] = useState<number | null>(null);
  const navigate = useNavigate();
  const info = useCall(systemRoutes.appInfo, undefined, { staleTime: 0 });
  const captcha = useCaptcha('login');
  const { register, handleSubmit, formState } = useSchemaForm(authRoutes.login.body, { defaultValues: initial });

  // Removes credentials from the address, so that they do not stay in the history.
  useEffect(() => {
    if (search.has('email') || search.has('password')) {
      const kept = new URLSearchParams(search);
      kept.delete('email');
      kept.delete('password');
      setSearch(kept, { replace: true });
    }
  }, [search, setSearch]);

  const enter = async (tokens: TokenResult, from = search) => {
    keepTokens(tokens);
    queries.clear();
    await navigate(safePath(from.get('returnTo')), { replace: true });
  };
  const signIn = useMutation({
    mutationFn: async (given: { email: string; password: string }) => {
      const send = (proof?: string) =>
        call(authRoutes.login, { body: { ...given, useCookie: true, ...(proof ? { captcha: proof } : {}) } });
      if (tries >= triesBeforeCaptcha) return send(await captcha());
      return send().catch(async (error: unknown) => {
        // Attempts from other devices count too, so the server may require the captcha earlier.
        if (!(error instanceof CallError && error.has('auth.captchaFailed'))) throw error;
        return send(await captcha());
      });
    },
    onMutate: () => setStageError(null),
    onSuccess: (tokens) => enter(tokens),
    onError: (error) => {
      const asked = stageIn(error);
      if (asked) {
        setStage(asked);
        return;
      }
      setTries((before) => before + 1);
      if (error instanceof CallError && error.retryAfterSeconds)
        setWaitUntil(Date.now() + error.retryAfterSeconds * 1000);
    },
  });

  if (info.data && !info.data.isSetUp) return <Navigate to="/setup" replace />;
  if (answer)
    return (
      <Suspense>
        <SignOnReturn
          answer={answer}
          onSignedIn={enter}
          onError={(error) => {
            setAnswer(null);
            const asked = stageIn(error);
            asked ? setStage(asked) : setStageError(error);
          }}
        />
      </Suspense>
    );
  if (stage)
    return (
      <Suspense>
        <CodeStage
          stage={stage}
          onSignedIn={(tokens) => enter(tokens)}
          onBack={(error) => {
            setStage(null);
            setStageError(error ?? null);
            signIn.reset();
          }}
        />
      </Suspense>
    );
  return (
    <AccountCard title={t('account.signIn')} text={t('account.signInText')}>
      <form noValidate onSubmit={(event) => void handleSubmit((given) => signIn.mutate(given))(event)}>
        <Stack>
          {hasExpired && tries === 0 && (
            <Alert role="status" color="info" variant="light" icon={<IconClockPause size={20} />}>
              {t('account.expired')}
            </Alert>
          )}
          <FormProblem error={stageError ?? signIn.error} />
          {tries >= triesBeforeLock && waitUntil === null && (
            <Text size="sm" c="dimmed">
              {t('account.lockHint')}
            </Text>
          )}
          {waitUntil && <Countdown until={waitUntil} onEnd={() => setWaitUntil(null)} />}
          <TextInput
            label={t('field.email')}
            type="email"
            autoComplete="username"
            autoFocus
            size="md"
            error={formState.errors.email?.message}
            {...register('email')}
          />
          <PasswordInput
            label={t('field.password')}
            autoComplete="current-password"
            size="md"
            visibilityToggleButtonProps={{ 'aria-label': t('account.showPassword') }}
            error={formState.errors.password?.message}
            {...register('password')}
          />
          <Button type="submit" size="md" loading={signIn.isPending} disabled={waitUntil !== null}>
            {t('account.signIn')}
          </Button>
          <Anchor component={Link} to="/forgot-password" ta="center">
            {t('account.forgot')}
          </Anchor>
          <SignOnButton search={search} onError={setStageError} />
        </Stack>
      </form>
    </AccountCard>
  );
}
