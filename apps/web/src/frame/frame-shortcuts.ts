import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { setPreferences, usePreferences } from '../preferences/preferences.ts';
import { useTheme } from '../preferences/use-theme.ts';
import { useNavigation } from './navigation.tsx';
import { openDialog } from './open-dialog.ts';
import { hearKeys, useShortcuts } from './shortcuts.ts';

/** Keys that work on every signed-in page. */
export function useFrameShortcuts(): void {
  const navigate = useNavigate();
  const theme = useTheme();
  const isCollapsed = usePreferences((preferences) => preferences.navigationCollapsed);
  const entries = useNavigation().flatMap((group) => group.entries);
  useEffect(() => {
    document.addEventListener('keydown', hearKeys);
    return () => document.removeEventListener('keydown', hearKeys);
  }, []);
  useShortcuts('keys.everywhere', [
    { keys: 'ctrl+k', label: 'keys.palette', isEverywhere: true, run: () => openDialog('palette') },
    { keys: '?', label: 'keys.sheet', run: () => openDialog('shortcuts') },
    ...entries.flatMap(({ key, letter, place }) =>
      letter ? [{ keys: `g ${letter}`, label: `keys.${key}`, run: () => void navigate(place.path) }] : [],
    ),
    { keys: 't', label: 'keys.theme', run: () => setPreferences({ theme: theme === 'dark' ? 'light' : 'dark' }) },
    { keys: '[', label: 'keys.collapse', run: () => setPreferences({ navigationCollapsed: !isCollapsed }) },
  ]);
}
