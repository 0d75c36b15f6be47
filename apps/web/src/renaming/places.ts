import { IconForms } from '@tabler/icons-react';
import { listAndForm } from '../frame/place.ts';

export const renamingPlaces = listAndForm({
  name: 'rename',
  nav: { key: 'renaming', group: 'profiles', rank: 90, icon: IconForms },
  access: ['renaming.view'],
  feature: 'FileRenaming',
  loadList: async () => (await import('./renaming-profiles-screen.tsx')).RenamingProfilesScreen,
  loadForm: async () => {
    const words = import('../workflows/step-words.ts').then(({ stepWords }) => stepWords());
    const [screen] = await Promise.all([import('./renaming-profile-screen.tsx'), words]);
    return screen.RenamingProfileScreen;
  },
});
