import { IconTool } from '@tabler/icons-react';
import { listAndForm } from '../frame/place.ts';

export const fixPlaces = listAndForm({
  name: 'fix',
  nav: { key: 'fix', group: 'profiles', rank: 20, icon: IconTool },
  access: ['fix.view'],
  loadList: async () => (await import('./fix-profiles-screen.tsx')).FixProfilesScreen,
  loadForm: async () => (await import('./fix-profile-screen.tsx')).FixProfileScreen,
});
