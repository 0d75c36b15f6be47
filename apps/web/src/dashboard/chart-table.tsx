import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import scrolling from '../frame/scroll-table.module.css';
import classes from './dashboard.module.css';

/** Turns a chart into its table, and back. */
export function TableToggle({
  title,
  isTable,
  onChange,
}: {
  title: string;
  isTable: boolean;
  onChange: (isTable: boolean) => void;
}) {
  const { t } = useTranslation();
  const text = t(isTable ? 'dashboard.asChart' : 'dashboard.asTable');
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      className={classes.toggle}
      aria-label={`${text}: ${title}`}
      aria-pressed={isTable}
      onClick={() => onChange(!isTable)}
    >
      {text}
    </Button>
  );
}

export interface ChartRow {
  key: string;
  name: ReactNode;
  /** What the name stands for in full. */
  title?: string;
  cells: readonly string[];
}

/** The figures of a chart, exactly. */
export function ChartTable({
  title,
  head,
  rows,
}: {
  title: string;
  /** Of all columns, that of the names first. */
  head: readonly string[];
  rows: readonly ChartRow[];
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <div className={scrolling.scroll} tabIndex={0}>
      <table className={classes.table} aria-label={title}>
        <thead>
          <tr>
            {head.map((label) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, title: full, cells }) => (
            <tr key={key}>
              <th scope="row" title={full}>
                {name}
              </th>
              {cells.map((cell, at) => (
                <td key={head[at + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
