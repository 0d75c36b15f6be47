import { userRoutes } from '@pdf2press/contract/calls';
import { useTranslation } from 'react-i18next';
import { useMay } from '../account/use-me.ts';
import { useCall } from '../client/queries.ts';
import { useRoles } from '../roles/use-roles.ts';

/** The roles, and the people who can sign in. */
export function useAssignees() {
  const { t } = useTranslation();
  const may = useMay();
  const roles = useRoles() ?? [];
  const people =
    useCall(userRoutes.list, { query: { pageSize: 100 } }, { enabled: may('users.view') }).data?.items ?? [];
  return [
    { group: t('nav.roles'), items: roles.map(({ id, name }) => ({ value: id, label: name })) },
    {
      group: t('nav.users'),
      items: people
        .filter(({ isActive }) => isActive)
        .map(({ id, firstName, lastName, email }) => ({
          value: id,
          label: `${firstName} ${lastName}`.trim() || email,
        })),
    },
  ].filter(({ items }) => items.length > 0);
}
