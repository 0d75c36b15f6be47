import type { HostSubscriber } from '@pdf2press/contract';
import { cell } from '../sessions/csv.ts';

const columns: Record<string, (one: HostSubscriber) => string | number | boolean | null> = {
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

/** The byte order mark makes spreadsheets read the file as UTF-8. */
export const subscriberCsvHead = `\ufeff${Object.keys(columns).join(',')}\r\n`;
export const subscriberCsvLine = (one: HostSubscriber): string =>
  `${Object.values(columns)
    .map((value) => cell(value(one)))
    .join(',')}\r\n`;
