import { IconBuilding } from '@tabler/icons-react';
import { listAndForm } from '../frame/place.ts';

export const organizationPlaces = listAndForm({
  name: 'organization',
  nav: { key: 'organizations', group: 'people', rank: 10, icon: IconBuilding },
  access: ['organizations.view'],
  loadList: async () => (await import('./organizations-screen.tsx')).OrganizationsScreen,
  loadForm: async () => (await import('./organization-screen.tsx')).OrganizationScreen,
});
