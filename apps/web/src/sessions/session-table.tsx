import { UnstyledButton } from '@mantine/core';
import type { SessionListItem } from '@pdf2press/contract';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { Header } from '@tanstack/react-table';
import { useTranslation } from 'react-i18next';
import type { SessionFeatures } from './columns.tsx';
import classes from './sessions.module.css';
import type { SessionTableModel } from './use-session-table.ts';

interface Props {
  table: SessionTableModel;
  /** The row that the keys stand on. */
  current: number;
  changed: ReadonlySet<string>;
}

export function SessionTable({ table, current, changed }: Props) {
  const { t } = useTranslation();
  return (
    <section className={`card ${classes.scroll}`} aria-label={t('nav.sessions')}>
      <table className={classes.table}>
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id}>
              {group.headers.map((header) => (
                <HeadCell key={header.id} table={table} header={header} />
              ))}
            </tr>
          ))}
        </thead>
        <tbody>
          {table.getRowModel().rows.map((row) => (
            <tr
              key={row.id}
              data-selected={row.getIsSelected() || undefined}
              data-current={current === row.index || undefined}
              data-changed={changed.has(row.id) || undefined}
              // A new key of the animation each time: the outline runs once per change.
              onAnimationEnd={(event) => event.currentTarget.removeAttribute('data-changed')}
            >
              {row.getVisibleCells().map((cell) => (
                <td key={cell.id} className={cell.column.columnDef.meta?.className}>
                  <table.FlexRender cell={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

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
