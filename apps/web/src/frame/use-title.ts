import { useEffect } from 'react';
import { appTitle } from '../constants.ts';

/** Sets the window title to the heading of the page and whose it is; does nothing while the heading is empty. */
export function useTitle(title: string, house: string = appTitle): void {
  useEffect(() => {
    if (title) document.title = `${title} · ${house}`;
  }, [title, house]);
}
