import { UnstyledButton } from '@mantine/core';
import type { SessionListItem } from '@pdf2press/contract';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { Header, Row } from '@tanstack/react-table';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import scrolling from '../frame/scroll-table.module.css';
import type { SessionFeatures } from './columns.tsx';
import classes from './sessions.module.css';
import { PageTick, RowTick, type Ticks } from './ticks.tsx';
import type { SessionTableModel } from './use-session-table.ts';

interface Props {
  table: SessionTableModel;
  ticks: Ticks;
  /** The rows shown as selected: those ticked, once their boxes are painted. */
  marked: ReadonlySet<string>;
  /** The row selected by keyboard. */
  current: number;
  /** Number of live changes of each row. */
  changes: ReadonlyMap<string, number>;
}

export function SessionTable({ table, ticks, marked, current, changes }: Props) {
  const { t } = useTranslation();
  const { rows } = table.getRowModel();
  const columns = table
    .getVisibleLeafColumns()
    .map((column) => column.id)
    .join();
  return (
    <section className={`card ${scrolling.scroll}`} aria-label={t('nav.sessions')}>
      <table className={`${scrolling.table} ${classes.table}`}>
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id}>
              <th className={classes.tick}>
                <PageTick ticks={ticks} ids={rows.map((row) => row.id)} label={t('list.selectAll')} />
              </th>
              {group.headers.map((header) => (
                <HeadCell key={header.id} table={table} header={header} />
              ))}
            </tr>
          ))}
        </thead>
        <tbody>
          {rows.map((row) => (
            <SessionRow
              key={row.id}
              table={table}
              row={row}
              columns={columns}
              ticks={ticks}
              tickLabel={t('list.select', { name: row.original.fileName })}
              isMarked={marked.has(row.id)}
              isCurrent={current === row.index}
              changes={changes.get(row.id)}
            />
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface RowProps {
  table: SessionTableModel;
  row: Row<SessionFeatures, SessionListItem>;
  /** The ids of the columns that are shown. */
  columns: string;
  ticks: Ticks;
  tickLabel: string;
  isMarked: boolean;
  isCurrent: boolean;
  changes: number | undefined;
}

/** Table rows are recreated with every answer, but unchanged sessions keep their identity, so memo works on those. */
const isSame = (before: Pick<RowProps, 'row'>, after: Pick<RowProps, 'row'>): boolean =>
  before.row.original === after.row.original && before.row.index === after.row.index;

/** A row renders again when it is marked or its session changes; its cells only when the session changes. */
const SessionRow = memo(
  function SessionRow({ table, row, columns, ticks, tickLabel, isMarked, isCurrent, changes }: RowProps) {
    return (
      <tr
        data-selected={isMarked || undefined}
        data-current={isCurrent || undefined}
        // The key changes with each update, so that the highlight animation restarts.
        data-changed={changes}
        onAnimationEnd={(event) => event.currentTarget.removeAttribute('data-changed')}
      >
        <td className={classes.tick}>
          <RowTick ticks={ticks} id={row.id} label={tickLabel} />
        </td>
        <Cells table={table} row={row} columns={columns} />
      </tr>
    );
  },
  (before, after) =>
    isSame(before, after) &&
    before.columns === after.columns &&
    before.tickLabel === after.tickLabel &&
    before.isMarked === after.isMarked &&
    before.isCurrent === after.isCurrent &&
    before.changes === after.changes,
);

const Cells = memo(
  function Cells({ table, row }: Pick<RowProps, 'table' | 'row' | 'columns'>) {
    return row.getVisibleCells().map((cell) => (
      <td key={cell.id} className={cell.column.columnDef.meta?.className}>
        <table.FlexRender cell={cell} />
      </td>
    ));
  },
  (before, after) => isSame(before, after) && before.columns === after.columns,
);

const sortWords = { asc: 'ascending', desc: 'descending' } as const;

function HeadCell({ table, header }: { table: SessionTableModel; header: Header<SessionFeatures, SessionListItem> }) {
  const { t } = useTranslation();
  const { column } = header;
  const { label, className } = column.columnDef.meta ?? {};
  if (!label)
    return (
      <th className={className}>
        <table.FlexRender header={header} />
      </th>
    );
  if (!column.getCanSort()) return <th className={className}>{t(`field.${label}`)}</th>;
  const sorted = column.getIsSorted();
  const Arrow = sorted === 'asc' ? IconArrowUp : IconArrowDown;
  return (
    <th className={className} aria-sort={sorted ? sortWords[sorted] : 'none'}>
      <UnstyledButton className={classes.sort} onClick={() => column.toggleSorting()}>
        {t(`field.${label}`)}
        {sorted && <Arrow size={14} aria-hidden />}
      </UnstyledButton>
    </th>
  );
}
