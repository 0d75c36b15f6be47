import type { FeatureKey, HostPermission, Me, Permission } from '@pdf2press/contract';
import { type ComponentType, createContext, useContext } from 'react';

export type Icon = ComponentType<{
  size?: number;
  stroke?: number;
  'aria-hidden'?: boolean;
  className?: string | undefined;
}>;

/** The groups of the navigation, in their order; the message key of a group is `nav.group.<group>`. */
export const navGroups = ['work', 'profiles', 'people', 'system'] as const;

/** An entry of the navigation. */
export interface NavItem {
  /** Its message key is `nav.<key>`. */
  key: string;
  group: (typeof navGroups)[number];
  /** The entries of a group stand in this order. */
  rank: number;
  icon: Icon;
  /** `g` and this letter lead there; the message key of that shortcut is `keys.<key>`. */
  letter?: string;
}

type Held = Permission | HostPermission;

export interface Place {
  name: string;
  path: string;
  layout: 'default' | 'blank';
  /** Public, for everybody who is signed in, or for holders of any one of the permissions, those of the installation too. */
  access: 'public' | 'signedIn' | readonly [Held, ...Held[]];
  /** Lists and the canvas use the whole width. */
  width?: 'fluid';
  /** No footer and a main area as high as the window: the canvas, the session. */
  height?: 'fixed';
  /** The highlighted entry of the navigation. It leads to the first place that names it. */
  nav?: NavItem;
  feature?: FeatureKey | undefined;
  /** The screen, in a chunk of its own. */
  load: () => Promise<ComponentType>;
  /** Requests what the screen will request first, as soon as its address is known. */
  ask?: (address: URL) => void;
}

/** A page for everyone who is signed in; a list uses the whole width. */
export const list = { layout: 'default', width: 'fluid' } as const;
export const form = { layout: 'default' } as const;
/** A page outside the frame that needs no sign-in. */
export const open = { layout: 'blank', access: 'public' } as const;

/** The list of a resource at `/<name>` and its form at `/<name>/:action/:id?`. */
export function listAndForm({
  name,
  nav,
  access,
  feature,
  loadList,
  loadForm,
}: {
  name: string;
  nav: NavItem;
  access: Place['access'];
  feature?: FeatureKey;
  loadList: Place['load'];
  loadForm: Place['load'];
}): readonly [Place, Place] {
  const shared = { nav, access, feature };
  return [
    { name, path: `/${name}`, ...list, ...shared, load: loadList },
    { name: `${name}-form`, path: `/${name}/:action/:id?`, ...form, ...shared, load: loadForm },
  ];
}

/** The message key of a place's name. */
export const titleOf = (place: Place): string => (place.nav ? `nav.${place.nav.key}` : `title.${place.name}`);

/** Whether someone with these permissions may open the place. */
export const mayOpen = ({ access }: Place, held?: Pick<Me, 'permissions' | 'hostPermissions'>): boolean =>
  typeof access === 'string' ||
  access.some((wanted) =>
    held?.permissions.concat(held.hostPermissions as Permission[]).includes(wanted as Permission),
  );

/** All places, for screens that offer them: a screen must not import the list that loads it. */
export const Places = createContext<readonly Place[]>([]);
export const usePlaces = (): readonly Place[] => useContext(Places);

const rankOf = ({ nav }: Place): number => (nav ? navGroups.indexOf(nav.group) * 1000 + nav.rank : Infinity);

/** The first place of each entry of the navigation. */
export const entrancesOf = (places: readonly Place[]): readonly Place[] =>
  places.filter(({ nav }, at) => nav && places.findIndex((place) => place.nav?.key === nav.key) === at);

/** The places that folders export, in the order of the navigation; those without an entry come last. */
export const placesOf = (folders: readonly Readonly<Record<string, readonly Place[]>>[]): readonly Place[] =>
  folders
    .flatMap((folder) => Object.values(folder).flat())
    .sort((one, other) => (rankOf(one) === rankOf(other) ? 0 : rankOf(one) - rankOf(other)));
