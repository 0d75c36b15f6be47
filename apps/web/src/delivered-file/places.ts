import { open, type Place } from '../frame/place.ts';

export const deliveredFilePlaces: readonly Place[] = [
  {
    name: 'delivered-file',
    path: '/delivered/:secret',
    ...open,
    load: async () => (await import('./delivered-file-screen.tsx')).DeliveredFileScreen,
  },
];
