import { IconHistory } from '@tabler/icons-react';
import { list, listAndForm, type Place } from '../frame/place.ts';

const nav = { key: 'retention', group: 'profiles', rank: 70, icon: IconHistory } as const;
const access = ['retention.view'] as const;

export const retentionPlaces: readonly Place[] = [
  ...listAndForm({
    name: 'retention',
    nav,
    access,
    loadList: async () => (await import('./retention-profiles-screen.tsx')).RetentionProfilesScreen,
    loadForm: async () => {
      // The settings have the words of the step that uses them.
      const words = import('../workflows/step-words.ts').then(({ stepWords }) => stepWords());
      const [screen] = await Promise.all([import('./retention-profile-screen.tsx'), words]);
      return screen.RetentionProfileScreen;
    },
  }),
  {
    name: 'retention-files-details-id',
    path: '/retention/details/:id/:session?',
    ...list,
    access,
    nav,
    load: async () => (await import('./due-files-screen.tsx')).DueFilesScreen,
  },
];
