import type { ReactNode } from 'react';
import { Link } from 'react-router';
import classes from './data-table.module.css';
import scrolling from './scroll-table.module.css';
import { useRowKeys } from './use-row-keys.ts';

export interface DataColumn<T> {
  key: string;
  label: string;
  cell: (row: T) => ReactNode;
  /** Hidden on narrow screens. */
  isExtra?: boolean;
}

interface Props<T> {
  label: string;
  rows: readonly T[];
  idOf: (row: T) => string;
  name: { label: string; of: (row: T) => string; to: (row: T) => string; below?: (row: T) => ReactNode };
  columns: readonly DataColumn<T>[];
  actions?: { label: string; of: (row: T) => ReactNode };
  /** Deletes a row after confirmation, or states why that is not possible. */
  onDelete?: ((row: T) => void) | undefined;
}

/** A list of profiles, users or roles: a name that links to the form, a few columns, a menu. */
export function DataTable<T>({ label, rows, idOf, name, columns, actions, onDelete }: Props<T>) {
  useRowKeys(rows.length, {
    ...(onDelete
      ? {
          onDelete: (at: number) => {
            const row = rows[at];
            if (row) onDelete(row);
          },
        }
      : {}),
  });
  return (
    <div className={`card ${scrolling.scroll}`}>
      <table className={`${scrolling.table} ${classes.table}`} aria-label={label}>
        <thead>
          <tr>
            <th>{name.label}</th>
            {columns.map((column) => (
              <th key={column.key} data-extra={column.isExtra || undefined}>
                {column.label}
              </th>
            ))}
            {actions && (
              <th>
                <span className="visually-hidden">{actions.label}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={idOf(row)}>
              <td>
                <Link to={name.to(row)} className={classes.link} data-row={at}>
                  {name.of(row)}
                </Link>
                {name.below && <div className={classes.below}>{name.below(row)}</div>}
              </td>
              {columns.map((column) => (
                <td key={column.key} data-extra={column.isExtra || undefined}>
                  {column.cell(row)}
                </td>
              ))}
              {actions && <td className={classes.more}>{actions.of(row)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
