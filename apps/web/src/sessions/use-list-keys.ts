import type { SessionListItem } from '@pdf2press/contract';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useShortcuts } from '../frame/shortcuts.ts';
import { sessionPath } from './session-row.tsx';
import { type Ticks, tickRows } from './ticks.tsx';
import type { SessionTableModel } from './use-session-table.ts';

/**
 * Keyboard shortcuts of the list: `j k` move, `x` ticks, `Shift x` ticks a range, `e` opens, `n` creates, `Delete` deletes
 * the ticked rows or else the current one, `Escape` unticks. Returns the current row.
 */
export function useListKeys(
  table: SessionTableModel,
  ticks: Ticks,
  {
    onNew,
    onDelete,
    onUnselect,
  }: { onNew?: () => void; onDelete: (here: SessionListItem | undefined) => void; onUnselect: () => void },
) {
  const navigate = useNavigate();
  const [current, setCurrent] = useState(-1);
  const [anchor, setAnchor] = useState(0);
  const { rows } = table.getRowModel();
  const here = rows[current];
  const go = (by: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, current + by));
    setCurrent(next);
    document.querySelector<HTMLElement>(`[data-row="${next}"]`)?.focus();
  };
  const tick = () => {
    if (here) tickRows(ticks, [here.id], !ticks.getState().has(here.id));
    setAnchor(current);
  };
  const tickRange = () => {
    const [from, to] = [Math.min(anchor, current), Math.max(anchor, current)];
    const range = rows.slice(Math.max(0, from), to + 1).map((row) => row.id);
    tickRows(ticks, range, true);
  };
  useShortcuts('keys.list', [
    { keys: 'j', label: 'keys.next', run: () => go(1) },
    { keys: 'k', label: 'keys.previous', run: () => go(-1) },
    { keys: 'x', label: 'keys.select', run: tick },
    { keys: 'shift+x', label: 'keys.selectRange', run: tickRange },
    { keys: 'e', label: 'keys.open', run: () => here && void navigate(sessionPath(here.id)) },
    ...(onNew ? [{ keys: 'n', label: 'keys.new', run: onNew }] : []),
    { keys: 'Delete', label: 'keys.delete', run: () => onDelete(here?.original) },
    { keys: 'Escape', label: 'keys.unselect', run: onUnselect },
  ]);
  return current;
}
