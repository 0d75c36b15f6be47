import { IconCloud } from '@tabler/icons-react';
import { form, listAndForm, open, type Place } from './place.ts';

/*
 * Places with reserved addresses whose screens are not built yet. Administrators see that the page is planned; others see
 * "not found". A folder with the screen also declares its places.
 */

export const profiles: readonly Place[] = [
  ...listAndForm({
    name: 'cloud-storage',
    nav: { key: 'cloudStorage', group: 'profiles', rank: 80, icon: IconCloud },
    access: ['cloudStorage.view'],
    feature: 'CloudInjection',
  }),
];

export const others: readonly Place[] = [
  { name: 'test', path: '/test', ...form, access: ['settings.general.manage'] },
  { name: 'demo', path: '/demo', ...open },
  { name: 'demo-old', path: '/demonstration', ...open },
  { name: 'cloud-storage-callback', path: '/cloud-storage/callback', ...open },
  { name: 'email-callback', path: '/email/callback', ...open },
];
