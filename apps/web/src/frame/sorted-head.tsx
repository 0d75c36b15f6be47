import { UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { type ListAddress, type SortStandard, sortedAs } from './list-address.ts';
import classes from './sorted-head.module.css';

const spoken = { asc: 'ascending', desc: 'descending' } as const;

/** The head of a column; where the server sorts by it, a button that does, and turns the order when pressed again. */
export function HeadCell({
  label,
  sort,
  isExtra,
  standard,
  address,
}: {
  label: string;
  sort?: string | undefined;
  isExtra?: boolean | undefined;
  /** How the rows are sorted while the address says nothing. */
  standard: SortStandard;
  address: ListAddress | undefined;
}) {
  const extra = isExtra || undefined;
  if (!address || sort === undefined) return <th data-extra={extra}>{label}</th>;
  const sorted = sortedAs(address, standard);
  const isSorted = sorted.sort === sort;
  const Arrow = sorted.direction === 'asc' ? IconArrowUp : IconArrowDown;
  return (
    <th data-extra={extra} aria-sort={isSorted ? spoken[sorted.direction] : 'none'}>
      <UnstyledButton
        className={classes.sort}
        onClick={() => address.change({ sort, direction: isSorted && sorted.direction === 'asc' ? 'desc' : null })}
      >
        {label}
        {isSorted && <Arrow size={14} aria-hidden />}
      </UnstyledButton>
    </th>
  );
}
