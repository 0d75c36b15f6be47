import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../account/use-me.ts';
import { InPlan } from './in-plan.tsx';
import { mayOpen, type Place } from './places.ts';
import { Screen } from './screen.tsx';

/**
 * Around every screen: the refusal in place when the permission is missing, the notice when the plan lacks the feature.
 * Areas that come later refuse by themselves.
 */
export function PlaceFrame({ place, children }: { place: Place; children: ReactNode }) {
  const { t } = useTranslation();
  const me = useMe(place.access !== 'public');
  if (place.load && me && !mayOpen(place, me.permissions)) {
    const title = t(place.nav ? `nav.${place.nav}` : `title.${place.name}`);
    return <Screen title={title} state={{ kind: 'noPermission', permission: place.access[0] as string }} />;
  }
  return place.load && place.feature ? <InPlan feature={place.feature}>{children}</InPlan> : children;
}
