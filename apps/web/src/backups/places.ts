import { IconDatabaseExport } from '@tabler/icons-react';
import { form, type Place } from '../frame/place.ts';

/** Backups of the installation, for its administrators. */
export const backupPlaces: readonly Place[] = [
  {
    name: 'backups',
    path: '/backups',
    ...form,
    access: ['host.maintenance'],
    nav: { key: 'backups', group: 'system', rank: 91, icon: IconDatabaseExport },
    load: async () => (await import('./backups-screen.tsx')).BackupsScreen,
  },
];
