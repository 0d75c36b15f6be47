import type { User } from '@pdf2press/contract';
import type { Columns } from '../frame/csv.ts';

/** The names of roles and the like in one cell, as the import of users reads them. */
const listed = (names: readonly { name: string }[]): string => names.map(({ name }) => name).join('; ');

export const userColumns: Columns<User> = {
  id: ({ id }) => id,
  firstName: ({ firstName }) => firstName,
  lastName: ({ lastName }) => lastName,
  userName: ({ userName }) => userName,
  email: ({ email }) => email,
  phone: ({ phone }) => phone,
  locale: ({ locale }) => locale,
  isActive: ({ isActive }) => isActive,
  isLocked: ({ isLocked }) => isLocked,
  hasSecondFactor: ({ hasSecondFactor }) => hasSecondFactor,
  roles: ({ roles }) => listed(roles),
  createdAt: ({ createdAt }) => createdAt,
  lastLoginAt: ({ lastLoginAt }) => lastLoginAt,
  lastSeenAt: ({ lastSeenAt }) => lastSeenAt,
};
