import { Button, Loader, Stack, Text } from '@mantine/core';
import type { TokenResult } from '@pdf2press/contract';
import { singleSignOnRoutes } from '@pdf2press/contract/calls';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { call } from '../client/call.ts';
import { notify } from '../frame/toasts.tsx';
import { AccountCard } from './account-card.tsx';
import { FormProblem } from './form-problems.tsx';
import { forgetKept, linkMark, readKept } from './sign-on-trip.ts';

interface Props {
  /** What the service sent back. */
  answer: URLSearchParams;
  onSignedIn: (tokens: TokenResult, kept: URLSearchParams) => Promise<void>;
  onError: (error: Error) => void;
}

const profilePath = '/user/my-profile';

/** Where the service leads people back to: finishes what they began. */
export function SignOnReturn({ answer, onSignedIn, onError }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [, setSearch] = useSearchParams();
  const given = (name: string) => answer.get(name) ?? undefined;
  const body = { state: given('state') ?? '', code: given('code'), error: given('error'), iss: given('iss') };
  const finish = useMutation({
    mutationFn: () => call(singleSignOnRoutes.finish, { body: { ...body, useCookie: true } }),
  });
  const link = useMutation({
    mutationFn: () => call(singleSignOnRoutes.link, { body }),
    onSuccess: () => {
      notify.success(t('signOn.linked'));
      void navigate(profilePath, { replace: true });
    },
  });
  const [kept] = useState(readKept);
  const isSent = useRef(false);
  useEffect(() => {
    // What the service sends back serves once.
    if (isSent.current) return;
    isSent.current = true;
    forgetKept();
    if (kept.has(linkMark)) {
      setSearch({}, { replace: true });
      link.mutate();
      return;
    }
    // It stays neither in the history nor in what the next page is told of this one.
    setSearch(kept, { replace: true });
    finish.mutateAsync().then((tokens) => onSignedIn(tokens, kept), onError);
  }, [finish, link, kept, setSearch, onSignedIn, onError]);
  if (kept.has(linkMark))
    return (
      <AccountCard title={t('signOn.link')}>
        <Stack>
          <FormProblem error={link.error} />
          {link.isError ? (
            <Button component={Link} to={profilePath}>
              {t('signOn.back')}
            </Button>
          ) : (
            <Stack align="center" role="status">
              <Loader aria-hidden />
              <Text>{t('signOn.linking')}</Text>
            </Stack>
          )}
        </Stack>
      </AccountCard>
    );
  return (
    <AccountCard title={t('account.signIn')}>
      <Stack align="center" role="status">
        <Loader aria-hidden />
        <Text>{t('account.finishing')}</Text>
      </Stack>
    </AccountCard>
  );
}
