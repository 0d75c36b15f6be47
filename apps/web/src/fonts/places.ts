import { IconTypography } from '@tabler/icons-react';
import { list, type Place } from '../frame/place.ts';

export const fontPlaces: readonly Place[] = [
  {
    name: 'fonts',
    path: '/fonts',
    ...list,
    access: ['fonts.view'],
    nav: { key: 'fonts', group: 'profiles', rank: 25, icon: IconTypography },
    load: async () => (await import('./fonts-screen.tsx')).FontsScreen,
  },
];
