import type { Unit } from '@pdf2press/contract';
import { systemRoutes } from '@pdf2press/contract/calls';
import { useCall } from '../client/queries.ts';
import { setPreferences, usePreferences } from './preferences.ts';

/** The unit for lengths: the visitor's preference, else the organization's. */
export function useUnit(): readonly [Unit, (unit: Unit) => void] {
  const own = usePreferences((preferences) => preferences.unit);
  const { data } = useCall(systemRoutes.appInfo, undefined, { staleTime: Number.POSITIVE_INFINITY });
  const unit = own ?? data?.defaultUnit ?? 'Millimeters';
  return [unit, (chosen) => setPreferences({ unit: chosen })];
}
