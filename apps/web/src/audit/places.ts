import { IconHistory } from '@tabler/icons-react';
import { list, type Place } from '../frame/place.ts';

export const auditPlaces: readonly Place[] = [
  {
    name: 'audit',
    path: '/audit',
    ...list,
    access: ['audit.view'],
    nav: { key: 'audit', group: 'system', rank: 15, icon: IconHistory },
    load: async () => (await import('./audit-screen.tsx')).AuditScreen,
  },
];
