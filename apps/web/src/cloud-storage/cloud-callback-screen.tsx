import { Alert, Anchor, Loader, Stack, Text } from '@mantine/core';
import { cloudStorageRoutes, type mailboxRoutes } from '@pdf2press/contract/calls';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { AccountCard } from '../account/account-card.tsx';
import { call } from '../client/call.ts';
import { failureText } from '../client/call-error.ts';
import { notify } from '../frame/toasts.tsx';

export const CloudCallbackScreen = () => (
  <ConsentCallback
    routes={cloudStorageRoutes}
    path="/cloud-storage"
    title="title.cloud-storage-callback"
    back="cloud.back"
  />
);

interface Props {
  routes: Pick<typeof cloudStorageRoutes | typeof mailboxRoutes, 'callback'>;
  /** The list of what was to be connected. */
  path: string;
  /** Keys of texts: of the page, and of the link to the list. */
  title: string;
  back: string;
}

/** Where a service sends people back to: finishes what they began, and opens the form again. */
export function ConsentCallback({ routes, path, title, back }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const finish = useMutation({
    mutationFn: (sent: URLSearchParams) => {
      const given = (name: string) => sent.get(name) ?? undefined;
      const body = { state: sent.get('state') ?? '', code: given('code'), error: given('error'), iss: given('iss') };
      return call(routes.callback, { body });
    },
    onSuccess: ({ id, account }) => {
      notify.success(t('cloud.connectedAs', { account }));
      void navigate(`${path}/edit/${encodeURIComponent(id)}`, { replace: true });
    },
  });
  const [answer] = useState(() => new URLSearchParams(window.location.search));
  const hasState = answer.has('state');
  const isSent = useRef(false);
  const { mutate } = finish;
  useEffect(() => {
    // What the service sends back serves once.
    if (isSent.current || !hasState) return;
    isSent.current = true;
    // It stays neither in the history nor in what the next page is told of this one.
    window.history.replaceState(window.history.state, '', window.location.pathname);
    mutate(answer);
  }, [mutate, answer, hasState]);
  return (
    <AccountCard
      title={t(title)}
      foot={
        <Anchor component={Link} to={path}>
          {t(back)}
        </Anchor>
      }
    >
      {finish.error || !hasState ? (
        <Alert role="alert" color="error" variant="light" title={t('cloud.notFinished')}>
          {finish.error ? failureText(finish.error, t) : t('cloud.stateInvalid')}
        </Alert>
      ) : (
        <Stack align="center" role="status">
          <Loader aria-hidden />
          <Text>{t('cloud.finishing')}</Text>
        </Stack>
      )}
    </AccountCard>
  );
}
