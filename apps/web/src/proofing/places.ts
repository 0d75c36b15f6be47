import { IconUserCheck } from '@tabler/icons-react';
import { listAndForm } from '../frame/place.ts';

export const proofingPlaces = listAndForm({
  name: 'proofing',
  nav: { key: 'proofing', group: 'profiles', rank: 40, icon: IconUserCheck },
  access: ['proofing.view'],
  loadList: async () => (await import('./proofing-profiles-screen.tsx')).ProofingProfilesScreen,
  loadForm: async () => (await import('./proofing-profile-screen.tsx')).ProofingProfileScreen,
});
