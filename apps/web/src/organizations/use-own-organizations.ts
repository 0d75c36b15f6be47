import { organizationRoutes } from '@pdf2press/contract/calls';
import { useCall } from '../client/queries.ts';

/** The organizations that the reader can make workflows and profiles for, and sees the sessions of; undefined while loading. */
export const useOwnOrganizations = () => useCall(organizationRoutes.own, undefined, { staleTime: 60_000 }).data;

/** Whether the reader sees sessions of several organizations; the house is one beside its organizations. */
export function useSeesSeveral(): boolean {
  const own = useOwnOrganizations();
  return own !== undefined && own.items.length + Number(own.isWhole) > 1;
}
