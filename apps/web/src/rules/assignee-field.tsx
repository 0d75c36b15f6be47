import { Select } from '@mantine/core';
import { roleRoutes, userRoutes } from '@pdf2press/contract/calls';
import type { FieldEditorProps } from '@pdf2press/ui';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useMay } from '../account/use-me.ts';
import { useCall } from '../client/queries.ts';

/** The roles, and the people who can sign in. */
function useAssignees() {
  const { t } = useTranslation();
  const may = useMay();
  const roles = useCall(roleRoutes.list, undefined, { enabled: may('roles.view') }).data ?? [];
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

/** The editor of a setting that names a person or a role; nobody in particular when it is cleared. */
export function AssigneeField({ name, path, control, words, fault, isReadOnly = false }: FieldEditorProps) {
  const { t } = useTranslation();
  const { field } = useController({ control, name });
  const groups = useAssignees();
  const chosen = typeof field.value === 'string' && field.value !== '' ? field.value : null;
  const isKnown = chosen === null || groups.some(({ items }) => items.some(({ value }) => value === chosen));
  return (
    <Select
      label={words.label(path)}
      description={words.help(path)}
      placeholder={t('rules.nobody')}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('common.clear') }}
      nothingFoundMessage={t('state.noMatch')}
      data-field={name}
      disabled={isReadOnly}
      error={fault}
      data={isKnown ? groups : [...groups, { group: '', items: [{ value: chosen, label: chosen }] }]}
      value={chosen}
      onChange={field.onChange}
    />
  );
}
