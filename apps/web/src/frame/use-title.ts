import { useEffect } from 'react';
import { appTitle } from '../constants.ts';

/** Sets the window title to the heading of the page; does nothing while that is empty. */
export function useTitle(title: string): void {
  useEffect(() => {
    if (title) document.title = `${title} · ${appTitle}`;
  }, [title]);
}
