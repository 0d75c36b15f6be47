import type { Role } from '@pdf2press/contract';
import type { Columns } from '../frame/csv.ts';

export const roleColumns: Columns<Role> = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  isDefault: ({ isDefault }) => isDefault,
  isStatic: ({ isStatic }) => isStatic,
  requiresSecondFactor: ({ requiresSecondFactor }) => requiresSecondFactor,
  users: ({ userCount }) => userCount,
  permissions: ({ permissions }) => permissions.join(' '),
};
