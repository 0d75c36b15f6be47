import { Button, Group, SegmentedControl, Text } from '@mantine/core';
import { type DueFile, type DueSort, dueSorts, type RetentionAction, retentionWindowDays } from '@pdf2press/contract';
import { retentionRoutes } from '@pdf2press/contract/calls';
import { IconArchive, IconClockPlus, IconGavel, IconMoodSmile, IconTrash } from '@tabler/icons-react';
import { keepPreviousData } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { useStore } from 'zustand';
import { useHasFeature, useMay } from '../account/use-me.ts';
import { call } from '../client/call.ts';
import { invalidate, useCall } from '../client/queries.ts';
import { confirm } from '../frame/confirm.ts';
import { ExportButton } from '../frame/export-button.tsx';
import { type ListAddress, listQuery, sortQuery, useListAddress } from '../frame/list-address.ts';
import { ListPager } from '../frame/list-pager.tsx';
import { ListSearch } from '../frame/list-search.tsx';
import { Screen, type ScreenState, stateOf } from '../frame/screen.tsx';
import scrolling from '../frame/scroll-table.module.css';
import { HeadCell } from '../frame/sorted-head.tsx';
import { notify } from '../frame/toasts.tsx';
import { formatSize, formatTime } from '../language/formats.ts';
import { sessionPath } from '../sessions/session-row.tsx';
import { PageTick, RowTick, type Ticks, untickAll, useTicks } from '../sessions/ticks.tsx';
import classes from './retention.module.css';

/** How much longer sessions are kept by one click, days. */
const longerDays = 30;

const columns = [
  { sort: 'name', label: 'field.name' },
  { sort: 'what', label: 'retention.what' },
  { sort: 'when', label: 'retention.when' },
  { sort: 'policy', label: 'retention.policy' },
  { sort: 'workflow', label: 'field.workflow' },
  { sort: 'size', label: 'retention.size' },
] as const satisfies readonly { sort: DueSort; label: string }[];

/** What is deleted within the next days, or is on legal hold: of all, of one policy, or of one session. */
export function DueFilesScreen() {
  const { t } = useTranslation();
  const { id = 'all', session } = useParams();
  const address = useListAddress();
  const isHeld = address.one('held') === 'true';
  const ticks = useTicks();
  const query = {
    ...listQuery(address),
    ...sortQuery(address, dueSorts),
    held: isHeld ? 'true' : 'false',
    ...(id !== 'all' && { policyId: id }),
    ...(session && { sessionId: session }),
  };
  const list = useCall(retentionRoutes.due, { query }, { placeholderData: keepPreviousData });
  const items = list.data?.items ?? [];
  const empty: ScreenState = address.search
    ? { kind: 'noMatch', onClear: () => address.change({ search: null }) }
    : {
        kind: 'empty',
        icon: IconMoodSmile,
        title: t(isHeld ? 'retention.noneHeld' : 'retention.nothing'),
        text: t(isHeld ? 'retention.noneHeldText' : 'retention.nothingText'),
      };
  const state = list.data?.items.length === 0 ? empty : stateOf(list);
  const policy = items.find((item) => item.policy?.id === id)?.policy;
  const title = t('retention.next', { days: retentionWindowDays });
  return (
    <Screen
      title={title}
      back={{ to: '/retention', label: t('nav.retention') }}
      aside={policy ? <Text c="dimmed">{policy.name}</Text> : undefined}
      state={state}
      actions={<ExportButton list={retentionRoutes.due} query={query} />}
      toolbar={<Toolbar {...{ address, isHeld, ticks }} />}
    >
      <div className={`card ${scrolling.scroll}`}>
        <table className={`${scrolling.table} ${classes.table}`} aria-label={title}>
          <thead>
            <tr>
              <th>
                <PageTick
                  ticks={ticks}
                  ids={[...new Set(items.map(({ sessionId }) => sessionId))]}
                  label={t('retention.tickAll')}
                />
              </th>
              {columns.map(({ sort, label }) => (
                <HeadCell key={sort} label={t(label)} sort={sort} standard={{ sort: 'when' }} address={address} />
              ))}
            </tr>
          </thead>
          <tbody>
            {items.map((item) => (
              <DueRow key={`${item.sessionId} ${item.part}`} item={item} ticks={ticks} />
            ))}
          </tbody>
        </table>
      </div>
      <ListPager address={address} total={list.data?.total ?? 0} />
    </Screen>
  );
}

function DueRow({ item, ticks }: { item: DueFile; ticks: Ticks }) {
  const { t } = useTranslation();
  const may = useMay();
  const { sessionId, fileName, part, dueAt, policy, workflow, bytes } = item;
  return (
    <tr>
      <td>
        <RowTick ticks={ticks} id={sessionId} label={t('retention.tick', { name: fileName })} />
      </td>
      <td className={classes.name}>
        {may('sessions.view') ? <Link to={sessionPath(sessionId)}>{fileName}</Link> : fileName}
      </td>
      <td>{t(`retention.part.${part}`)}</td>
      <td>
        <time dateTime={dueAt}>{formatTime(dueAt)}</time>
      </td>
      <td>{policy?.name ?? t('retention.ownDays')}</td>
      <td>{workflow}</td>
      <td className="tabular">{formatSize(bytes)}</td>
    </tr>
  );
}

function Toolbar({ address, isHeld, ticks }: { address: ListAddress; isHeld: boolean; ticks: Ticks }) {
  const { t } = useTranslation();
  const may = useMay();
  const hasFeature = useHasFeature();
  const ids = useStore(ticks, (ticked) => [...ticked].join(' '));
  const chosen = ids === '' ? [] : ids.split(' ');
  const act = async (action: RetentionAction) => {
    const isSure =
      action !== 'deleteNow' ||
      (await confirm({
        title: t('retention.deleteTitle', { count: chosen.length }),
        text: t('retention.deleteText'),
        act: t('retention.act.deleteNow'),
        isDangerous: true,
      }));
    if (!isSure) return;
    try {
      const results = await call(retentionRoutes.act, { body: { action, ids: chosen, days: longerDays } });
      const refused = results.find(({ success }) => !success);
      if (refused) notify.info(refused.error?.message ?? '');
      const done = results.filter(({ success }) => success).length;
      if (done > 0) notify.success(t(`retention.done.${action}`, { count: done }));
      untickAll(ticks);
    } catch (error) {
      notify.failure(error);
    }
    await invalidate(retentionRoutes.due);
  };
  if (chosen.length === 0)
    return (
      <Group>
        <ListSearch address={address} label={t('retention.search')} />
        <SegmentedControl
          className={classes.which}
          aria-label={t('retention.which')}
          data={[
            { value: 'false', label: t('retention.due') },
            { value: 'true', label: t('retention.held') },
          ]}
          value={String(isHeld)}
          onChange={(value) => address.change({ held: value === 'true' ? value : null })}
        />
      </Group>
    );
  return (
    <Group gap="xs" role="toolbar" aria-label={t('list.bulk')}>
      <Text fw={600} me="xs">
        {t('list.selected', { count: chosen.length })}
      </Text>
      {may('retention.manage') && (
        <>
          <Button size="xs" variant="default" leftSection={<IconClockPlus size={16} />} onClick={() => act('extend')}>
            {t('retention.act.extend', { days: longerDays })}
          </Button>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconGavel size={16} />}
            onClick={() => act(isHeld ? 'release' : 'hold')}
          >
            {t(isHeld ? 'retention.act.release' : 'retention.act.hold')}
          </Button>
        </>
      )}
      {may('sessions.archive') && hasFeature('Archiving') && !isHeld && (
        <Button size="xs" variant="default" leftSection={<IconArchive size={16} />} onClick={() => act('archiveNow')}>
          {t('retention.act.archiveNow')}
        </Button>
      )}
      {may('retention.delete') && !isHeld && (
        <Button
          size="xs"
          variant="default"
          c="var(--p2p-error)"
          leftSection={<IconTrash size={16} />}
          onClick={() => act('deleteNow')}
        >
          {t('retention.act.deleteNow')}
        </Button>
      )}
      <Button variant="subtle" size="xs" ms="auto" onClick={() => untickAll(ticks)}>
        {t('list.unselect')}
      </Button>
    </Group>
  );
}
