import { ActionIcon, Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { resultLevels, type SessionSource, sessionSources, sessionStatuses, wholeHouse } from '@pdf2press/contract';
import { sessionRoutes, workflowRoutes } from '@pdf2press/contract/calls';
import { IconChevronDown, IconColumns3, IconDownload, IconFilterOff } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../account/use-me.ts';
import { pathOf } from '../client/address.ts';
import { download } from '../client/call.ts';
import { useCall } from '../client/queries.ts';
import { Hint } from '../frame/hint.tsx';
import { LateMenu, LatePopover } from '../frame/late-menu.tsx';
import type { ListAddress } from '../frame/list-address.ts';
import { ListSearch } from '../frame/list-search.tsx';
import { notify } from '../frame/toasts.tsx';
import { useOwnOrganizations, useSeesSeveral } from '../organizations/use-own-organizations.ts';
import { workflowReaders } from './ask-early.ts';
import { isPeriod, periods, queryOfAddress } from './list-query.ts';
import classes from './sessions.module.css';
import type { SessionTableModel } from './use-session-table.ts';

/** Search, filters, columns and export. The columns are a preference; the rest is in the address. */
export function SessionFilters({ address, table }: { address: ListAddress; table: SessionTableModel }) {
  const { t } = useTranslation();
  const may = useMay();
  const seesWorkflows = workflowReaders.some((permission) => may(permission));
  const listed = { staleTime: 60_000, enabled: seesWorkflows };
  const workflows = useCall(workflowRoutes.list, { query: { pageSize: 100 } }, listed);
  const exportList = () => {
    const { page: _page, pageSize: _pageSize, ...query } = queryOfAddress(address);
    const columns = table.getVisibleLeafColumns().flatMap((column) => column.columnDef.meta?.exported ?? []);
    download(pathOf(sessionRoutes.export, {}, { ...query, columns }), 'sessions.csv').catch(notify.failure);
  };
  return (
    <div className={classes.filters}>
      <ListSearch address={address} label={t('sessions.search')} />
      <Filter
        name="status"
        address={address}
        label={t('field.status')}
        options={sessionStatuses.map((value) => ({ value, label: t(`status.${value}`) }))}
      />
      <Filter
        name="resultLevel"
        address={address}
        label={t('field.findings')}
        options={resultLevels.map((value) => ({ value, label: t(`findings.level.${value}`) }))}
      />
      {seesWorkflows && (
        <Filter
          name="workflowId"
          address={address}
          label={t('field.workflow')}
          options={(workflows.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      <OrganizationFilter address={address} />
      <Filter
        name="sourceType"
        address={address}
        label={t('field.sourceType')}
        options={(Object.keys(sessionSources) as SessionSource[]).map((value) => ({
          value,
          label: t(`source.${value}`),
        }))}
      />
      {may('proofs.view') && (
        <TextFilter
          name="customer"
          address={address}
          label={t('sessions.customer')}
          asked={t('sessions.customerAsked')}
          hint={t('sessions.customerAskedText')}
        />
      )}
      <DateFilter address={address} label={t('field.created')} />
      {address.isFiltered && (
        <Button variant="subtle" leftSection={<IconFilterOff size={16} />} onClick={address.clear}>
          {t('common.clearFilters')}
        </Button>
      )}
      <Group gap={4} ms="auto">
        <ColumnsMenu table={table} />
        {may('data.export') && (
          <Hint label={t('list.export')}>
            <ActionIcon variant="default" size={36} aria-label={t('list.export')} onClick={exportList}>
              <IconDownload size={18} />
            </ActionIcon>
          </Hint>
        )}
      </Group>
    </div>
  );
}

/** Offered where the reader sees sessions of several organizations. */
function OrganizationFilter({ address }: { address: ListAddress }) {
  const { t } = useTranslation();
  const own = useOwnOrganizations();
  if (!useSeesSeveral() || !own) return null;
  const house = { value: wholeHouse, label: t('madeFor.house') };
  const organizations = own.items.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Filter
      name="organizationId"
      address={address}
      label={t('field.organization')}
      options={own.isWhole ? [house, ...organizations] : organizations}
    />
  );
}

interface FilterButtonProps {
  label: string;
  count: number;
  /** Whether it filters although nothing is counted. */
  isOn?: boolean;
  children: ReactNode;
}

function FilterButton({ label, count, isOn = count > 0, children }: FilterButtonProps) {
  return (
    <LatePopover
      label={label}
      width={280}
      button={(opener) => (
        <Button
          {...opener}
          variant={isOn ? 'light' : 'default'}
          rightSection={<IconChevronDown size={14} aria-hidden />}
          px="sm"
        >
          {label}
          {count > 0 && ` · ${count}`}
        </Button>
      )}
    >
      {children}
    </LatePopover>
  );
}

interface FilterProps {
  name: string;
  address: ListAddress;
  label: string;
  options: readonly { value: string; label: string }[];
}

/** Some of a few values. */
export function Filter({ name, address, label, options }: FilterProps) {
  const chosen = address.all(name);
  const change = (values: readonly string[]) => address.change({ [name]: values });
  return (
    <FilterButton label={label} count={chosen.length}>
      <Checkbox.Group value={chosen} onChange={change} aria-label={label}>
        <Stack gap="xs" className={classes.options}>
          {options.map((option) => (
            <Checkbox key={option.value} value={option.value} label={option.label} />
          ))}
        </Stack>
      </Checkbox.Group>
    </FilterButton>
  );
}

interface TextFilterProps {
  name: string;
  address: ListAddress;
  label: string;
  /** Label and description of the field. */
  asked: string;
  hint: string;
}

/** Part of a name; it counts when it is entered. */
export function TextFilter({ name, address, label, asked, hint }: TextFilterProps) {
  const chosen = address.one(name) ?? '';
  const [text, setText] = useState(chosen);
  useEffect(() => setText(chosen), [chosen]);
  return (
    <FilterButton label={chosen ? `${label}: ${chosen}` : label} count={0} isOn={chosen !== ''}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          address.change({ [name]: text.trim() });
        }}
      >
        <TextInput
          type="search"
          label={asked}
          description={hint}
          value={text}
          maxLength={254}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </form>
    </FilterButton>
  );
}

/** A period counted from today, or days. */
export function DateFilter({ address, label }: { address: ListAddress; label: string }) {
  const { t } = useTranslation();
  const from = address.one('from') ?? '';
  const to = address.one('to') ?? '';
  const period = address.one('period');
  const chosen = isPeriod(period) ? period : null;
  return (
    <FilterButton
      label={chosen ? `${label}: ${t(`sessions.period.${chosen}`)}` : label}
      count={chosen ? 0 : Number(from !== '') + Number(to !== '')}
      isOn={chosen !== null}
    >
      <Stack gap="xs">
        <div className={classes.periods}>
          {periods.map((one) => (
            <Button
              key={one}
              size="compact-sm"
              variant={one === chosen ? 'filled' : 'default'}
              aria-pressed={one === chosen}
              onClick={() =>
                address.change({
                  period: one === chosen ? null : one,
                  from: null,
                  to: null,
                })
              }
            >
              {t(`sessions.period.${one}`)}
            </Button>
          ))}
        </div>
        <TextInput
          type="date"
          label={t('sessions.from')}
          value={from}
          max={to}
          onChange={(event) => address.change({ from: event.currentTarget.value, period: null })}
        />
        <TextInput
          type="date"
          label={t('sessions.to')}
          value={to}
          min={from}
          onChange={(event) => address.change({ to: event.currentTarget.value, period: null })}
        />
      </Stack>
    </FilterButton>
  );
}

function ColumnsMenu({ table }: { table: SessionTableModel }) {
  const { t } = useTranslation();
  return (
    <LateMenu
      button={(opener) => (
        <Hint label={t('list.columns')}>
          <ActionIcon {...opener} variant="default" size={36} aria-label={t('list.columns')}>
            <IconColumns3 size={18} />
          </ActionIcon>
        </Hint>
      )}
      entries={() =>
        table
          .getAllLeafColumns()
          .filter((column) => column.getCanHide())
          .map((column) => ({
            label: t(`field.${column.columnDef.meta?.label}`),
            isTicked: column.getIsVisible(),
            tick: (isVisible: boolean) => column.toggleVisibility(isVisible),
          }))
      }
    />
  );
}
