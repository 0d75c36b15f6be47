import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMatches } from 'react-router';
import { isAdministrator, useMe } from '../account/use-me.ts';
import { accessToken } from '../client/tokens.ts';
import { type Place, titleOf } from './place.ts';
import { Screen } from './screen.tsx';

/** Whether the visitor is signed in, also on public pages; undefined while unknown. */
function useIsSignedIn(): boolean | undefined {
  const [isSignedIn, setSignedIn] = useState<boolean>();
  useEffect(() => {
    accessToken().then(
      (token) => setSignedIn(token !== null),
      // Without an answer the visitor cannot be identified as an administrator.
      () => setSignedIn(false),
    );
  }, []);
  return isSignedIn;
}

/** A place without a screen: administrators are told that it is planned, others see "not found". */
export function NotYetScreen() {
  const { t } = useTranslation();
  const place = useMatches().at(-1)?.handle as Place | undefined;
  const isSignedIn = useIsSignedIn();
  const me = useMe(isSignedIn === true);
  if (isSignedIn === undefined || (isSignedIn && !me)) return <Screen title="" state={{ kind: 'loading' }} />;
  return place && isAdministrator(me) ? (
    <Screen title={t(titleOf(place))} state={{ kind: 'notYet' }} />
  ) : (
    <Screen title={t('state.notFoundTitle')} state={{ kind: 'notFound' }} />
  );
}
