import { useShortcuts } from './shortcuts.ts';

const rowOf = (element: Element | null): HTMLElement | null => element?.closest<HTMLElement>('[data-row]') ?? null;

/** Focuses the link of a row. */
export const focusRow = (row: number): void => document.querySelector<HTMLElement>(`[data-row="${row}"]`)?.focus();

/**
 * Keyboard shortcuts of a plain list: `j k` next and previous row, `e` opens the focused row, `n` creates, `Delete`
 * deletes after confirmation. The links of the rows carry their index as `data-row`.
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
