import { IconCloud } from '@tabler/icons-react';
import { listAndForm, open, type Place } from '../frame/place.ts';

export const cloudStoragePlaces = listAndForm({
  name: 'cloud-storage',
  nav: { key: 'cloudStorage', group: 'profiles', rank: 80, icon: IconCloud },
  access: ['cloudStorage.view'],
  feature: 'CloudInjection',
  loadList: async () => (await import('./cloud-storages-screen.tsx')).CloudStoragesScreen,
  loadForm: async () => (await import('./cloud-storage-screen.tsx')).CloudStorageScreen,
});

export const cloudCallbackPlaces: readonly Place[] = [
  {
    name: 'cloud-storage-callback',
    path: '/cloud-storage/callback',
    ...open,
    load: async () => (await import('./cloud-callback-screen.tsx')).CloudCallbackScreen,
  },
];
