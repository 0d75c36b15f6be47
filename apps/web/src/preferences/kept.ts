import { appTitle } from '../constants.ts';

/** What is kept in local storage has a key of its own, under the name of the app. */
export const preferenceKey = (name: string): string => `${appTitle}-${name}`;

// Local storage can be forbidden by the browser; the app then works with the defaults.
function guarded<T>(act: () => T, fallback: T): T {
  try {
    return act();
  } catch {
    return fallback;
  }
}
export const readKey = (key: string): string | null => guarded(() => localStorage.getItem(key), null);
export const writeKey = (key: string, text: string): void =>
  guarded<void>(() => localStorage.setItem(key, text), undefined);
export const removeKey = (key: string): void => guarded<void>(() => localStorage.removeItem(key), undefined);
