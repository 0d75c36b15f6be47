import { Alert, Button, Stack, Text } from '@mantine/core';
import {
  type ArrivalSort,
  type ArrivedItem,
  arrivalOutcomes,
  arrivalSorts,
  type FailingSource,
  waysIn,
} from '@pdf2press/contract';
import { arrivalRoutes } from '@pdf2press/contract/calls';
import { IconFilterOff, IconInbox, IconPlugConnectedX } from '@tabler/icons-react';
import { keepPreviousData } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useCall } from '../client/queries.ts';
import { Ago } from '../frame/ago.tsx';
import { ExportButton } from '../frame/export-button.tsx';
import { type ListAddress, sortedAs, useListAddress } from '../frame/list-address.ts';
import { ListPager } from '../frame/list-pager.tsx';
import { ListSearch } from '../frame/list-search.tsx';
import { listState, Screen } from '../frame/screen.tsx';
import scrolling from '../frame/scroll-table.module.css';
import { HeadCell } from '../frame/sorted-head.tsx';
import { formatAgo, formatDue, formatSize } from '../language/formats.ts';
import { queryOfAddress } from '../sessions/list-query.ts';
import { DateFilter, Filter } from '../sessions/session-filters.tsx';
import sessions from '../sessions/sessions.module.css';
import classes from './arrivals.module.css';
import { Became } from './became.tsx';

/** What waits and what fails changes by itself. */
const refreshMilliseconds = 15_000;

/** Ways by which something arrives; what another workflow sends on was here before. */
const ways = waysIn.filter((way) => way !== 'previousWorkflow');

/** The newest come first until another order is chosen. */
const standard = { sort: 'at', direction: 'desc' } as const;
const columns = [
  { sort: 'at', label: 'arrivals.at' },
  { sort: 'name', label: 'field.name' },
  { sort: 'from', label: 'arrivals.from' },
  { sort: 'outcome', label: 'arrivals.outcome' },
] as const satisfies readonly { sort: ArrivalSort; label: string }[];

function queryOf(address: ListAddress) {
  const { page, pageSize, search, from, to } = queryOfAddress(address) as ReturnType<typeof queryOfAddress> &
    Partial<Record<'search' | 'from' | 'to', string>>;
  const many = <T extends string>(name: string, known: readonly T[]) => {
    const chosen = known.filter((value) => address.all(name).includes(value));
    return chosen.length > 0 ? { [name]: chosen } : {};
  };
  const sorted = sortedAs(address, standard);
  const sort = arrivalSorts.find((name) => name === sorted.sort);
  return {
    page,
    pageSize,
    ...(sort && { sort, direction: sorted.direction }),
    ...(search && { search }),
    ...(from && { from }),
    ...(to && { to }),
    ...many('way', ways),
    ...many('outcome', arrivalOutcomes),
  };
}

/** What arrived by every way in, and what became of it: where somebody's file is. */
export function ArrivalsScreen() {
  const { t } = useTranslation();
  const address = useListAddress();
  const query = queryOf(address);
  const list = useCall(
    arrivalRoutes.list,
    { query },
    { placeholderData: keepPreviousData, refetchInterval: refreshMilliseconds },
  );
  const failing = list.data?.failing ?? [];
  return (
    <Screen
      title={t('nav.arrivals')}
      actions={<ExportButton list={arrivalRoutes.list} query={query} />}
      toolbar={
        <Stack gap="sm">
          {failing.length > 0 && <Failing sources={failing} />}
          <Filters address={address} />
        </Stack>
      }
      state={listState(list, address, {
        icon: IconInbox,
        title: t('arrivals.empty'),
        text: t('arrivals.emptyText'),
      })}
    >
      <div className={`card ${scrolling.scroll}`}>
        <table className={`${scrolling.table} ${classes.table}`} aria-label={t('nav.arrivals')}>
          <thead>
            <tr>
              {columns.map(({ sort, label }) => (
                <HeadCell key={sort} label={t(label)} sort={sort} standard={standard} address={address} />
              ))}
            </tr>
          </thead>
          <tbody>
            {(list.data?.items ?? []).map((item) => (
              <ArrivedRow key={item.id} item={item} />
            ))}
          </tbody>
        </table>
      </div>
      {list.data?.isCut && (
        <Text size="sm" c="dimmed" role="note">
          {t('arrivals.cut')}
        </Text>
      )}
      <ListPager address={address} total={list.data?.total ?? 0} />
    </Screen>
  );
}

function Filters({ address }: { address: ListAddress }) {
  const { t } = useTranslation();
  return (
    <div className={sessions.filters}>
      <ListSearch address={address} label={t('arrivals.search')} />
      <Filter
        name="way"
        address={address}
        label={t('arrivals.from')}
        options={ways.map((value) => ({ value, label: t(`arrivals.way.${value}`) }))}
      />
      <Filter
        name="outcome"
        address={address}
        label={t('arrivals.outcome')}
        options={arrivalOutcomes.map((value) => ({ value, label: t(`arrivals.became.${value}`) }))}
      />
      <DateFilter address={address} label={t('arrivals.at')} />
      {address.isFiltered && (
        <Button variant="subtle" leftSection={<IconFilterOff size={16} />} onClick={address.clear}>
          {t('common.clearFilters')}
        </Button>
      )}
    </div>
  );
}

/** The sources that nothing can be taken from, and why. */
function Failing({ sources }: { sources: readonly FailingSource[] }) {
  const { t } = useTranslation();
  return (
    <Alert
      color="error"
      variant="light"
      icon={<IconPlugConnectedX size={20} />}
      role="status"
      title={t('arrivals.failing', { count: sources.length })}
    >
      <Stack gap={4}>
        {sources.map(({ id, way, place, since, nextTryAt, why }) => (
          <Text key={id} size="sm">
            {t('arrivals.failingSource', {
              way: t(`arrivals.way.${way}`),
              place,
              since: formatAgo(since),
              next: formatDue(nextTryAt),
              why: why.message,
            })}
          </Text>
        ))}
      </Stack>
    </Alert>
  );
}

function ArrivedRow({ item }: { item: ArrivedItem }) {
  const { t } = useTranslation();
  const { at, name, sizeBytes, way, source } = item;
  return (
    <tr>
      <td className={classes.time}>
        <Ago at={at} />
      </td>
      <td>
        <div className={classes.name}>{name || t('arrivals.noName')}</div>
        {sizeBytes !== null && <div className={classes.below}>{formatSize(sizeBytes)}</div>}
      </td>
      <td>
        {t(`arrivals.way.${way}`)}
        {source && <div className={classes.below}>{source}</div>}
      </td>
      <td>
        <Became item={item} />
      </td>
    </tr>
  );
}
