import { Anchor, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { type MailboxState, mailboxSorts, type ProfileSummary } from '@pdf2press/contract';
import { mailboxRoutes } from '@pdf2press/contract/calls';
import { IconAlertTriangle, IconCopy, IconEye, IconMail, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { keepPreviousData } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { useMay } from '../account/use-me.ts';
import { call } from '../client/call.ts';
import { invalidate, useCall } from '../client/queries.ts';
import { Ago } from '../frame/ago.tsx';
import { confirm } from '../frame/confirm.ts';
import { type DataColumn, DataTable } from '../frame/data-table.tsx';
import { ExportButton } from '../frame/export-button.tsx';
import { listQuery, sortQuery, useListAddress } from '../frame/list-address.ts';
import { ListPager } from '../frame/list-pager.tsx';
import { ListSearch } from '../frame/list-search.tsx';
import { RowMenu } from '../frame/row-menu.tsx';
import { listState, Screen } from '../frame/screen.tsx';
import { useShortcuts } from '../frame/shortcuts.ts';
import { notify } from '../frame/toasts.tsx';
import { formatAgo, formatDue } from '../language/formats.ts';
import { MadeForFilter, madeForQuery, useMadeForColumn } from '../organizations/made-for-list.tsx';

/** What is shown changes by itself; asked for as often as mailboxes are looked into. */
const refreshMilliseconds = 15_000;
const path = '/email';

/** The mailboxes, and how the looking into each of them goes. */
export function MailboxesScreen() {
  const { t } = useTranslation();
  const may = useMay();
  const navigate = useNavigate();
  const address = useListAddress();
  const query = { ...listQuery(address), ...sortQuery(address, mailboxSorts), ...madeForQuery(address) };
  const list = useCall(mailboxRoutes.list, { query }, { placeholderData: keepPreviousData });
  const { data: states } = useCall(mailboxRoutes.states, {}, { refetchInterval: refreshMilliseconds });
  const byId = useMemo(() => new Map((states ?? []).map((state) => [state.id, state])), [states]);
  const mayManage = may('inboundEmail.manage');
  useShortcuts(
    'keys.list',
    mayManage ? [{ keys: 'n', label: 'keys.new', run: () => void navigate(`${path}/new`) }] : [],
  );
  const make = mayManage && (
    <Button component={Link} to={`${path}/new`} leftSection={<IconPlus size={16} />}>
      {t('mailbox.new')}
    </Button>
  );
  const madeFor = useMadeForColumn();
  const remove = useRemoval();
  const mayDelete = may('inboundEmail.delete');
  return (
    <Screen
      title={t('nav.email')}
      actions={
        <>
          <ExportButton list={mailboxRoutes.list} query={query} />
          {make}
        </>
      }
      toolbar={
        <Group>
          <ListSearch address={address} label={t('mailbox.search')} />
          <MadeForFilter address={address} />
        </Group>
      }
      state={listState(list, address, {
        icon: IconMail,
        title: t('mailbox.empty'),
        text: t('mailbox.emptyText'),
        action: make,
      })}
    >
      <DataTable
        label={t('nav.email')}
        rows={list.data?.items ?? []}
        idOf={({ id }) => id}
        address={address}
        onDelete={mayDelete ? (mailbox) => void remove(mailbox) : undefined}
        name={{
          label: t('field.name'),
          sort: 'name' satisfies Sort,
          of: ({ name }) => name,
          to: ({ id }) => `${path}/${mayManage ? 'edit' : 'view'}/${encodeURIComponent(id)}`,
          below: ({ description }) => description,
        }}
        columns={[...madeFor(t), ...columnsOf(t, byId)]}
        actions={{
          label: t('list.actions'),
          of: (mailbox) => (
            <RowMenu
              name={mailbox.name}
              acts={[
                mayManage
                  ? { label: t('common.edit'), icon: IconPencil, to: `${path}/edit/${mailbox.id}` }
                  : { label: t('common.view'), icon: IconEye, to: `${path}/view/${mailbox.id}` },
                mayManage && { label: t('common.copyOf'), icon: IconCopy, to: `${path}/copy/${mailbox.id}` },
                mayDelete && {
                  label: t('common.delete'),
                  icon: IconTrash,
                  isDangerous: true,
                  act: () => void remove(mailbox),
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

/** Deletes a mailbox after a question. */
function useRemoval() {
  const { t } = useTranslation();
  return async ({ id, name }: ProfileSummary) => {
    const isSure = await confirm({
      title: t('profiles.deleteTitle', { name }),
      text: t('mailbox.deleteText'),
      act: t('common.delete'),
      isDangerous: true,
    });
    if (!isSure) return;
    try {
      await call(mailboxRoutes.remove, { params: { id } });
      notify.success(t('common.deleted', { name }));
    } catch (error) {
      notify.failure(error);
    }
    await invalidate(mailboxRoutes.list, mailboxRoutes.states);
  };
}

type Sort = (typeof mailboxSorts)[number];

const columnsOf = (
  t: TFunction,
  states: ReadonlyMap<string, MailboxState>,
): readonly DataColumn<ProfileSummary, Sort>[] => [
  {
    key: 'workflow',
    label: t('mailbox.workflowId'),
    sort: 'workflow',
    cell: ({ id }) => states.get(id)?.workflow?.name ?? '',
    isExtra: true,
  },
  { key: 'state', sort: 'state', label: t('mailbox.state'), cell: ({ id }) => <State state={states.get(id)} /> },
  {
    key: 'lastLooked',
    label: t('mailbox.lastLooked'),
    sort: 'lastLooked',
    isExtra: true,
    cell: ({ id }) => {
      const at = states.get(id)?.lastLookedAt;
      return at ? <Ago at={at} /> : <Text size="sm">{t('mailbox.never')}</Text>;
    },
  },
];

/** How a mailbox does, and below it which variables it fills in vain. */
function State({ state }: { state: MailboxState | undefined }) {
  if (!state) return null;
  if (state.unfilled.length === 0) return <Doing state={state} />;
  return (
    <Stack gap={4} align="start">
      <Doing state={state} />
      {[...new Set(state.unfilled.map(({ message }) => message))].map((message) => (
        <Group key={message} gap={6} wrap="nowrap" align="start">
          <IconAlertTriangle
            size={16}
            aria-hidden
            style={{ color: 'var(--p2p-warning)', flexShrink: 0, marginTop: 3 }}
          />
          <Text size="sm">{message}</Text>
        </Group>
      ))}
    </Stack>
  );
}

/** A word for how a mailbox does, and below it why it does not. */
function Doing({ state }: { state: MailboxState }) {
  const { t } = useTranslation();
  const { paused, failing, lastLookedAt, nextLookAt } = state;
  if (paused === 'off')
    return (
      <Badge variant="light" tt="none" fw={550} color="neutral">
        {t('mailbox.off')}
      </Badge>
    );
  if (paused === 'connection')
    return (
      <Badge variant="light" tt="none" fw={550} color="warning">
        {t('cloud.notConnected')}
      </Badge>
    );
  if (paused === 'workflow') return <Text size="sm">{t('mailbox.noWorkflow')}</Text>;
  if (!failing)
    return (
      <Badge variant="light" tt="none" fw={550} color={lastLookedAt ? 'success' : 'info'}>
        {t(lastLookedAt ? 'mailbox.works' : 'mailbox.waiting')}
      </Badge>
    );
  const isSignIn = failing.code === 'source.signInNeeded';
  return (
    <Stack gap={2} align="start">
      <Badge variant="light" tt="none" fw={550} color="error">
        {isSignIn ? t('cloud.signInNeeded') : t('mailbox.failingSince', { when: formatAgo(failing.since) })}
      </Badge>
      <Text size="sm">{failing.message}</Text>
      {isSignIn && (
        // Above the link of the row, which covers it.
        <Anchor component={Link} size="sm" pos="relative" style={{ zIndex: 2 }} to={`${path}/edit/${state.id}`}>
          {t('cloud.reconnect')}
        </Anchor>
      )}
      {!isSignIn && nextLookAt && (
        <Text size="xs" c="dimmed">
          {t('mailbox.nextTry', { when: formatDue(nextLookAt) })}
        </Text>
      )}
    </Stack>
  );
}
