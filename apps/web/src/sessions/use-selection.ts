import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useShortcuts } from '../frame/shortcuts.ts';

export interface Selection {
  ids: ReadonlySet<string>;
  /** The row that the keys stand on. */
  current: number;
  set: (id: string, isOn: boolean) => void;
  setAll: (isOn: boolean) => void;
}

/** Rows that are ticked, and the keys of a list: `j k` move, `x` ticks, `Shift x` ticks a range, `Enter` opens. */
export function useSelection(
  ids: readonly string[],
  pathOf: (id: string) => string,
  more: { onNew?: () => void; onDelete?: () => void } = {},
): Selection {
  const navigate = useNavigate();
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [current, setCurrent] = useState(-1);
  const [anchor, setAnchor] = useState(0);
  const shown = new Set([...ticked].filter((id) => ids.includes(id)));
  const set = (id: string, isOn: boolean) => {
    const next = new Set(shown);
    if (isOn) next.add(id);
    else next.delete(id);
    setTicked(next);
    setAnchor(ids.indexOf(id));
  };
  const go = (by: number) => {
    const next = Math.max(0, Math.min(ids.length - 1, current + by));
    setCurrent(next);
    document.querySelector<HTMLElement>(`[data-row="${next}"]`)?.focus();
  };
  const here = ids[current];
  useShortcuts('keys.list', [
    { keys: 'j', label: 'keys.next', run: () => go(1) },
    { keys: 'k', label: 'keys.previous', run: () => go(-1) },
    { keys: 'x', label: 'keys.select', run: () => here && set(here, !shown.has(here)) },
    {
      keys: 'shift+x',
      label: 'keys.selectRange',
      run: () => {
        const [from, to] = [Math.min(anchor, current), Math.max(anchor, current)];
        setTicked(new Set([...shown, ...ids.slice(Math.max(0, from), to + 1)]));
      },
    },
    { keys: 'e', label: 'keys.open', run: () => here && void navigate(pathOf(here)) },
    ...(more.onNew ? [{ keys: 'n', label: 'keys.new', run: more.onNew }] : []),
    ...(more.onDelete ? [{ keys: 'Delete', label: 'keys.delete', run: more.onDelete }] : []),
    { keys: 'Escape', label: 'keys.unselect', run: () => setTicked(new Set()) },
  ]);
  return { ids: shown, current, set, setAll: (isOn) => setTicked(new Set(isOn ? ids : [])) };
}
