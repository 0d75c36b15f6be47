import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { setPreferences, usePreferences } from '../preferences/preferences.ts';
import { useTheme } from '../preferences/use-theme.ts';
import { openDialog } from './open-dialog.ts';
import { hearKeys, useShortcuts } from './shortcuts.ts';

/** Keys that work on every signed-in page. */
export function useFrameShortcuts(): void {
  const navigate = useNavigate();
  const theme = useTheme();
  const isCollapsed = usePreferences((preferences) => preferences.navigationCollapsed);
  useEffect(() => {
    document.addEventListener('keydown', hearKeys);
    return () => document.removeEventListener('keydown', hearKeys);
  }, []);
  useShortcuts('keys.everywhere', [
    { keys: 'ctrl+k', label: 'keys.palette', isEverywhere: true, run: () => openDialog('palette') },
    { keys: '?', label: 'keys.sheet', run: () => openDialog('shortcuts') },
    { keys: 'g d', label: 'keys.dashboard', run: () => void navigate('/dashboard') },
    { keys: 'g s', label: 'keys.sessions', run: () => void navigate('/workflows/sessions') },
    { keys: 'g w', label: 'keys.workflows', run: () => void navigate('/workflows') },
    { keys: 't', label: 'keys.theme', run: () => setPreferences({ theme: theme === 'dark' ? 'light' : 'dark' }) },
    { keys: '[', label: 'keys.collapse', run: () => setPreferences({ navigationCollapsed: !isCollapsed }) },
  ]);
}
