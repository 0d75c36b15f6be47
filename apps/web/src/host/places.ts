import { IconBuilding, IconHistory, IconSparkles } from '@tabler/icons-react';
import { form, listAndForm, type Place } from '../frame/place.ts';

/** The area of who administers the installation. */
export const hostPlaces: readonly Place[] = [
  ...listAndForm({
    name: 'host',
    nav: { key: 'host', group: 'system', rank: 90, icon: IconBuilding },
    access: ['host.subscribers.manage'],
    loadList: async () => (await import('./subscribers-screen.tsx')).SubscribersScreen,
    loadForm: async () => (await import('./subscriber-screen.tsx')).SubscriberScreen,
  }),
  {
    name: 'backups',
    path: '/backups',
    ...form,
    access: ['host.maintenance'],
    nav: { key: 'backups', group: 'system', rank: 91, icon: IconHistory },
    load: async () => (await import('./backups-screen.tsx')).BackupsScreen,
  },
  {
    name: 'releases',
    path: '/releases',
    ...form,
    access: ['host.maintenance'],
    nav: { key: 'releases', group: 'system', rank: 92, icon: IconSparkles },
    load: async () => (await import('./releases-screen.tsx')).ReleasesScreen,
  },
];
