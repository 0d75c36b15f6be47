import type { HostSubscriber } from '@pdf2press/contract';
import type { Columns } from '../frame/csv.ts';

export const subscriberColumns: Columns<HostSubscriber> = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  isActive: ({ isActive }) => isActive,
  createdAt: ({ createdAt }) => createdAt,
  plan: ({ plan }) => plan.name,
  sessionsThisMonth: ({ usage }) => usage.sessionsPerMonth,
  sessionsPerMonth: ({ plan }) => plan.quotas.sessionsPerMonth,
  storedBytes: ({ usage }) => usage.storageBytes,
  storageBytes: ({ plan }) => plan.quotas.storageBytes,
  activeUsers: ({ usage }) => usage.users,
  users: ({ plan }) => plan.quotas.users,
  uploadBytes: ({ plan }) => plan.quotas.uploadBytes,
  features: ({ features }) => features.join(' '),
};
