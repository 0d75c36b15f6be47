import { IconUserShield } from '@tabler/icons-react';
import { form, type Place } from '../frame/place.ts';

export const personPlaces: readonly Place[] = [
  {
    name: 'persons',
    path: '/persons',
    ...form,
    access: ['data.export', 'data.erase'],
    nav: { key: 'persons', group: 'people', rank: 40, icon: IconUserShield },
    load: async () => (await import('./persons-screen.tsx')).PersonsScreen,
  },
];
