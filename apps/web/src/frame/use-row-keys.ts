import { useShortcuts } from './shortcuts.ts';

const rowOf = (element: Element | null): HTMLElement | null => element?.closest<HTMLElement>('[data-row]') ?? null;

/** Brings the keyboard to a row: to the link in it that carries the row's number. */
export const focusRow = (row: number): void => document.querySelector<HTMLElement>(`[data-row="${row}"]`)?.focus();

/**
 * The keys of a plain list, whose rows' links carry their number as `data-row`: `j k` go from row to row, `e` opens the one
 * that has the focus, `n` makes a new one, `Delete` deletes, which asks.
 */
export function useRowKeys(
  count: number,
  { onNew, onDelete }: { onNew?: () => void; onDelete?: (row: number) => void },
) {
  const here = () => Number(rowOf(document.activeElement)?.dataset.row ?? -1);
  const go = (by: number) => focusRow(Math.max(0, Math.min(count - 1, here() + by)));
  useShortcuts('keys.list', [
    ...(count > 0
      ? [
          { keys: 'j', label: 'keys.next', run: () => go(1) },
          { keys: 'k', label: 'keys.previous', run: () => go(-1) },
          { keys: 'e', label: 'keys.open', run: () => rowOf(document.activeElement)?.click() },
        ]
      : []),
    ...(onNew ? [{ keys: 'n', label: 'keys.new', run: onNew }] : []),
    ...(onDelete && count > 0
      ? [{ keys: 'Delete', label: 'keys.deleteRow', run: () => here() >= 0 && onDelete(here()) }]
      : []),
  ]);
}
