import { mayOpen, type Place, placesOf } from './place.ts';

const ofFolders = import.meta.glob<Record<string, readonly Place[]>>(['../*/places.ts', '!../frame/*'], {
  eager: true,
});

/**
 * Every page of the app: what the `places.ts` of each folder exports. Routes, navigation, command palette, titles and the
 * checks of permissions and features are made from this list, which has the order of the navigation.
 */
export const places = placesOf(Object.values(ofFolders));

/** Where `/` leads: to the first entry of the navigation that the visitor may open, for most people the dashboard. */
export const homeOf = (held: Parameters<typeof mayOpen>[1]): string =>
  places.find((place) => place.nav && mayOpen(place, held))?.path ?? '/user/my-profile';
