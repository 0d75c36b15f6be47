import { IconInbox } from '@tabler/icons-react';
import { list, type Place } from '../frame/place.ts';

export const arrivalPlaces: readonly Place[] = [
  {
    name: 'arrivals',
    path: '/arrivals',
    ...list,
    access: ['sessions.view'],
    nav: { key: 'arrivals', group: 'work', rank: 25, icon: IconInbox },
    load: async () => (await import('./arrivals-screen.tsx')).ArrivalsScreen,
  },
];
