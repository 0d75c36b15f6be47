import { keepInTab, readInTab } from '../client/tab-storage.ts';
import { preferenceKey } from '../preferences/kept.ts';

/** What a reload of the tab needs to go on. */
interface Kept {
  slug: string;
  code: string;
  visit: string;
}

const keyOf = (slug: string): string => preferenceKey(`upload-${slug}`);

/** The storage of the tab: it ends with it, and no other tab goes on with the same visit. */
export const keepVisit = (kept: Kept): void => keepInTab(keyOf(kept.slug), kept);
export const keptVisit = (slug: string): Kept | null => readInTab<Kept>(keyOf(slug));
export const forgetVisit = (slug: string): void => keepInTab(keyOf(slug), null);
