import { IconHome2 } from '@tabler/icons-react';
import { form, type Place } from '../frame/place.ts';

export const dashboardPlaces: readonly Place[] = [
  {
    name: 'dashboard',
    path: '/dashboard',
    ...form,
    access: ['dashboard.view'],
    nav: { key: 'dashboard', group: 'work', rank: 10, icon: IconHome2, letter: 'd' },
    load: async () => (await import('./dashboard-screen.tsx')).DashboardScreen,
  },
];
