import type { FeatureKey, Me, Permission } from '@pdf2press/contract';
import { authRoutes, systemRoutes } from '@pdf2press/contract/calls';
import { useCall } from '../client/queries.ts';

export const meRoute = authRoutes.me;

/** The signed-in user, or the permissions of the embedded page; undefined while loading. */
export const useMe = (isAsked = true): Me | undefined =>
  useCall(meRoute, undefined, { staleTime: 60_000, enabled: isAsked }).data;

/** Whether the visitor holds one of the permissions. */
export function useMay(): (...anyOf: Permission[]) => boolean {
  const held = new Set<string>(useMe()?.permissions);
  return (...anyOf) => anyOf.some((permission) => held.has(permission));
}

/** Whether the plan includes a feature; true while loading. */
export function useHasFeature(): (key: FeatureKey | undefined) => boolean {
  const { data } = useCall(systemRoutes.features, undefined, { staleTime: 300_000 });
  return (key) => !key || !data || data.some((feature) => feature.featureKey === key);
}
