import { Badge, Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type User, type UserSort, userSorts, userStates } from '@pdf2press/contract';
import { userRoutes } from '@pdf2press/contract/calls';
import {
  IconDeviceMobileOff,
  IconLockOpen,
  IconLogout,
  IconPencil,
  IconTableImport,
  IconTrash,
  IconUserPlus,
  IconUsers,
} from '@tabler/icons-react';
import { keepPreviousData } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { useMay, useMe } from '../account/use-me.ts';
import { call } from '../client/call.ts';
import { invalidate, useCall } from '../client/queries.ts';
import { Ago } from '../frame/ago.tsx';
import { confirm } from '../frame/confirm.ts';
import { type DataColumn, DataTable } from '../frame/data-table.tsx';
import { ExportButton } from '../frame/export-button.tsx';
import { listQuery, sortQuery, useListAddress } from '../frame/list-address.ts';
import { ListFilter } from '../frame/list-filter.tsx';
import { ListPager } from '../frame/list-pager.tsx';
import { ListSearch } from '../frame/list-search.tsx';
import { RowMenu } from '../frame/row-menu.tsx';
import { listState, Screen } from '../frame/screen.tsx';
import { useShortcuts } from '../frame/shortcuts.ts';
import { notify } from '../frame/toasts.tsx';
import { useRoles } from '../roles/use-roles.ts';

const ImportUsers = lazy(async () => ({ default: (await import('./import-users.tsx')).ImportUsers }));

export const fullName = (user: Pick<User, 'firstName' | 'lastName'>): string =>
  `${user.firstName} ${user.lastName}`.trim();
const userPath = (id: string) => `/user/edit/${encodeURIComponent(id)}`;

export function UsersScreen() {
  const { t } = useTranslation();
  const may = useMay();
  const me = useMe();
  const address = useListAddress();
  const roles = useRoles();
  const states = userStates.filter((state) => address.all('states').includes(state));
  const roleIds = address.all('roleIds');
  const query = {
    ...listQuery(address),
    ...sortQuery(address, userSorts),
    ...(states.length > 0 && { states: [...states] }),
    ...(roleIds.length > 0 && { roleIds }),
  };
  const list = useCall(userRoutes.list, { query }, { placeholderData: keepPreviousData });
  const state = listState(list, address, { icon: IconUsers, title: t('users.empty') });

  const act = async (done: string, doing: () => Promise<unknown>) => {
    try {
      await doing();
      notify.success(done);
    } catch (error) {
      notify.failure(error);
    }
    await invalidate(userRoutes.list);
  };
  const [isImporting, importing] = useDisclosure();
  const navigate = useNavigate();
  useShortcuts(
    'keys.list',
    may('users.manage') ? [{ keys: 'n', label: 'keys.new', run: () => void navigate('/user/new') }] : [],
  );
  const refusalOf = (user: User) => (user.id === me?.id ? t('users.notSelf') : null);
  const remove = async (user: User) => {
    const refusal = refusalOf(user);
    if (refusal) return notify.info(refusal);
    const name = fullName(user);
    const isSure = await confirm({
      title: t('users.deleteTitle', { name }),
      text: t('users.deleteText'),
      act: t('common.delete'),
      isDangerous: true,
    });
    if (isSure) await act(t('common.deleted', { name }), () => call(userRoutes.remove, { params: { id: user.id } }));
  };
  const resetSecondFactor = async (user: User) => {
    const name = fullName(user);
    const isSure = await confirm({
      title: t('users.resetSecondFactorTitle', { name }),
      text: t('users.resetSecondFactorText'),
      act: t('users.resetSecondFactor'),
      isDangerous: true,
    });
    if (!isSure) return;
    await act(t('users.secondFactorReset', { name }), () =>
      call(userRoutes.resetSecondFactor, { params: { id: user.id } }),
    );
  };
  return (
    <Screen
      title={t('nav.users')}
      actions={
        <>
          <ExportButton list={userRoutes.list} query={query} />
          {may('users.manage') && (
            <>
              <Button variant="default" leftSection={<IconTableImport size={16} />} onClick={importing.open}>
                {t('users.import')}
              </Button>
              <Button component={Link} to="/user/new" leftSection={<IconUserPlus size={16} />}>
                {t('users.new')}
              </Button>
            </>
          )}
        </>
      }
      toolbar={
        <Group>
          <ListSearch address={address} label={t('users.search')} />
          <ListFilter
            address={address}
            name="states"
            label={t('field.status')}
            options={userStates.map((value) => ({ value, label: t(`users.${value}`) }))}
          />
          {roles && (
            <ListFilter
              address={address}
              name="roleIds"
              label={t('nav.roles')}
              options={roles.map(({ id, name }) => ({ value: id, label: name }))}
            />
          )}
          {isImporting && (
            <Suspense>
              <ImportUsers isOpen onClose={importing.close} />
            </Suspense>
          )}
        </Group>
      }
      state={state}
    >
      <DataTable
        label={t('nav.users')}
        rows={list.data?.items ?? []}
        idOf={(user) => user.id}
        address={address}
        onDelete={may('users.delete') ? (user) => void remove(user) : undefined}
        name={{
          label: t('field.name'),
          sort: 'name' satisfies UserSort,
          of: fullName,
          to: (user) => userPath(user.id),
          below: (user) => user.email,
        }}
        columns={columnsOf(t)}
        actions={{
          label: t('list.actions'),
          of: (user) => (
            <RowMenu
              name={fullName(user)}
              acts={[
                may('users.manage') && { label: t('common.edit'), icon: IconPencil, to: userPath(user.id) },
                user.isLocked &&
                  may('users.unlock') && {
                    label: t('users.unlock'),
                    icon: IconLockOpen,
                    act: () =>
                      void act(t('users.unlocked', { name: fullName(user) }), () =>
                        call(userRoutes.unlock, { params: { id: user.id } }),
                      ),
                  },
                may('users.sessions.revoke') && {
                  label: t('users.signOut'),
                  icon: IconLogout,
                  act: () =>
                    void act(t('users.signedOut', { name: fullName(user) }), () =>
                      call(userRoutes.revokeSessions, { params: { id: user.id } }),
                    ),
                },
                user.hasSecondFactor &&
                  may('users.manage') && {
                    label: t('users.resetSecondFactor'),
                    icon: IconDeviceMobileOff,
                    act: () => void resetSecondFactor(user),
                  },
                may('users.delete') && {
                  label: t('common.delete'),
                  icon: IconTrash,
                  isDangerous: true,
                  refusal: refusalOf(user),
                  act: () => void remove(user),
                },
              ]}
            />
          ),
        }}
      />
      <ListPager address={address} total={list.data?.total ?? 0} />
    </Screen>
  );
}

const columnsOf = (t: TFunction): readonly DataColumn<User, UserSort>[] => [
  {
    key: 'state',
    label: t('field.status'),
    sort: 'state',
    cell: (user) => (
      <Badge
        miw="max-content"
        variant="light"
        tt="none"
        fw={550}
        color={user.isLocked ? 'error' : user.isActive ? 'success' : 'neutral'}
      >
        {t(user.isLocked ? 'users.locked' : user.isActive ? 'users.active' : 'users.inactive')}
      </Badge>
    ),
  },
  {
    key: 'roles',
    label: t('nav.roles'),
    sort: 'roles',
    isExtra: true,
    cell: (user) => user.roles.map((role) => role.name).join(', '),
  },
  {
    key: 'secondFactor',
    label: t('users.secondFactor'),
    sort: 'secondFactor',
    isExtra: true,
    cell: (user) => t(user.hasSecondFactor ? 'common.yes' : 'common.no'),
  },
  {
    key: 'login',
    label: t('users.lastLogin'),
    sort: 'lastLogin',
    isExtra: true,
    cell: (user) => <Text size="sm">{user.lastLoginAt ? <Ago at={user.lastLoginAt} /> : t('users.never')}</Text>,
  },
  {
    key: 'seen',
    label: t('users.lastSeen'),
    sort: 'lastSeen',
    isExtra: true,
    cell: (user) => <Text size="sm">{user.lastSeenAt ? <Ago at={user.lastSeenAt} /> : t('users.never')}</Text>,
  },
];
