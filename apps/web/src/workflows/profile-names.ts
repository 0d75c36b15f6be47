import type { ProfileKind, ProfileSummary } from '@pdf2press/contract';
import {
  communicationProfileRoutes,
  deliveryTargetRoutes,
  fixProfileRoutes,
  imposeProfileRoutes,
  preflightProfileRoutes,
  proofingProfileRoutes,
  renamingProfileRoutes,
  retentionProfileRoutes,
  sftpServerRoutes,
} from '@pdf2press/contract/calls';
import { createContext, useContext, useMemo } from 'react';
import { useMay } from '../account/use-me.ts';
import { useCall } from '../client/queries.ts';
import type { ProfileRoutes, UsedKind } from '../profiles/profiles-screen.tsx';

/** Kinds of profile that have routes and a form. */
export const profileRoutes: Readonly<Record<UsedKind, ProfileRoutes>> = {
  preflight: preflightProfileRoutes,
  fix: fixProfileRoutes,
  impose: imposeProfileRoutes,
  proofing: proofingProfileRoutes,
  communication: communicationProfileRoutes,
  renaming: renamingProfileRoutes,
  delivery: deliveryTargetRoutes,
  retention: retentionProfileRoutes,
  sftpServer: sftpServerRoutes,
};

export const isListed = (kind: ProfileKind | undefined): kind is UsedKind =>
  kind !== undefined && Object.hasOwn(profileRoutes, kind);

/** A page of profiles that holds all of them in practice; the select field searches among them. */
const most = 100;

const useList = (kind: UsedKind): readonly ProfileSummary[] | undefined => {
  const may = useMay();
  return useCall(profileRoutes[kind].list, { query: { pageSize: most } }, { enabled: may(`${kind}.view`) }).data?.items;
};

export type Profiles = Readonly<Record<UsedKind, readonly ProfileSummary[] | undefined>>;

/** The profiles that steps can name, by kind; undefined while they are on their way or may not be seen. */
export function useProfiles(): Profiles {
  const [preflight, fix, impose] = [useList('preflight'), useList('fix'), useList('impose')];
  const [proofing, communication] = [useList('proofing'), useList('communication')];
  const [renaming, retention, delivery] = [useList('renaming'), useList('retention'), useList('delivery')];
  const sftpServer = useList('sftpServer');
  return useMemo(
    () => ({ preflight, fix, impose, proofing, communication, renaming, retention, delivery, sftpServer }),
    [preflight, fix, impose, proofing, communication, renaming, retention, delivery, sftpServer],
  );
}

/**
 * The ids of known profiles by their kind, as the rules ask for them. Of a kind that may have more than were read nothing
 * is said: the server judges those.
 */
export function profileIdsOf(profiles: Profiles): Partial<Record<ProfileKind, ReadonlySet<string>>> {
  return Object.fromEntries(
    Object.entries(profiles).flatMap(([kind, list]) =>
      list && list.length < most ? [[kind, new Set(list.map(({ id }) => id))]] : [],
    ),
  );
}

/** The organization that the workflow or the profile is made for which is being edited; null = the whole house. */
const MadeForContext = createContext<string | null>(null);
export const MadeForNow = MadeForContext.Provider;
export const useMadeForNow = (): string | null => useContext(MadeForContext);

/** Whether a workflow of an organization, or of the house by null, may use a profile. */
export const isUsable = ({ organization }: Pick<ProfileSummary, 'organization'>, madeFor: string | null): boolean =>
  organization === null || organization.id === madeFor;

/** Profiles that are there for others than the workflow. */
export const elsewhereIdsOf = (profiles: Profiles, madeFor: string | null): ReadonlySet<string> =>
  new Set(
    Object.values(profiles).flatMap((list) =>
      (list ?? []).filter((profile) => !isUsable(profile, madeFor)).map(({ id }) => id),
    ),
  );

const NamesContext = createContext<ReadonlyMap<string, string>>(new Map());
export const ProfileNames = NamesContext.Provider;

/** The name of a profile by its id, for the steps on the canvas. */
export function useProfileNames(): (id: unknown) => string | null {
  const names = useContext(NamesContext);
  return (id) => (typeof id === 'string' ? (names.get(id) ?? null) : null);
}
