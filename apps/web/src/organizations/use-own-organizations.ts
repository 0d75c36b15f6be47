import { organizationRoutes } from '@pdf2press/contract/calls';
import { useCall } from '../client/queries.ts';

/** The organizations that the reader can make workflows and profiles for; undefined while loading. */
export const useOwnOrganizations = () => useCall(organizationRoutes.own, undefined, { staleTime: 60_000 }).data;
