import { IconUsers } from '@tabler/icons-react';
import { listAndForm } from '../frame/place.ts';

export const userPlaces = listAndForm({
  name: 'user',
  nav: { key: 'users', group: 'people', rank: 20, icon: IconUsers },
  access: ['users.view'],
  loadList: async () => (await import('./users-screen.tsx')).UsersScreen,
  loadForm: async () => (await import('./user-screen.tsx')).UserScreen,
});
