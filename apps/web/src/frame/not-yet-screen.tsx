import { useTranslation } from 'react-i18next';
import { Navigate, useMatches } from 'react-router';
import { isAdministrator, useMe } from '../account/use-me.ts';
import { homePath, type Place } from './places.ts';
import { Screen } from './screen.tsx';

/** An area that comes later: administrators are told so, nobody else learns of it. The dashboard leads on to the sessions. */
export function NotYetScreen() {
  const { t } = useTranslation();
  const place = useMatches().at(-1)?.handle as Place | undefined;
  const isPublic = place?.access === 'public';
  const me = useMe(!isPublic);
  if (place?.name === 'dashboard') return <Navigate to={homePath} replace />;
  if (!isPublic && me === undefined) return <Screen title="" state={{ kind: 'loading' }} />;
  const title = place?.nav ? t(`nav.${place.nav}`) : t(`title.${place?.name}`);
  return isAdministrator(me) ? (
    <Screen title={title} state={{ kind: 'notYet' }} />
  ) : (
    <Screen title={t('state.notFoundTitle')} state={{ kind: 'notFound' }} />
  );
}
