import type { ReactNode } from 'react';
import { Link } from 'react-router';
import classes from './data-table.module.css';
import type { ListAddress } from './list-address.ts';
import scrolling from './scroll-table.module.css';
import { HeadCell } from './sorted-head.tsx';
import { useRowKeys } from './use-row-keys.ts';

export interface DataColumn<T, S extends string = string> {
  key: string;
  label: string;
  cell: (row: T) => ReactNode;
  /** Hidden on narrow screens. */
  isExtra?: boolean;
  /** The value of `sort` in the address by which the server sorts the rows by this column. */
  sort?: S;
}

interface Props<T> {
  label: string;
  rows: readonly T[];
  idOf: (row: T) => string;
  name: {
    label: string;
    sort?: string;
    of: (row: T) => string;
    /** Rows without a page of their own have none. */
    to?: (row: T) => string;
    before?: (row: T) => ReactNode;
    below?: (row: T) => ReactNode;
  };
  columns: readonly DataColumn<T>[];
  actions?: { label: string; of: (row: T) => ReactNode };
  /** Deletes a row after confirmation, or states why that is not possible. */
  onDelete?: ((row: T) => void) | undefined;
  /** Where sorting is kept; without it no column sorts. The rows are sorted by name until another order is chosen. */
  address?: ListAddress;
}

/** A list of profiles, users or roles: a name that links to the form, a few columns, a menu. */
export function DataTable<T>({ label, rows, idOf, name, columns, actions, onDelete, address }: Props<T>) {
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
            <HeadCell label={name.label} sort={name.sort} standard={{ sort: name.sort }} address={address} />
            {columns.map((column) => (
              <HeadCell
                key={column.key}
                label={column.label}
                sort={column.sort}
                isExtra={column.isExtra}
                standard={{ sort: name.sort }}
                address={address}
              />
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
                <span className={name.before && classes.marked}>
                  {name.before?.(row)}
                  {name.to ? (
                    <Link to={name.to(row)} className={classes.link} data-row={at}>
                      {name.of(row)}
                    </Link>
                  ) : (
                    <b>{name.of(row)}</b>
                  )}
                </span>
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
