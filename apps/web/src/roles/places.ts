import { IconShieldLock } from '@tabler/icons-react';
import { listAndForm } from '../frame/place.ts';

export const rolePlaces = listAndForm({
  name: 'role',
  nav: { key: 'roles', group: 'people', rank: 30, icon: IconShieldLock },
  access: ['roles.view'],
  loadList: async () => (await import('./roles-screen.tsx')).RolesScreen,
  loadForm: async () => (await import('./role-screen.tsx')).RoleScreen,
});
