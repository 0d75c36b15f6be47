import { useState } from 'react';
import { createStore, type StoreApi, useStore } from 'zustand';
import classes from './sessions.module.css';

/** Ids of the ticked rows, in a store of their own so that ticking a row renders that row only. */
export type Ticks = StoreApi<ReadonlySet<string>>;

export const useTicks = (): Ticks => useState(() => createStore<ReadonlySet<string>>(() => new Set()))[0];

/** Ticks or unticks rows. */
export function tickRows(ticks: Ticks, ids: readonly string[], isTicked: boolean): void {
  const next = new Set(ticks.getState());
  for (const id of ids) {
    if (isTicked) next.add(id);
    else next.delete(id);
  }
  ticks.setState(next, true);
}

export const untickAll = (ticks: Ticks): void => {
  if (ticks.getState().size > 0) ticks.setState(new Set(), true);
};

interface TickBoxProps {
  label: string;
  isTicked: boolean;
  /** Some but not all rows are ticked. */
  isPartly?: boolean;
  onTick: (isTicked: boolean) => void;
}

/** A native checkbox: a page has up to a hundred, which may all change at once. */
export function TickBox({ label, isTicked, isPartly = false, onTick }: TickBoxProps) {
  return (
    <input
      type="checkbox"
      className={classes.box}
      aria-label={label}
      checked={isTicked}
      ref={(box) => {
        if (box) box.indeterminate = isPartly;
      }}
      onChange={(event) => onTick(event.currentTarget.checked)}
    />
  );
}

interface RowTickProps {
  ticks: Ticks;
  id: string;
  label: string;
}

/** Ticks one row. */
export function RowTick({ ticks, id, label }: RowTickProps) {
  const isTicked = useStore(ticks, (ids) => ids.has(id));
  return <TickBox label={label} isTicked={isTicked} onTick={(isOn) => tickRows(ticks, [id], isOn)} />;
}

/** Ticks all rows of the page. */
export function PageTick({ ticks, ids, label }: { ticks: Ticks; ids: readonly string[]; label: string }) {
  const count = useStore(ticks, (ticked) => ids.filter((id) => ticked.has(id)).length);
  const isTicked = count > 0 && count === ids.length;
  return (
    <TickBox
      label={label}
      isTicked={isTicked}
      isPartly={count > 0 && !isTicked}
      onTick={(isOn) => tickRows(ticks, ids, isOn)}
    />
  );
}
