import { IconSettings } from '@tabler/icons-react';
import { form, type Place } from '../frame/place.ts';

export const settingsPlaces: readonly Place[] = [
  {
    name: 'settings',
    path: '/settings',
    ...form,
    access: ['settings.view'],
    nav: { key: 'settings', group: 'system', rank: 10, icon: IconSettings },
    load: async () => (await import('./settings-screen.tsx')).SettingsScreen,
  },
];
