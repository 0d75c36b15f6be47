import { IconArchive } from '@tabler/icons-react';
import { listAndForm } from '../frame/place.ts';

export const archivingPlaces = listAndForm({
  name: 'archiving',
  nav: { key: 'archiving', group: 'profiles', rank: 90, icon: IconArchive },
  access: ['archiving.view'],
  feature: 'Archiving',
  loadList: async () => (await import('./archiving-profiles-screen.tsx')).ArchivingProfilesScreen,
  loadForm: async () => (await import('./archiving-profile-screen.tsx')).ArchivingProfileScreen,
});
