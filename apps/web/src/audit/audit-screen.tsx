import { Button, Group, UnstyledButton } from '@mantine/core';
import { type AuditEntry, auditActs, auditKinds } from '@pdf2press/contract';
import { auditRoutes } from '@pdf2press/contract/calls';
import {
  IconAnchor,
  IconBraces,
  IconChevronDown,
  IconChevronRight,
  IconDownload,
  IconFilterOff,
  IconHistory,
  IconTable,
} from '@tabler/icons-react';
import { keepPreviousData } from '@tanstack/react-query';
import { Fragment, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../account/use-me.ts';
import { pathOf } from '../client/address.ts';
import { download } from '../client/call.ts';
import { useCall } from '../client/queries.ts';
import { LateMenu } from '../frame/late-menu.tsx';
import { type ListAddress, useListAddress } from '../frame/list-address.ts';
import { listState, Screen } from '../frame/screen.tsx';
import scrolling from '../frame/scroll-table.module.css';
import { notify } from '../frame/toasts.tsx';
import { formatTime } from '../language/formats.ts';
import { queryOfAddress } from '../sessions/list-query.ts';
import { DateFilter, Filter, TextFilter } from '../sessions/session-filters.tsx';
import sessions from '../sessions/sessions.module.css';
import classes from './audit.module.css';
import { ChainCheck } from './chain-check.tsx';
import { Changes } from './changes-table.tsx';

/** What the address asks for, without the place in the list. */
function filterOf(address: ListAddress) {
  const { from, to } = queryOfAddress(address) as Partial<Record<'from' | 'to', string>>;
  const many = <T extends string>(name: string, known: readonly T[]) => {
    const chosen = known.filter((value) => address.all(name).includes(value));
    return chosen.length > 0 ? { [name]: chosen } : {};
  };
  const [person, object] = [address.one('person'), address.one('object')];
  return {
    ...(person && { person }),
    ...(object && { object }),
    ...many('kind', auditKinds),
    ...many('act', auditActs),
    ...(from && { from }),
    ...(to && { to }),
  };
}

/** The entry behind or before which the list begins. */
function positionOf(address: ListAddress) {
  const [before, after] = [Number(address.one('before')), Number(address.one('after'))];
  return before > 0 ? { before } : after > 0 ? { after } : {};
}

/** Who did what, with what it changed, and whether the record of it is whole. */
export function AuditScreen() {
  const { t } = useTranslation();
  const may = useMay();
  const address = useListAddress();
  const filter = filterOf(address);
  const list = useCall(
    auditRoutes.list,
    { query: { ...filter, ...positionOf(address), limit: address.pageSize } },
    { placeholderData: keepPreviousData },
  );
  const { items = [], names = {}, older = null, newer = null } = list.data ?? {};
  return (
    <Screen
      title={t('nav.audit')}
      actions={may('audit.export') && <ExportMenu filter={filter} />}
      toolbar={
        <>
          <ChainCheck />
          <Filters address={address} />
        </>
      }
      state={listState(list, address, { icon: IconHistory, title: t('audit.empty') })}
    >
      <div className={`card ${scrolling.scroll}`}>
        <table className={`${scrolling.table} ${classes.table}`} aria-label={t('nav.audit')}>
          <thead>
            <tr>
              <th>{t('audit.at')}</th>
              <th>{t('audit.person')}</th>
              <th>{t('audit.act')}</th>
              <th>{t('audit.object')}</th>
            </tr>
          </thead>
          <tbody>
            {items.map((entry) => (
              <EntryRows key={entry.no} entry={entry} names={names} />
            ))}
          </tbody>
        </table>
      </div>
      {(older !== null || newer !== null) && (
        <Group justify="flex-end" gap="xs">
          <Button
            variant="default"
            size="xs"
            disabled={newer === null}
            onClick={() => address.change({ after: newer })}
          >
            {t('audit.newer')}
          </Button>
          <Button
            variant="default"
            size="xs"
            disabled={older === null}
            onClick={() => address.change({ before: older })}
          >
            {t('audit.older')}
          </Button>
        </Group>
      )}
    </Screen>
  );
}

function ExportMenu({ filter }: { filter: object }) {
  const { t } = useTranslation();
  const save = (format: 'csv' | 'json') => () =>
    void download(pathOf(auditRoutes.export, {}, { ...filter, format })).catch(notify.failure);
  const saveAnchors = () => void download(pathOf(auditRoutes.anchors)).catch(notify.failure);
  return (
    <LateMenu
      button={(opener) => (
        <Button {...opener} variant="default" leftSection={<IconDownload size={17} />}>
          {t('audit.export')}
        </Button>
      )}
      entries={() => [
        { label: t('audit.exportCsv'), icon: IconTable, act: save('csv') },
        { label: t('audit.exportJson'), icon: IconBraces, act: save('json') },
        { label: t('audit.exportAnchors'), icon: IconAnchor, act: saveAnchors },
      ]}
    />
  );
}

function Filters({ address }: { address: ListAddress }) {
  const { t } = useTranslation();
  const options = <T extends string>(values: readonly T[], kind: 'act' | 'kind') =>
    values
      .map((value) => ({ value, label: t(`audit.${kind}.${value}`) }))
      .sort((one, other) => one.label.localeCompare(other.label));
  return (
    <div className={sessions.filters}>
      <TextFilter
        name="person"
        address={address}
        label={t('audit.person')}
        asked={t('audit.personAsked')}
        hint={t('audit.personHint')}
      />
      <TextFilter
        name="object"
        address={address}
        label={t('audit.object')}
        asked={t('audit.objectAsked')}
        hint={t('audit.objectHint')}
      />
      <Filter name="kind" address={address} label={t('audit.kinds')} options={options(auditKinds, 'kind')} />
      <Filter name="act" address={address} label={t('audit.act')} options={options(auditActs, 'act')} />
      <DateFilter address={address} label={t('audit.at')} />
      {address.isFiltered && (
        <Button variant="subtle" leftSection={<IconFilterOff size={16} />} onClick={address.clear}>
          {t('common.clearFilters')}
        </Button>
      )}
    </div>
  );
}

/** An entry, and below it what it changed when it is opened. */
function EntryRows({ entry, names }: { entry: AuditEntry; names: Readonly<Record<string, string>> }) {
  const { t, i18n } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { at, act, actor, object } = entry;
  const Mark = isOpen ? IconChevronDown : IconChevronRight;
  const word = i18n.exists(`audit.act.${act}`) ? t(`audit.act.${act}`) : act;
  return (
    <Fragment>
      <tr data-open={isOpen || undefined}>
        <td className={classes.time}>
          <time dateTime={at}>{formatTime(at)}</time>
        </td>
        <td className={classes.name}>
          {actor.name ||
            t(i18n.exists(`audit.actor.${actor.kind}`) ? `audit.actor.${actor.kind}` : 'audit.actor.system')}
        </td>
        <td>
          <UnstyledButton
            className={classes.open}
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setOpen(!isOpen)}
          >
            <Mark size={16} aria-hidden />
            {word}
          </UnstyledButton>
        </td>
        <td className={classes.object}>
          {object.name ?? <span className={classes.id}>{object.id}</span>}
          {object.kind && <div className={classes.below}>{t(`audit.kind.${object.kind}`)}</div>}
        </td>
      </tr>
      <tr id={id} hidden={!isOpen} className={classes.detail}>
        <td colSpan={4}>{isOpen && <Changes entry={entry} names={names} />}</td>
      </tr>
    </Fragment>
  );
}
