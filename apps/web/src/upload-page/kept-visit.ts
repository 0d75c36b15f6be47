import { preferenceKey } from '../preferences/preferences.ts';

/** What a reload of the tab needs to go on. */
interface Kept {
  slug: string;
  code: string;
  visit: string;
}

const keyOf = (slug: string): string => preferenceKey(`upload-${slug}`);

// The storage of a page in another site's frame can be forbidden; a reload then begins anew.
function guarded<T>(act: () => T): T | null {
  try {
    return act();
  } catch {
    return null;
  }
}

/** The storage of the tab: it ends with it, and no other tab goes on with the same visit. */
export const keepVisit = (kept: Kept): void =>
  void guarded(() => sessionStorage.setItem(keyOf(kept.slug), JSON.stringify(kept)));
export const keptVisit = (slug: string): Kept | null =>
  guarded(() => JSON.parse(sessionStorage.getItem(keyOf(slug)) ?? 'null') as Kept | null);
export const forgetVisit = (slug: string): void => void guarded(() => sessionStorage.removeItem(keyOf(slug)));
