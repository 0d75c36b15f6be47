import { IconMessage } from '@tabler/icons-react';
import { listAndForm } from '../frame/place.ts';

export const communicationPlaces = listAndForm({
  name: 'communication',
  nav: { key: 'communication', group: 'profiles', rank: 60, icon: IconMessage },
  access: ['communication.view'],
  loadList: async () => (await import('./communication-profiles-screen.tsx')).CommunicationProfilesScreen,
  loadForm: async () => (await import('./communication-profile-screen.tsx')).CommunicationProfileScreen,
});
