import { IconBuilding } from '@tabler/icons-react';
import { listAndForm } from '../frame/place.ts';

/** The area of who administers the installation. */
export const hostPlaces = listAndForm({
  name: 'host',
  nav: { key: 'host', group: 'system', rank: 90, icon: IconBuilding },
  access: ['host.subscribers.manage'],
  loadList: async () => (await import('./subscribers-screen.tsx')).SubscribersScreen,
  loadForm: async () => (await import('./subscriber-screen.tsx')).SubscriberScreen,
});
