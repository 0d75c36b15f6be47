import { IconLayoutGrid } from '@tabler/icons-react';
import { listAndForm } from '../frame/place.ts';

export const imposePlaces = listAndForm({
  name: 'impose',
  nav: { key: 'impose', group: 'profiles', rank: 30, icon: IconLayoutGrid },
  access: ['impose.view'],
  feature: 'Imposition',
  loadList: async () => (await import('./impose-profiles-screen.tsx')).ImposeProfilesScreen,
  loadForm: async () => (await import('./impose-profile-screen.tsx')).ImposeProfileScreen,
});
