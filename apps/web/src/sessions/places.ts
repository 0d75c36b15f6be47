import { IconFileDescription } from '@tabler/icons-react';
import { list, type Place } from '../frame/place.ts';
import { askForSession, askForSessions } from './ask-early.ts';

const shared = {
  ...list,
  access: ['sessions.view'],
  nav: { key: 'sessions', group: 'work', rank: 20, icon: IconFileDescription, letter: 's' },
} as const;

export const sessionPlaces: readonly Place[] = [
  {
    name: 'sessions',
    path: '/workflows/sessions',
    ...shared,
    load: async () => (await import('./sessions-screen.tsx')).SessionsScreen,
    ask: askForSessions,
  },
  {
    name: 'session-view',
    path: '/workflows/session/:id',
    ...shared,
    height: 'fixed',
    load: async () => (await import('./session-screen.tsx')).SessionScreen,
    ask: askForSession,
  },
];
