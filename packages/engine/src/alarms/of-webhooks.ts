import type { SubscriberAlarm } from './alarm.ts';

/** Webhooks that have switched themselves off, until a person switches them on or removes them. */
export const webhookDisabled: SubscriberAlarm = {
  of: 'subscriber',
  severity: 'Error',
  tells: 'webhooks.manage',
  leads: '/webhooks',
  look: async (tx) => {
    const rows = await tx.webhook.findMany({
      where: { disabledAt: { not: null } },
      select: { id: true, name: true, url: true },
    });
    return rows.map(({ id, name, url }) => ({ id, params: { name, host: new URL(url).host } }));
  },
};
