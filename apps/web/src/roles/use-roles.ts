import type { Role } from '@pdf2press/contract';
import { roleRoutes } from '@pdf2press/contract/calls';
import { useMay } from '../account/use-me.ts';
import { useCall } from '../client/queries.ts';

/** A page that holds all roles in practice. */
const most = 100;

/** The roles, for fields that offer them; undefined while they are on their way or may not be seen. */
export function useRoles(): readonly Role[] | undefined {
  const may = useMay();
  return useCall(roleRoutes.list, { query: { pageSize: most } }, { enabled: may('roles.view') }).data?.items;
}
