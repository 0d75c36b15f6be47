import { IconChecklist } from '@tabler/icons-react';
import { listAndForm } from '../frame/place.ts';

export const preflightPlaces = listAndForm({
  name: 'preflight',
  nav: { key: 'preflight', group: 'profiles', rank: 10, icon: IconChecklist },
  access: ['preflight.view'],
  loadList: async () => (await import('./preflight-profiles-screen.tsx')).PreflightProfilesScreen,
  loadForm: async () => (await import('./preflight-profile-screen.tsx')).PreflightProfileScreen,
});
