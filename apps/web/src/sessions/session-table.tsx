import { Checkbox, UnstyledButton } from '@mantine/core';
import { type SessionListItem, sessionSorts } from '@pdf2press/contract';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { ListAddress } from '../frame/list-address.ts';
import { usePreferences } from '../preferences/preferences.ts';
import { type Column, columns } from './columns.tsx';
import { SessionRow } from './session-row.tsx';
import classes from './sessions.module.css';
import type { Selection } from './use-selection.ts';

interface Props {
  sessions: readonly SessionListItem[];
  address: ListAddress;
  selection: Selection;
  changed: ReadonlySet<string>;
}

export function SessionTable({ sessions, address, selection, changed }: Props) {
  const { t } = useTranslation();
  const hidden = usePreferences((preferences) => preferences.hiddenColumns);
  const shown = columns.filter((column) => column.isFixed || !hidden.includes(column.key));
  const { ids, setAll } = selection;
  return (
    <section className={`card ${classes.scroll}`} aria-label={t('nav.sessions')}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th className={classes.tick}>
              <Checkbox
                aria-label={t('list.selectAll')}
                checked={sessions.length > 0 && ids.size === sessions.length}
                indeterminate={ids.size > 0 && ids.size < sessions.length}
                onChange={(event) => setAll(event.currentTarget.checked)}
              />
            </th>
            <HeadCell address={address} column={{ key: 'fileName', label: 'fileName', sort: 'fileName' }} />
            {shown.map((column) => (
              <HeadCell key={column.key} address={address} column={column} />
            ))}
            <th>
              <span className="visually-hidden">{t('list.actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {sessions.map((session, at) => (
            <SessionRow
              key={session.id}
              session={session}
              columns={shown}
              selection={selection}
              at={at}
              isChanged={changed.has(session.id)}
            />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function HeadCell({ address, column }: { address: ListAddress; column: Pick<Column, 'key' | 'label' | 'sort'> }) {
  const { t } = useTranslation();
  const asked = address.one('sort');
  const sort = sessionSorts.find((one) => one === asked) ?? 'createdAt';
  const direction = address.one('direction') === 'asc' ? 'asc' : 'desc';
  const isSorted = column.sort === sort;
  const label = t(`field.${column.label}`);
  if (!column.sort) return <th>{label}</th>;
  const next = isSorted && direction === 'desc' ? 'asc' : 'desc';
  const Arrow = direction === 'asc' ? IconArrowUp : IconArrowDown;
  return (
    <th aria-sort={isSorted ? (direction === 'asc' ? 'ascending' : 'descending') : 'none'}>
      <UnstyledButton
        className={classes.sort}
        onClick={() => address.change({ sort: column.sort ?? null, direction: next })}
      >
        {label}
        {isSorted && <Arrow size={14} aria-hidden />}
      </UnstyledButton>
    </th>
  );
}
