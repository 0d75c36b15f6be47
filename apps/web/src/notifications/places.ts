import { IconBell } from '@tabler/icons-react';
import { form, type Place } from '../frame/place.ts';

export const notificationPlaces: readonly Place[] = [
  {
    name: 'notification',
    path: '/notification',
    ...form,
    access: 'signedIn',
    nav: { key: 'notifications', group: 'system', rank: 20, icon: IconBell },
    load: async () => (await import('./notifications-screen.tsx')).NotificationsScreen,
  },
];
