import { Button, Select } from '@mantine/core';
import { type DashboardPeriod, dashboardPeriods } from '@pdf2press/contract';
import { dashboardRoutes, systemRoutes } from '@pdf2press/contract/calls';
import { IconDownload, IconFilterOff, IconUpload } from '@tabler/icons-react';
import { keepPreviousData } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../account/use-me.ts';
import { pathOf } from '../client/address.ts';
import { download } from '../client/call.ts';
import { useCall } from '../client/queries.ts';
import { type ListAddress, useListAddress } from '../frame/list-address.ts';
import { Masonry } from '../frame/masonry.tsx';
import { Screen, type ScreenState, stateOf } from '../frame/screen.tsx';
import { notify } from '../frame/toasts.tsx';
import { isCharged, OverageCard } from '../plan/overage-card.tsx';
import { openInjection } from '../uploads/injection.ts';
import { BusiestWorkflows, Findings, MostFailures, NeedsYou, StepTimes, Storage } from './cards.tsx';
import classes from './dashboard.module.css';
import { KeyFigures } from './key-figures.tsx';
import { filesOf } from './outcome-groups.ts';
import { OutcomesChart } from './outcomes-chart.tsx';

const FirstSteps = lazy(async () => ({ default: (await import('../setup-list/first-steps.tsx')).FirstSteps }));

const refreshMilliseconds = 60_000;
/** Narrowest width of a card, CSS pixels. */
const columnMin = 340;
const usual: DashboardPeriod = 'thisMonth';

const periodOf = (address: ListAddress): DashboardPeriod =>
  dashboardPeriods.find((period) => period === address.one('period')) ?? usual;

/** The local day of a moment, as the list of sessions has it in its address. */
const dayOf = (time: number): string => {
  const at = new Date(time);
  return [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
};

export function DashboardScreen() {
  const { t } = useTranslation();
  const may = useMay();
  const address = useListAddress();
  const period = periodOf(address);
  const workflowId = address.one('workflowId');
  const organizationId = address.one('organizationId');
  const query = {
    period,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...(workflowId && { workflowId }),
    ...(organizationId && { organizationId }),
  };
  const read = useCall(
    dashboardRoutes.read,
    { query },
    { placeholderData: keepPreviousData, refetchInterval: refreshMilliseconds },
  );
  const { data } = read;
  // Of the whole house, for those who see its storage.
  const { data: planned } = useCall(systemRoutes.plan, undefined, { enabled: Boolean(data?.storage) });
  const listOf = (question: string) =>
    `/workflows/sessions?${question}${workflowId ? `&workflowId=${encodeURIComponent(workflowId)}` : ''}`;
  const narrowed = (name: string) => (id: string) =>
    `?${new URLSearchParams({ ...(period !== usual && { period }), ...(workflowId && { workflowId }), ...(organizationId && { organizationId }), [name]: id })}`;
  const isNew =
    data !== undefined &&
    workflowId === null &&
    organizationId === null &&
    filesOf(data.outcomes) + filesOf(data.previous.outcomes) === 0;
  // Everything that the first steps ask about.
  const isAdministrator =
    may('settings.view') && may('users.manage') && may('workflows.create') && may('sessions.inject');
  const state: ScreenState = isNew
    ? {
        kind: 'empty',
        title: t('dashboard.empty'),
        text: t('dashboard.emptyText'),
        action: may('sessions.inject') && (
          <Button leftSection={<IconUpload size={17} />} onClick={() => openInjection()}>
            {t('sessions.new')}
          </Button>
        ),
      }
    : stateOf(read);
  const save = () => download(pathOf(dashboardRoutes.export, {}, query)).catch(notify.failure);
  return (
    <Screen
      title={t('nav.dashboard')}
      actions={
        <Button variant="default" leftSection={<IconDownload size={17} />} onClick={save}>
          {t('dashboard.export')}
        </Button>
      }
      toolbar={
        <>
          {isAdministrator && (
            <Suspense>
              <FirstSteps />
            </Suspense>
          )}
          <Filters address={address} choices={data?.choices} />
        </>
      }
      state={state}
    >
      {data && (
        <div className={classes.dashboard} data-loading={read.isPlaceholderData || undefined}>
          <KeyFigures dashboard={data} planned={planned} listOf={listOf} />
          <div className={classes.top}>
            <NeedsYou needs={data.needsYou} listOf={listOf} />
            <OutcomesChart
              dashboard={data}
              sessionsOf={(from, to) => listOf(`from=${dayOf(Date.parse(from))}&to=${dayOf(Date.parse(to) - 1)}`)}
            />
          </div>
          <Masonry columnMin={columnMin}>
            <Findings findings={data.findings} />
            <StepTimes steps={data.steps} />
            <BusiestWorkflows workflows={data.workflows} linkOf={narrowed('workflowId')} />
            <MostFailures organizations={data.organizations} linkOf={narrowed('organizationId')} />
            {data.storage && <Storage storage={data.storage} />}
            {planned && isCharged(planned) && <OverageCard plan={planned.plan} overage={planned.overage} />}
          </Masonry>
        </div>
      )}
    </Screen>
  );
}

function Filters({
  address,
  choices,
}: {
  address: ListAddress;
  choices: Record<'workflows' | 'organizations', readonly { id: string; name: string }[]> | undefined;
}) {
  const { t } = useTranslation();
  const data = (named: readonly { id: string; name: string }[] = []) =>
    named.map(({ id, name }) => ({ value: id, label: name }));
  const chosen = (name: string) => (address.one(name) === '' ? null : address.one(name));
  const isNarrowed = chosen('workflowId') !== null || chosen('organizationId') !== null;
  return (
    <div className={classes.filters}>
      <Select
        aria-label={t('dashboard.period')}
        allowDeselect={false}
        data={dashboardPeriods.map((value) => ({ value, label: t(`dashboard.periods.${value}`) }))}
        value={periodOf(address)}
        onChange={(period) => address.change({ period: period === usual ? null : period })}
      />
      <Select
        aria-label={t('field.workflow')}
        placeholder={t('dashboard.allWorkflows')}
        searchable
        clearable
        nothingFoundMessage={t('state.noMatch')}
        data={data(choices?.workflows)}
        value={chosen('workflowId')}
        onChange={(workflowId) => address.change({ workflowId })}
      />
      {(choices?.organizations.length ?? 0) > 0 && (
        <Select
          aria-label={t('dashboard.organization')}
          placeholder={t('dashboard.allOrganizations')}
          searchable
          clearable
          nothingFoundMessage={t('state.noMatch')}
          data={data(choices?.organizations)}
          value={chosen('organizationId')}
          onChange={(organizationId) => address.change({ organizationId })}
        />
      )}
      {isNarrowed && (
        <Button
          variant="subtle"
          leftSection={<IconFilterOff size={16} />}
          onClick={() => address.change({ workflowId: null, organizationId: null })}
        >
          {t('common.clearFilters')}
        </Button>
      )}
    </div>
  );
}
