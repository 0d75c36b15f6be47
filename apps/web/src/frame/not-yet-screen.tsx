import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMatches } from 'react-router';
import { isAdministrator, useMe } from '../account/use-me.ts';
import { accessToken } from '../client/tokens.ts';
import type { Place } from './places.ts';
import { Screen } from './screen.tsx';

/** Whether somebody is signed in, also on the pages that ask nobody to be; undefined while that is being found out. */
function useIsSignedIn(): boolean | undefined {
  const [isSignedIn, setSignedIn] = useState<boolean>();
  useEffect(() => {
    accessToken().then(
      (token) => setSignedIn(token !== null),
      // No answer: whoever that is cannot be told what only administrators are told.
      () => setSignedIn(false),
    );
  }, []);
  return isSignedIn;
}

/** An area that comes later: administrators are told so, for everybody else there is no such page. */
export function NotYetScreen() {
  const { t } = useTranslation();
  const place = useMatches().at(-1)?.handle as Place | undefined;
  const isSignedIn = useIsSignedIn();
  const me = useMe(isSignedIn === true);
  if (isSignedIn === undefined || (isSignedIn && !me)) return <Screen title="" state={{ kind: 'loading' }} />;
  const title = place?.nav ? t(`nav.${place.nav}`) : t(`title.${place?.name}`);
  return isAdministrator(me) ? (
    <Screen title={title} state={{ kind: 'notYet' }} />
  ) : (
    <Screen title={t('state.notFoundTitle')} state={{ kind: 'notFound' }} />
  );
}
