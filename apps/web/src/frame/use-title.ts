import { useEffect } from 'react';
import { appTitle } from '../constants.ts';

/** What the window, the tabs and the history call the page: as its heading does. Empty while that is not known. */
export function useTitle(title: string): void {
  useEffect(() => {
    if (title) document.title = `${title} · ${appTitle}`;
  }, [title]);
}
