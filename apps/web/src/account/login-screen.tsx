import { Anchor, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { authRoutes, systemRoutes } from '@pdf2press/contract';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router';
import { call } from '../client/call.ts';
import { CallError } from '../client/call-error.ts';
import { queries, useCall } from '../client/queries.ts';
import { keepTokens } from '../client/tokens.ts';
import { useSchemaForm } from '../frame/use-schema-form.ts';
import { AccountCard } from './account-card.tsx';
import { useCaptcha } from './captcha.ts';
import { Countdown } from './countdown.tsx';
import { FormProblem } from './form-problems.tsx';

/** After so many refusals the server wants to see some work before the next try (design §4.1). */
const triesBeforeCaptcha = 3;

/** Only a path of our own is gone back to. */
const safePath = (path: string | null): string => (path && /^\/(?![/\\])/.test(path) ? path : '/');

export function LoginScreen() {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchParams();
  const [initial] = useState(() => ({ email: search.get('email') ?? '', password: search.get('password') ?? '' }));
  const [tries, setTries] = useState(0);
  const [waitUntil, setWaitUntil] = useState<number | null>(null);
  const navigate = useNavigate();
  const info = useCall(systemRoutes.appInfo, undefined, { staleTime: 0 });
  const captcha = useCaptcha();
  const { register, handleSubmit, formState } = useSchemaForm(authRoutes.login.body, { defaultValues: initial });

  // The initial values of the address must not stay in history, least of all a password.
  useEffect(() => {
    if (search.has('email') || search.has('password')) {
      const kept = new URLSearchParams(search);
      kept.delete('email');
      kept.delete('password');
      setSearch(kept, { replace: true });
    }
  }, [search, setSearch]);

  const signIn = useMutation({
    mutationFn: async (given: { email: string; password: string }) =>
      call(authRoutes.login, {
        body: { ...given, useCookie: true, ...(tries >= triesBeforeCaptcha ? { captcha: await captcha() } : {}) },
      }),
    onSuccess: async (tokens) => {
      keepTokens(tokens);
      queries.clear();
      await navigate(safePath(search.get('returnTo')), { replace: true });
    },
    onError: (error) => {
      // The server may want the work sooner: another tab or another person has tried.
      setTries((before) =>
        error instanceof CallError && error.has('auth.captchaFailed') ? triesBeforeCaptcha : before + 1,
      );
      if (error instanceof CallError && error.retryAfterSeconds)
        setWaitUntil(Date.now() + error.retryAfterSeconds * 1000);
    },
  });

  if (info.data && !info.data.isSetUp) return <Navigate to="/setup" replace />;
  return (
    <AccountCard title={t('account.signIn')} text={t('account.signInText')}>
      <form noValidate onSubmit={(event) => void handleSubmit((given) => signIn.mutate(given))(event)}>
        <Stack>
          <FormProblem error={signIn.error} />
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
        </Stack>
      </form>
    </AccountCard>
  );
}
