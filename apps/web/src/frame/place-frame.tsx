import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../account/use-me.ts';
import { InPlan } from './in-plan.tsx';
import { mayOpen, type Place, titleOf } from './place.ts';
import { Screen } from './screen.tsx';

/** Around every screen: shows a refusal if the permission is missing and a notice if the plan lacks the feature. */
export function PlaceFrame({ place, children }: { place: Place; children: ReactNode }) {
  const { t } = useTranslation();
  const me = useMe(place.access !== 'public');
  if (me && !mayOpen(place, me)) {
    return <Screen title={t(titleOf(place))} state={{ kind: 'noPermission', permission: place.access[0] as string }} />;
  }
  return place.feature ? <InPlan feature={place.feature}>{children}</InPlan> : children;
}
