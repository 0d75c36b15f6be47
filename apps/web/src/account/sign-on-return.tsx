import { Loader, Stack, Text } from '@mantine/core';
import type { TokenResult } from '@pdf2press/contract';
import { singleSignOnRoutes } from '@pdf2press/contract/calls';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { call } from '../client/call.ts';
import { AccountCard } from './account-card.tsx';
import { takeKept } from './sign-on-trip.ts';

interface Props {
  /** What the service sent back. */
  answer: URLSearchParams;
  onSignedIn: (tokens: TokenResult, kept: URLSearchParams) => Promise<void>;
  onError: (error: Error) => void;
}

/** Where the service leads people back to: finishes what they began. */
export function SignOnReturn({ answer, onSignedIn, onError }: Props) {
  const { t } = useTranslation();
  const [, setSearch] = useSearchParams();
  const finish = useMutation({
    mutationFn: () => {
      const given = (name: string) => answer.get(name) ?? undefined;
      const body = { state: given('state') ?? '', code: given('code'), error: given('error'), iss: given('iss') };
      return call(singleSignOnRoutes.finish, { body: { ...body, useCookie: true } });
    },
  });
  const isSent = useRef(false);
  useEffect(() => {
    // What the service sends back serves once.
    if (isSent.current) return;
    isSent.current = true;
    const kept = takeKept();
    // It stays neither in the history nor in what the next page is told of this one.
    setSearch(kept, { replace: true });
    finish.mutateAsync().then((tokens) => onSignedIn(tokens, kept), onError);
  }, [finish, setSearch, onSignedIn, onError]);
  return (
    <AccountCard title={t('account.signIn')}>
      <Stack align="center" role="status">
        <Loader aria-hidden />
        <Text>{t('account.finishing')}</Text>
      </Stack>
    </AccountCard>
  );
}
