import { useSyncExternalStore } from 'react';
import { usePreferences } from './preferences.ts';

const darkQuery = () => window.matchMedia('(prefers-color-scheme: dark)');

function watch(onChange: () => void): () => void {
  const query = darkQuery();
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}

/** The theme that is shown: the visitor's choice, or what their system says. */
export function useTheme(): 'light' | 'dark' {
  const theme = usePreferences((preferences) => preferences.theme);
  const isSystemDark = useSyncExternalStore(watch, () => darkQuery().matches);
  return theme === 'system' ? (isSystemDark ? 'dark' : 'light') : theme;
}
