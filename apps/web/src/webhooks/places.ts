import { IconWebhook } from '@tabler/icons-react';
import { list, type Place } from '../frame/place.ts';

export const webhookPlaces: readonly Place[] = [
  {
    name: 'webhooks',
    path: '/webhooks',
    ...list,
    access: ['webhooks.manage'],
    nav: { key: 'webhooks', group: 'system', rank: 12, icon: IconWebhook },
    load: async () => (await import('./webhooks-screen.tsx')).WebhooksScreen,
  },
];
