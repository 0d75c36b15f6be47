import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../account/use-me.ts';
import { appTitle } from '../constants.ts';
import type { Place } from './places.ts';
import { Screen } from './screen.tsx';

/** Around every screen: the window's title, and the refusal in place when the permission is missing. */
export function PlaceFrame({ place, children }: { place: Place; children: ReactNode }) {
  const { t } = useTranslation();
  const me = useMe(place.access !== 'public');
  const title = t(place.nav ? `nav.${place.nav}` : `title.${place.name}`);
  useEffect(() => {
    document.title = `${title} · ${appTitle}`;
  }, [title]);
  const isRefused =
    typeof place.access !== 'string' &&
    me !== undefined &&
    !place.access.some((wanted) => me.permissions.includes(wanted));
  if (isRefused)
    return <Screen title={title} state={{ kind: 'noPermission', permission: place.access[0] as string }} />;
  return children;
}
